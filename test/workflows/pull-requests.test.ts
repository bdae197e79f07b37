import { describe, expect, it } from 'vitest';
import { readWorkflow } from './files.ts';
import { type FakeGitHub, Refusal, type Route, startGitHub } from './github.ts';
import { type JobEnd, runJob } from './job.ts';

const SHA = 'a'.repeat(40);

describe('recheck-open-pull-requests.yml', async () => {
  const file = await readWorkflow('examples/workflows/recheck-open-pull-requests.yml');
  const runs = [
    { id: 1, head_sha: 'one', conclusion: 'failure' },
    { id: 2, head_sha: 'two', conclusion: 'success' },
    { id: 3, head_sha: 'three', conclusion: null },
    { id: 5, head_sha: 'five', conclusion: 'failure' },
    { id: 6, head_sha: 'six', conclusion: 'failure' },
  ];
  const routes: readonly Route[] = [
    {
      on: 'GET pulls',
      needs: ['pull-requests', 'read'],
      answer: (query) =>
        query.get('state') === 'open'
          ? ['one', 'two', 'three', 'four', 'five', 'six'].map((sha, index) => ({ number: index + 1, head: { sha } }))
          : [],
    },
    {
      on: 'GET actions/workflows/media.yml/runs',
      needs: ['actions', 'read'],
      answer: (query) => ({
        workflow_runs: runs.filter(
          ({ head_sha }) => head_sha === query.get('head_sha') && query.get('event') === 'pull_request',
        ),
      }),
    },
    rerun(1),
    rerun(5, () => {
      throw new Refusal(403, 'This workflow run cannot be retried');
    }),
    rerun(6),
  ];

  it('starts the failed runs again, and those only; one that is too old stops nothing', async () => {
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
  });

  it('asks for no permission that it could do without', async () => {
    for (const permissions of [{ actions: 'read', 'pull-requests': 'read' }, { actions: 'write' }]) {
      await using github = await startGitHub(routes, permissions);
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
    // As it is for a fork.
    pull_requests: [],
  };
  const pull = { number: 7, head: { sha: SHA, repo: { id: 99 } } };

  interface Trial {
    readonly pulls?: readonly unknown[];
    readonly gate?: { readonly outcome: 'success' | 'failure'; readonly outputs: Record<string, string> };
  }
  interface Tried {
    readonly job: JobEnd;
    readonly statuses: readonly unknown[];
  }

  async function tryIt({ pulls = [pull], gate = PASS }: Trial): Promise<Tried> {
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
    const payload = { workflow_run: run };
    const job = await runJob(file, 'gate', {
      api: { url: github.url, token: github.token, payload },
      contexts: { github: { event: payload }, secrets: { COMPLIANCE_API_KEY: 'a key' } },
      actions: {
        'your-org/media-compliance-gate': gate,
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
    expect(job.given['your-org/media-compliance-gate']).toMatchObject({ metadata: '{"pullRequest": 7}' });
    const url = 'https://github.com/acme/campaigns/actions/runs/42';
    expect(statuses).toEqual([
      expect.objectContaining({ context: 'media', state: 'pending', target_url: url }),
      expect.objectContaining({ context: 'media', state: 'success', target_url: url }),
    ]);
  });

  it.each([
    ['fail', 'issues', 'failure', 'Issues reach the threshold, 3 of them CRITICAL'],
    ['error', 'service', 'error', 'Not everything could be judged: service'],
    ['', '', 'error', 'The gate came to no verdict'],
  ])(
    'a red check with the verdict "%s" is red on the pull request, too',
    async (verdict, reason, state, description) => {
      const gate = { outcome: 'failure', outputs: { verdict, reason, 'critical-count': '3' } } as const;
      const { job, statuses } = await tryIt({ gate });
      expect(job.result).toBe('failure');
      expect(statuses.at(-1)).toMatchObject({ state, description });
    },
  );

  it('an outage that is forgiven is green, and says what it is', async () => {
    const gate = {
      outcome: 'success',
      outputs: { verdict: 'error', reason: 'service', 'critical-count': '0' },
    } as const;
    const { statuses } = await tryIt({ gate });
    expect(statuses.at(-1)).toMatchObject({ state: 'success', description: 'Not everything could be judged: service' });
  });

  it.each([
    ['nobody has a pull request of that branch', []],
    ['the pull request was pushed to meanwhile', [{ number: 7, head: { sha: 'b'.repeat(40), repo: { id: 99 } } }]],
    ['it is of another fork of the same owner', [{ number: 7, head: { sha: SHA, repo: { id: 98 } } }]],
  ])('sends nothing where %s', async (_why, pulls) => {
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

/** The requests that change something. */
function started({ sent }: FakeGitHub): readonly string[] {
  return sent.map(({ on }) => on).filter((on) => on.startsWith('POST'));
}
