import { describe, expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../emulator/emulator.ts';
import type { Cause } from '../../src/lib/cause.ts';
import { annotations } from '../../src/report/annotations.ts';
import { failureLine } from '../../src/report/phrases.ts';
import type { Report } from '../../src/report/report.ts';
import { runAction } from '../harness/run-action.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { anAsset, anIssue, aReport } from '../report/fixtures.ts';
import { holds } from './expressions.ts';
import { ACTION_NAME, readWorkflow } from './files.ts';
import { type FakeGitHub, Refusal, type Route, startGitHub } from './github.ts';
import { type JobEnd, runJob } from './job.ts';

const SHA = 'a'.repeat(40);

/** The fields that the workflow reads. */
interface Annotation {
  readonly title: string | null;
  readonly message: string;
}

/** What the gate prints, as GitHub keeps it: the line that fails the step has no title. */
function printedBy(report: Report): readonly Annotation[] {
  return [...annotations(report), { title: '', message: failureLine(report) }];
}
const ASSETS = [anAsset({ issues: [anIssue()] })];
const ISSUES = printedBy(aReport({ assets: ASSETS }));
const FAILED_FILE: Cause = { reason: 'asset-failed', message: 'The service could not analyse it.', fix: 'Export it.' };
const UNCONFIRMED: Cause = { reason: 'service', message: 'None.', fix: 'Look.', submission: 'unconfirmed' };

describe('recheck-open-pull-requests.yml', async () => {
  const file = await readWorkflow('examples/workflows/recheck-open-pull-requests.yml');
  /** Annotations of failed jobs, by run. A pull request has the number of its run. */
  const FAILED: Readonly<Record<number, readonly Annotation[]>> = {
    1: ISSUES,
    5: ISSUES,
    6: [{ title: null, message: 'Node.js 20 is deprecated.' }, ...ISSUES],
    // A re-run might be billed, and a submission may exist that a person should look for first.
    7: printedBy(aReport({ assets: ASSETS, causes: [FAILED_FILE] })),
    8: printedBy(aReport({ verdict: 'error', headline: UNCONFIRMED.message, causes: [UNCONFIRMED] })),
    // Failed before the gate, or in another job.
    9: [],
  };
  const conclusions = {
    ...Object.fromEntries(Object.keys(FAILED).map((id) => [id, 'failure'])),
    2: 'success',
    3: null,
  };
  const routes: readonly Route[] = [
    {
      on: 'GET pulls',
      needs: ['pull-requests', 'read'],
      answer: (query) =>
        query.get('state') === 'open'
          ? [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => ({ number, head: { sha: `sha-${number}` } }))
          : [],
    },
    {
      on: 'GET actions/workflows/media.yml/runs',
      needs: ['actions', 'read'],
      answer: (query) => ({
        workflow_runs: Object.entries(conclusions)
          .filter(([id]) => query.get('head_sha') === `sha-${id}` && query.get('event') === 'pull_request')
          .map(([id, conclusion]) => ({ id: Number(id), conclusion })),
      }),
    },
    ...Object.entries(FAILED).flatMap(([id, annotations]) => failedRun(Number(id), annotations)),
    rerun(1),
    rerun(5, () => {
      throw new Refusal(403, 'This workflow run cannot be retried');
    }),
    ...[6, 7, 8, 9].map((id) => rerun(id)),
  ];

  it('starts runs again that failed by issues alone; one that is too old stops nothing', async () => {
    await using github = await startGitHub(routes, file.workflow.jobs['recheck']?.permissions);
    const { result, log } = await runJob(file, 'recheck', { api: github });
    expect(result).toBe('success');
    expect(started(github)).toEqual([
      'POST actions/runs/1/rerun-failed-jobs',
      'POST actions/runs/5/rerun-failed-jobs',
      'POST actions/runs/6/rerun-failed-jobs',
    ]);
    expect(log).toMatch(/warning: #5: run 5 cannot be re-run; .*cannot be retried/);
    expect(log).toMatch(/info: #6: started run 6 again/);
    for (const number of [7, 8, 9]) expect(log).toMatch(new RegExp(`info: #${number}: left alone`));
  });

  it('recognises the annotations of the gate', async () => {
    await using workspace = await makeWorkspace({ 'a.pdf': '%PDF-1.7\n', 'b.pdf': '%PDF-1.7\n% b\n' });
    const emulator = await startEmulator();
    onTestFinished(async () => await emulator.close());
    const service = emulator.workspace({
      scenario: {
        files: [
          { match: 'a-*', issues: [{ severity: 'CRITICAL' }] },
          { match: 'b-*', fails: { times: 9, errorType: 'DAMAGED', errorMessage: 'It is.', isRetryable: false } },
        ],
      },
    });
    const inputs = { 'api-key': service.key, 'base-url': emulator.baseUrl };
    const { log } = await runAction({ workspace: workspace.path, inputs });
    expect(log).toMatch(/^::error title=Not judged%3A asset-failed,/m);
    expect(log).toMatch(/^::error::FAIL: 1 CRITICAL issue/m);
  });

  it('asks for no unneeded permission', async () => {
    const needed = { actions: 'write', checks: 'read', 'pull-requests': 'read' };
    expect(file.workflow.jobs['recheck']?.permissions).toEqual(needed);
    for (const name of Object.keys(needed)) {
      await using github = await startGitHub(routes, { ...needed, [name]: name === 'actions' ? 'read' : 'none' });
      const { result, log } = await runJob(file, 'recheck', { api: github });
      expect(result === 'failure' || log.includes('warning: #6')).toBe(true);
    }
  });
});

describe('fork-safe-gate.yml', async () => {
  const file = await readWorkflow('examples/workflows/fork-safe-gate.yml');
  const run = {
    event: 'pull_request',
    conclusion: 'success',
    head_sha: SHA,
    head_branch: 'new-hero',
    head_repository: { id: 99, full_name: 'stranger/campaigns', owner: { login: 'stranger' } },
    // Empty for a fork.
    pull_requests: [],
  };
  const pull = { number: 7, head: { sha: SHA, repo: { id: 99 } } };

  interface Trial {
    readonly pulls?: readonly unknown[];
    readonly gate?: { readonly outcome: 'success' | 'failure'; readonly outputs: Record<string, string> };
    readonly event?: 'workflow_run' | 'push';
  }
  interface Tried {
    readonly job: JobEnd;
    readonly statuses: readonly unknown[];
  }

  async function tryIt({ pulls = [pull], gate = PASS, event = 'workflow_run' }: Trial): Promise<Tried> {
    const routes: readonly Route[] = [
      {
        on: 'GET pulls',
        needs: ['pull-requests', 'read'],
        answer: (query) =>
          query.get('head') === 'stranger:new-hero' && query.get('state') === 'open'
            ? pulls
            : [{ number: 1, head: {} }],
      },
      { on: `POST statuses/${SHA}`, needs: ['statuses', 'write'], answer: () => ({}) },
    ];
    await using github = await startGitHub(routes, file.workflow.jobs['gate']?.permissions);
    const payload = event === 'push' ? {} : { workflow_run: run };
    const job = await runJob(file, 'gate', {
      api: { url: github.url, token: github.token, payload },
      contexts: { github: { event: payload, event_name: event }, secrets: { COMPLIANCE_API_KEY: 'a key' } },
      actions: {
        [ACTION_NAME]: gate,
        'actions/checkout': { outcome: 'success', outputs: {} },
      },
    });
    return { job, statuses: github.sent.filter(({ on }) => on.startsWith('POST')).map(({ body }) => body) };
  }

  const PASS = { outcome: 'success', outputs: { verdict: 'pass', reason: '', 'critical-count': '0' } } as const;

  it("finds a fork's pull request, checks out its head and shows the verdict on it", async () => {
    const { job, statuses } = await tryIt({});
    expect(job.result).toBe('success');
    expect(job.given['actions/checkout']).toMatchObject({ ref: SHA, 'persist-credentials': 'false' });
    expect(job.given[ACTION_NAME]).toMatchObject({ metadata: '{"pullRequest": 7}' });
    const url = 'https://github.com/acme/campaigns/actions/runs/42';
    expect(statuses).toEqual([
      expect.objectContaining({ context: 'media', state: 'pending', target_url: url }),
      expect.objectContaining({ context: 'media', state: 'success', target_url: url }),
    ]);
  });

  it.each([
    ['fail', 'issues', 'failure', 'Issues reach the threshold, 3 of them CRITICAL'],
    ['error', 'service', 'error', 'Not everything could be judged: service'],
    ['', '', 'error', 'The gate ended without a verdict'],
  ])('a failed check with the verdict "%s" fails on the pull request', async (verdict, reason, state, description) => {
    const gate = { outcome: 'failure', outputs: { verdict, reason, 'critical-count': '3' } } as const;
    const { job, statuses } = await tryIt({ gate });
    expect(job.result).toBe('failure');
    expect(statuses.at(-1)).toMatchObject({ state, description });
  });

  it('a forgiven outage is a success whose description says so', async () => {
    const gate = {
      outcome: 'success',
      outputs: { verdict: 'error', reason: 'service', 'critical-count': '0' },
    } as const;
    const { statuses } = await tryIt({ gate });
    expect(statuses.at(-1)).toMatchObject({ state: 'success', description: 'Not everything could be judged: service' });
  });

  it('checks the default branch as well, and then shows nothing on any pull request', async () => {
    const { job, statuses } = await tryIt({ event: 'push', gate: { ...PASS, outcome: 'failure' } });
    expect(job.result).toBe('failure');
    expect(job.given['actions/checkout']).toMatchObject({ ref: '' });
    expect(job.given[ACTION_NAME]).toMatchObject({ metadata: '{"pullRequest": null}' });
    expect(statuses).toEqual([]);
  });

  it.each([
    ['push', {}, true],
    ['workflow_run', run, true],
    ['workflow_run', { ...run, event: 'push' }, false],
    ['workflow_run', { ...run, conclusion: 'failure' }, false],
  ])('on %s, %j, it runs: %s', (event_name, workflow_run, expected) => {
    const contexts = { github: { event_name, event: { workflow_run } } };
    const standing = { hasFailed: false, workspaceHas: () => false };
    expect(holds(file.workflow.jobs['gate']?.if, contexts, standing)).toBe(expected);
  });

  it.each([
    ['no pull request has that branch', []],
    ['the pull request was pushed to meanwhile', [{ number: 7, head: { sha: 'b'.repeat(40), repo: { id: 99 } } }]],
    ['it is of another fork of the same owner', [{ number: 7, head: { sha: SHA, repo: { id: 98 } } }]],
  ])('sends nothing if %s', async (_why, pulls) => {
    const { job, statuses } = await tryIt({ pulls });
    expect(job.result).toBe('success');
    expect(job.given).toEqual({});
    expect(statuses).toEqual([]);
    expect(job.log).toContain('notice: No open pull request');
  });
});

function rerun(id: number, answer = (): unknown => ({})): Route {
  return { on: `POST actions/runs/${id}/rerun-failed-jobs`, needs: ['actions', 'write'], answer };
}

/** A run with one failed job that has these annotations, and one that succeeded. */
function failedRun(id: number, annotations: readonly Annotation[]): readonly Route[] {
  const annotated = (job: number, list: readonly Annotation[]): Route => ({
    on: `GET check-runs/${job}/annotations`,
    needs: ['checks', 'read'],
    answer: () => list,
  });
  return [
    {
      on: `GET actions/runs/${id}/jobs`,
      needs: ['actions', 'read'],
      answer: (query) => ({
        total_count: 2,
        jobs:
          query.get('filter') === 'latest'
            ? [
                { id: 100 + id, conclusion: 'failure' },
                { id: 200 + id, conclusion: 'success' },
              ]
            : [],
      }),
    },
    annotated(100 + id, annotations),
    // Must be ignored: it did not fail.
    annotated(200 + id, [{ title: 'Not judged: service', message: 'forgiven' }]),
  ];
}

/** The requests that change something. */
function started({ sent }: FakeGitHub): readonly string[] {
  return sent.map(({ on }) => on).filter((on) => on.startsWith('POST'));
}
