import { describe, expect, it } from 'vitest';
import { readWorkflow } from './files.ts';
import { type Route, startGitHub } from './github.ts';
import { runJob } from './job.ts';

const file = await readWorkflow('.github/workflows/day-one-events.yml');
const [HEAD, COMMIT] = ['a'.repeat(40), 'b'.repeat(40)];
const RUN = { id: 42, repository_id: 1, head_repository_id: 1, head_branch: 'main', head_sha: COMMIT };
const OTHER = { created_at: '2026-01-01', workflow_run: { ...RUN, id: 41 } };

/** Runs the script for an event, after which the list says this about the run. */
async function listed(event: string, run: Partial<typeof RUN>, artifacts?: readonly unknown[]) {
  const entries = artifacts ?? [{ created_at: '2026-01-02', workflow_run: { ...RUN, ...run } }, OTHER];
  const routes: readonly Route[] = [
    {
      on: 'GET actions/artifacts',
      needs: ['actions', 'read'],
      answer: () => ({ total_count: entries.length, artifacts: entries }),
    },
  ];
  await using api = await startGitHub(routes, file.workflow.jobs['listed']?.permissions);
  const payload = { repository: { default_branch: 'main' }, pull_request: { head: { sha: HEAD } } };
  const github = {
    event_name: event,
    event: payload,
    head_ref: event.startsWith('pull_request') ? 'feature' : '',
    ref_name: event === 'merge_group' ? 'gh-readonly-queue/main/pr-7' : event === 'schedule' ? 'main' : 'pushed',
    sha: COMMIT,
    run_attempt: '1',
  };
  return await runJob(file, 'listed', { api, contexts: { github } });
}

describe('how GitHub lists the run of an event', () => {
  it.each<[string, Partial<typeof RUN>]>([
    ['pull_request', { head_branch: 'feature', head_sha: HEAD }],
    ['pull_request_target', { head_branch: 'main' }],
    ['workflow_run', { head_branch: 'main' }],
    ['push', { head_branch: 'pushed' }],
    ['workflow_dispatch', { head_branch: 'pushed' }],
    ['schedule', { head_branch: 'main' }],
    ['merge_group', { head_branch: 'gh-readonly-queue/main/pr-7' }],
  ])('is as expected: %s', async (event, run) => {
    const { result, log } = await listed(event, run);
    expect(result, log).toBe('success');
    expect(log).toContain(`${event}, attempt 1: head_branch ${run.head_branch}`);
  });

  it.each<[string, Partial<typeof RUN>, (readonly unknown[])?]>([
    ['another branch', { head_branch: 'other' }],
    ['another commit', { head_branch: 'pushed', head_sha: HEAD }],
    ['not at all', {}, [OTHER]],
    ['oldest first', {}, [OTHER, { created_at: '2026-01-02', workflow_run: { ...RUN, head_branch: 'pushed' } }]],
  ])('is not as expected: %s', async (_, run, artifacts) => {
    expect((await listed('push', run, artifacts)).result).toBe('failure');
  });
});
