import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeWorkspace } from '../harness/workspace.ts';
import { ROOT, readWorkflow } from './files.ts';
import { type Route, startGitHub } from './github.ts';
import { runJob } from './job.ts';

const file = await readWorkflow('.github/workflows/day-one.yml');

// Its jobs run on Linux.
it.skipIf(process.platform !== 'linux')(
  'more issues than GitHub shows are ten errors, one of which counts the rest',
  async () => {
    const workspace = await makeWorkspace({});
    try {
      for (const name of ['node_modules', 'emulator', 'src'])
        await symlink(ROOT + name, path.join(workspace.path, name));
      const { result, log } = await runJob(file, 'limits', { workspace: workspace.path });
      expect(result).toBe('success');
      const errors = log.split('\n').filter((line) => line.startsWith('::error'));
      expect(errors).toHaveLength(10);
      expect(errors.filter((line) => /title=392 more/.test(line))).toHaveLength(1);
      expect(errors.filter((line) => /^::error::.*400 CRITICAL/.test(line))).toHaveLength(1);
    } finally {
      await workspace.remove();
    }
  },
);

describe('what GitHub made of it', () => {
  const REPORT = 'day-one-report-0123abcd';
  const ARTIFACTS = ['day-one-open-1', 'day-one-state-1', REPORT, `${REPORT}.html`, 'limits-report-99'];
  const ERRORS = [
    ...Array.from({ length: 8 }, () => annotation('failure', 'CRITICAL AD-1')),
    annotation('failure', '392 more'),
    annotation('failure', null, 'FAIL: 400 CRITICAL issues in 40 of 40 files'),
  ];

  it('is as it should be', async () => {
    const { result, log } = await verify(ARTIFACTS, [...ERRORS, annotation('warning', 'from GitHub itself')]);
    expect(log).not.toContain('NOT OK');
    expect(result).toBe('success');
  });

  it.each([
    ['no state', ARTIFACTS.filter((name) => !name.includes('state')), ERRORS],
    ['no page by itself', ARTIFACTS.filter((name) => !name.endsWith('html')), ERRORS],
    ['an error that was dropped', ARTIFACTS, ERRORS.slice(1)],
    ['the count that was dropped', ARTIFACTS, ERRORS.map((each) => ({ ...each, title: 'CRITICAL' }))],
    [
      'a summary that was refused',
      ARTIFACTS,
      [...ERRORS, annotation('notice', null, '$GITHUB_STEP_SUMMARY upload aborted')],
    ],
  ])('is not: %s', async (_what, artifacts, annotations) => {
    const { result, log } = await verify(artifacts, annotations);
    expect(log).toContain('NOT OK');
    expect(result).toBe('failure');
  });
});

describe('the second run', () => {
  it('is started with the id of the first one, and waited for', async () => {
    const { result, dispatched } = await wait('success');
    expect(dispatched).toEqual({ ref: 'refs/heads/main', inputs: { 'first-run': '42' } });
    expect(result).toBe('success');
    expect((await wait('failure')).result).toBe('failure');
  });
});

function annotation(level: string, title: string | null, message = 'x') {
  return { annotation_level: level, title, message };
}

/** Lets the script look at a run that left these. */
async function verify(artifacts: readonly string[], annotations: readonly unknown[]) {
  const routes: readonly Route[] = [
    {
      on: 'GET actions/runs/42/artifacts',
      needs: ['actions', 'read'],
      answer: () => ({ total_count: artifacts.length, artifacts: artifacts.map((name) => ({ name })) }),
    },
    {
      on: 'GET actions/runs/42/jobs',
      needs: ['actions', 'read'],
      answer: () => ({
        total_count: 2,
        jobs: [
          { id: 1, name: 'state' },
          { id: 2, name: 'limits' },
        ],
      }),
    },
    { on: 'GET check-runs/2/annotations', needs: ['checks', 'read'], answer: () => annotations },
  ];
  await using github = await startGitHub(routes, file.workflow.jobs['verify']?.permissions);
  return await runJob(file, 'verify', { api: github });
}

/** Lets the script start a second run that ends so. */
async function wait(conclusion: string) {
  let asked = 0;
  const routes: readonly Route[] = [
    { on: 'POST actions/workflows/day-one.yml/dispatches', needs: ['actions', 'write'], answer: () => ({}) },
    {
      on: 'GET actions/workflows/day-one.yml/runs',
      needs: ['actions', 'read'],
      answer: () => ({
        workflow_runs: [
          { display_title: 'Day one, second run after 7', status: 'completed', conclusion: 'success' },
          { display_title: 'Day one, second run after 42', status: ++asked > 2 ? 'completed' : 'queued', conclusion },
        ],
      }),
    },
  ];
  await using github = await startGitHub(routes, file.workflow.jobs['second-run']?.permissions);
  const { result } = await runJob(file, 'second-run', { api: github });
  return { result, dispatched: github.sent[0]?.body };
}
