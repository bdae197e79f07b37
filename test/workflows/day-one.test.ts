import { symlink } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { makeWorkspace } from '../harness/workspace.ts';
import { ROOT, readWorkflow } from './files.ts';
import { type Route, startGitHub } from './github.ts';
import { runJob } from './job.ts';

const Dispatch = v.object({ inputs: v.object({ probe: v.string(), 'first-run': v.string() }) });
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

describe('what GitHub has stored', () => {
  const REPORT = 'day-one-report-0123abcd';
  const ARTIFACTS = ['day-one-open-1', 'day-one-state-1', REPORT, `${REPORT}.html`, 'limits-report-99'];
  const ERRORS = [
    ...Array.from({ length: 8 }, () => annotation('failure', 'CRITICAL AD-1', 'x', 'limits/7.pdf')),
    annotation('failure', '392 more'),
    annotation('failure', null, 'FAIL: 400 CRITICAL issues in 40 of 40 files'),
  ];

  it('is as expected', async () => {
    const { result, log } = await verify(ARTIFACTS, [...ERRORS, annotation('warning', 'from GitHub itself')]);
    expect(log).not.toContain('NOT OK');
    expect(result).toBe('success');
  });

  it.each([
    ['the list of artifacts is oldest first', { times: ['2026-01-01', '2026-01-02'] }],
    ['there is no second run', { times: ['2026-01-02'] }],
    ['sixty annotations of a job are kept', { kept: 60 }],
  ])('is not as expected if %s', async (_what, stored) => {
    const { result, log } = await verify(ARTIFACTS, ERRORS, stored);
    expect(log).toContain('NOT OK');
    expect(result).toBe('failure');
  });

  it.each([
    ['no state', ARTIFACTS.filter((name) => !name.includes('state')), ERRORS],
    ['no page by itself', ARTIFACTS.filter((name) => !name.endsWith('html')), ERRORS],
    ['an error that was dropped', ARTIFACTS, ERRORS.slice(1)],
    ['no annotation at a binary file', ARTIFACTS, ERRORS.map((each) => ({ ...each, path: '.github' }))],
    ['the count that was dropped', ARTIFACTS, ERRORS.map((each) => ({ ...each, title: 'CRITICAL' }))],
    [
      'a summary that was refused',
      ARTIFACTS,
      [...ERRORS, annotation('notice', null, '$GITHUB_STEP_SUMMARY upload aborted')],
    ],
  ])('is not as expected: %s', async (_what, artifacts, annotations) => {
    const { result, log } = await verify(artifacts, annotations);
    expect(log).toContain('NOT OK');
    expect(result).toBe('failure');
  });
});

describe('the other runs', () => {
  it('are started with the id of the first one, re-run, cancelled and reported', async () => {
    const { result, log, sent } = await startOthers('success');
    expect(result).toBe('success');
    expect(sent).toEqual([
      'POST dispatches state of 42',
      'POST dispatches artifact-names of 42',
      'POST actions/runs/2/rerun-failed-jobs',
      'POST dispatches signals of 42',
      'POST actions/runs/3/cancel',
    ]);
    expect(log).toContain('notice: Artifact name in a second attempt: answer: the name is taken');
    expect(log).toContain('notice: Signals in a container: received SIGINT after 0 ms, received SIGTERM after 7501 ms');
  });

  it('fail the first one if the second run does not find its state', async () => {
    expect((await startOthers('failure')).result).toBe('failure');
  });
});

function annotation(level: string, title: string | null, message = 'x', path = '.github') {
  return { annotation_level: level, title, message, path };
}

interface Stored {
  /** When the artifacts of the state's name were created, in the order of the list. */
  readonly times?: readonly string[];
  /** How many of sixty annotations GitHub has kept. */
  readonly kept?: number;
}

/** Runs the script after a run that left these. */
async function verify(
  artifacts: readonly string[],
  annotations: readonly unknown[],
  { times = ['2026-01-02', '2026-01-01'], kept = 50 }: Stored = {},
) {
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
          { id: 3, name: 'annotations' },
        ],
      }),
    },
    {
      on: 'GET actions/artifacts',
      needs: ['actions', 'read'],
      answer: () => ({ artifacts: times.map((created_at) => ({ created_at })) }),
    },
    {
      on: 'GET check-runs/3/annotations',
      needs: ['checks', 'read'],
      answer: () => Array.from({ length: kept }, () => annotation('notice', '1', 'probe')),
    },
    { on: 'GET check-runs/2/annotations', needs: ['checks', 'read'], answer: () => annotations },
  ];
  await using github = await startGitHub(routes, file.workflow.jobs['verify']?.permissions);
  return await runJob(file, 'verify', { api: github });
}

/** Lets the script start other runs. The second run ends with this conclusion. */
async function startOthers(conclusion: string) {
  const LOGS = ['', 'answer: the name is taken\n', 'received SIGINT after 0 ms\nreceived SIGTERM after 7501 ms\n'];
  const started: string[] = [];
  let attempt = 1;
  const routes: readonly Route[] = [
    {
      on: 'POST actions/workflows/day-one.yml/dispatches',
      needs: ['actions', 'write'],
      answer: (_query, body) => {
        const { inputs } = v.parse(Dispatch, body);
        started.push(`${inputs.probe} of ${inputs['first-run']}`);
        return {};
      },
    },
    {
      on: 'GET actions/workflows/day-one.yml/runs',
      needs: ['actions', 'read'],
      answer: () => ({
        workflow_runs: started.map((title, index) => ({ id: index + 1, display_title: `Day one, ${title}` })),
      }),
    },
    ...[1, 2, 3].flatMap((id): readonly Route[] => [
      {
        on: `GET actions/runs/${id}`,
        needs: ['actions', 'read'],
        answer: () => ({
          status: id === 3 && !isCancelled() ? 'in_progress' : 'completed',
          conclusion,
          run_attempt: attempt,
        }),
      },
      {
        on: `GET actions/runs/${id}/jobs`,
        needs: ['actions', 'read'],
        answer: () => ({
          jobs: [
            { id: 9, conclusion: 'skipped' },
            { id: 10 + id, conclusion: 'failure' },
          ],
        }),
      },
      { on: `GET actions/jobs/${10 + id}/logs`, needs: ['actions', 'read'], answer: () => LOGS[id - 1] },
    ]),
    {
      on: 'POST actions/runs/2/rerun-failed-jobs',
      needs: ['actions', 'write'],
      answer: () => {
        attempt = 2;
        return {};
      },
    },
    { on: 'POST actions/runs/3/cancel', needs: ['actions', 'write'], answer: () => ({}) },
  ];
  await using github = await startGitHub(routes, file.workflow.jobs['other-runs']?.permissions);
  const isCancelled = (): boolean => github.sent.some(({ on }) => on.endsWith('/cancel'));
  const { result, log } = await runJob(file, 'other-runs', { api: github });
  let dispatches = 0;
  const posts = github.sent.map(({ on }) => on).filter((on) => on.startsWith('POST'));
  const sent = posts.map((on) => (on.endsWith('/dispatches') ? `POST dispatches ${started[dispatches++]}` : on));
  return { result, log, sent };
}
