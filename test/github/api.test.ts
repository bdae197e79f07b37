import { describe, expect, it } from 'vitest';
import { createGitHubApi, type GitHubApi } from '../../src/github/api.ts';
import { GitHubError } from '../../src/github/github-error.ts';
import { type GitHubModel, type GitHubServer, startGitHub } from './github-server.ts';

const COMMIT = 'c'.repeat(40);

function connect(github: GitHubServer, options: Partial<Parameters<typeof createGitHubApi>[0]> = {}): GitHubApi {
  return createGitHubApi({
    token: github.token,
    apiUrl: github.url,
    repository: 'acme/campaigns',
    isGhes: false,
    signal: new AbortController().signal,
    pause: () => 1,
    ...options,
  });
}

async function troubleOf(work: Promise<unknown>): Promise<GitHubError> {
  const error: unknown = await work.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  if (!(error instanceof GitHubError)) throw new Error(`Not a GitHubError: ${String(error)}`);
  return error;
}

function files(count: number): { filename: string; status: string }[] {
  return Array.from({ length: count }, (_, index) => ({ filename: `media/${index}.png`, status: 'added' }));
}

describe('lists', () => {
  it.each([
    [0, 0, 1],
    [100, 100, 1],
    [101, 101, 2],
    [3_001, 3_000, 30],
  ])('of %i changed files are read to the end, at most 3,000', async (existing, listed, requests) => {
    await using github = await startGitHub({ pulls: { 7: { headSha: COMMIT, files: files(existing) } } });
    const found = await connect(github).pullRequestFiles(7);
    expect(found).toHaveLength(listed);
    expect(new Set(found.map(({ filename }) => filename)).size).toBe(listed);
    expect(github.requests).toHaveLength(requests);
  });

  it.each([
    [250, 3],
    [3_050, 30],
  ])('of %i comments are read to the end, at most 3,000', async (existing, requests) => {
    const comments = Array.from({ length: existing }, (_, id) => ({ id, body: `${id}`, user: null }));
    await using github = await startGitHub({ pulls: { 7: { headSha: COMMIT } }, comments });
    const ids = comments.slice(0, 3_000).map(({ id }) => id);
    expect((await connect(github).comments(7)).map(({ id }) => id)).toEqual(ids);
    expect(github.requests).toHaveLength(requests);
  });
});

describe('answers', () => {
  it("a file at a commit, whatever is in its path's name", async () => {
    const path = 'rules/waivers & more?#ä.yml';
    await using github = await startGitHub({ contents: { [`${COMMIT}:${path}`]: 'rule: AD-17 ✓\n' } });
    expect(await connect(github).textAt(path, COMMIT)).toBe('rule: AD-17 ✓\n');
    expect(github.requests[0]?.query['ref']).toBe(COMMIT);
  });

  it('no such file at that commit', async () => {
    await using github = await startGitHub();
    expect(await connect(github).textAt('waivers.yml', COMMIT)).toBeUndefined();
  });

  it.each([
    ['a directory', [{ type: 'file', name: 'a' }], 'it is a directory'],
    ['a submodule', { type: 'submodule', size: 0 }, 'it is a submodule'],
    ['too large', { type: 'file', encoding: 'none', content: '' }, 'larger than 1 MB'],
  ])('%s instead of a file', async (_, content, words) => {
    await using github = await startGitHub({ contents: { [`${COMMIT}:x`]: content } });
    const error = await troubleOf(connect(github).textAt('x', COMMIT));
    expect(error.trouble).toBe('refused');
    expect(error.message).toContain(words);
  });

  it('pull requests, with a fork told from a branch of ours', async () => {
    await using github = await startGitHub({
      pulls: {
        7: { headSha: COMMIT, headRef: 'main', headLabel: 'mallory:main', headRepositoryId: 99 },
        8: { headSha: COMMIT, headRef: 'changes', mergedAt: '2026-01-02T03:04:05Z' },
        9: { headSha: COMMIT, headRef: 'gone', headLabel: 'mallory:gone', headRepositoryId: null },
      },
      pullsOf: { [COMMIT]: [7, 8, 9] },
    });
    const api = connect(github);
    const common = { headSha: COMMIT, baseBranch: 'main' };
    expect(await api.pullRequestsOf(COMMIT)).toEqual([
      { ...common, number: 7, branch: 'mallory:main', isMerged: false },
      { ...common, number: 8, branch: 'changes', isMerged: true },
      { ...common, number: 9, branch: 'mallory:gone', isMerged: false },
    ]);
    expect(await api.pullRequest(8)).toEqual({ ...common, number: 8, branch: 'changes', isMerged: true });
  });

  it('artifacts by their exact name, with those of forks marked', async () => {
    const artifact = { name: 'gate-state', size_in_bytes: 12, expired: false, created_at: '2026-01-02T03:04:05Z' };
    await using github = await startGitHub({
      artifacts: [
        { ...artifact, id: 1, workflow_run: { id: 42, repository_id: 1, head_repository_id: 1 } },
        { ...artifact, id: 2, workflow_run: { id: 43, repository_id: 1, head_repository_id: 2 } },
        { ...artifact, id: 3, expired: true, workflow_run: null },
        { ...artifact, id: 4, name: 'other' },
      ],
    });
    const found = await connect(github).artifacts('gate-state');
    expect(found).toEqual([
      {
        id: 1,
        name: 'gate-state',
        size: 12,
        isExpired: false,
        createdAt: artifact.created_at,
        runId: '42',
        isOwn: true,
      },
      expect.objectContaining({ id: 2, runId: '43', isOwn: false }),
      expect.objectContaining({ id: 3, isExpired: true, runId: undefined, isOwn: false }),
    ]);
  });

  it('the archive of an artifact, without showing the token to where it is kept', async () => {
    const archive = Uint8Array.from([0x50, 0x4b, 0x05, 0x06, 0xff, 0x00]);
    await using github = await startGitHub({ archives: { 3: archive } });
    expect(await connect(github).artifactArchive(3)).toEqual(archive);
    expect(github.asked).toEqual(['GET /repos/acme/campaigns/actions/artifacts/3/zip', 'GET /storage/3']);
    expect(github.requests[1]?.headers.authorization).toBeUndefined();
    expect((await troubleOf(connect(github).artifactArchive(4))).trouble).toBe('not-found');
  });

  it('a workflow run', async () => {
    const run = { id: 42, event: 'push', head_branch: 'main', head_sha: COMMIT, path: '.github/workflows/a.yml' };
    await using github = await startGitHub({
      runs: { 42: { ...run, run_attempt: 2, repository: { id: 1 }, head_repository: { id: 1 } } },
    });
    expect(await connect(github).workflowRun('42')).toEqual({
      id: '42',
      event: 'push',
      headBranch: 'main',
      headSha: COMMIT,
      path: '.github/workflows/a.yml',
      attempt: 2,
      isFork: false,
    });
  });

  it('the account of the token, on a GitHub Enterprise Server too', async () => {
    await using github = await startGitHub({ login: 'gatekeeper[bot]' });
    expect(await connect(github).ownLogin()).toBe('gatekeeper[bot]');
    expect(await connect(github, { apiUrl: `${github.url}/api/v3`, isGhes: true }).ownLogin()).toBe('gatekeeper[bot]');
    expect(github.asked).toEqual(['POST /graphql', 'POST /api/graphql']);
  });
});

describe('refusals tell what a user can do', () => {
  const PULLS: GitHubModel = { pulls: { 7: { headSha: COMMIT } } };
  const on = '/';
  it.each<[string, GitHubModel, (api: GitHubApi) => Promise<unknown>, string, string]>([
    [
      'no permission to read pull requests',
      { ...PULLS, permissions: { 'pull-requests': 'none' } },
      async (api) => await api.pullRequestFiles(7),
      'permission',
      'permissions: pull-requests: read`',
    ],
    [
      'no permission to comment',
      { ...PULLS, permissions: { 'pull-requests': 'read' } },
      async (api) => await api.createComment(7, 'x'),
      'permission',
      'permissions: pull-requests: write`',
    ],
    [
      'no permission to list artifacts',
      { permissions: { actions: 'none' } },
      async (api) => await api.artifacts('x'),
      'permission',
      'permissions: actions: read`',
    ],
    ['nothing there', PULLS, async (api) => await api.pullRequest(8), 'not-found', 'belongs to this repository'],
    [
      'the limit of an hour',
      {
        faults: [{ on, status: 403, headers: { 'x-ratelimit-remaining': '0' }, body: { message: 'Forbidden' } }],
      },
      async (api) => await api.pullRequest(7),
      'rate-limit',
      'Re-run the job later',
    ],
    [
      'the secondary limit, for longer than a run can wait',
      { faults: [{ on, status: 429, headers: { 'retry-after': '60' }, body: { message: 'Slow down' } }] },
      async (api) => await api.pullRequest(7),
      'rate-limit',
      'Re-run the job later',
    ],
    [
      'GitHub is down',
      { faults: [{ on, status: 503, body: '<!DOCTYPE html><h1>Unicorn</h1>' }] },
      async (api) => await api.pullRequest(7),
      'unavailable',
      'githubstatus',
    ],
    [
      'no connection',
      { faults: [{ on }] },
      async (api) => await api.pullRequest(7),
      'unavailable',
      'proxy and firewall',
    ],
    [
      'something else in between',
      { faults: [{ on, status: 200, body: { hello: 'world' } }] },
      async (api) => await api.pullRequest(7),
      'unreadable',
      'proxy',
    ],
    [
      'an organisation that wants single sign-on',
      { faults: [{ on, status: 403, body: { message: 'Resource protected by organization SAML enforcement.' } }] },
      async (api) => await api.pullRequest(7),
      'refused',
      'what GitHub says',
    ],
  ])('%s', async (_, model, work, trouble, fix) => {
    await using github = await startGitHub(model);
    const error = await troubleOf(work(connect(github)));
    expect(error.trouble).toBe(trouble);
    expect(error.fix).toContain(fix);
    expect(error.message + error.fix).not.toContain(github.token);
  });

  it('a wrong token, and none', async () => {
    await using github = await startGitHub();
    const wrong = await troubleOf(connect(github, { token: 'ghs_expired' }).pullRequest(7));
    expect(wrong.trouble).toBe('bad-token');
    expect(wrong.message + wrong.fix).not.toContain('ghs_expired');
    const none = await troubleOf(connect(github, { token: '' }).pullRequest(7));
    expect(none.trouble).toBe('no-token');
    expect(none.fix).toContain('Leave `github-token` to its default');
    expect(github.requests).toHaveLength(1);
  });

  it('GHES is named where a part of the API may be missing', async () => {
    await using github = await startGitHub();
    const error = await troubleOf(connect(github, { isGhes: true }).pullRequest(7));
    expect(error.fix).toContain('GitHub Enterprise Server');
  });
});

describe('tries', () => {
  const pulls = { 7: { headSha: COMMIT } };

  it.each([
    ['two 502', [{ on: 'pulls', status: 502, times: 2 }], 3],
    ['a broken connection', [{ on: 'pulls', times: 1 }], 2],
    [
      'a limit that is over in a second',
      [
        {
          on: 'pulls',
          status: 403,
          headers: { 'retry-after': '1' },
          body: { message: 'You have exceeded a secondary rate limit' },
          times: 1,
        },
      ],
      2,
    ],
  ])('%s are got over', async (_, faults, requests) => {
    await using github = await startGitHub({ pulls, faults });
    expect((await connect(github).pullRequest(7)).number).toBe(7);
    expect(github.requests).toHaveLength(requests);
  });

  it('end after the third', async () => {
    await using github = await startGitHub({ pulls, faults: [{ on: 'pulls', status: 500 }] });
    await troubleOf(connect(github).pullRequest(7));
    expect(github.requests).toHaveLength(3);
  });

  it('a refusal is not tried again', async () => {
    await using github = await startGitHub({ pulls, permissions: { 'pull-requests': 'none' } });
    await troubleOf(connect(github).pullRequest(7));
    expect(github.requests).toHaveLength(1);
  });

  it('a comment is created once, even where the answer is lost', async () => {
    await using github = await startGitHub({ pulls, faults: [{ on: 'POST', afterwards: true }] });
    expect((await troubleOf(connect(github).createComment(7, 'x'))).trouble).toBe('unavailable');
    expect(github.comments).toHaveLength(1);
  });

  it('an update may be repeated', async () => {
    const comments = [{ id: 5, body: 'old', user: null }];
    await using github = await startGitHub({ pulls, comments, faults: [{ on: 'PATCH', status: 502, times: 1 }] });
    await connect(github).updateComment(5, 'new');
    expect(github.comments[0]?.body).toBe('new');
  });

  it('stop with the run while GitHub is being waited for', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    await using github = await startGitHub({ onRequest: () => controller.abort(reason), faults: [{ on: 'POST' }] });
    const work = connect(github, { signal: controller.signal }).createComment(7, 'x');
    await expect(work).rejects.toBe(reason);
  });

  it('stop with the run, for its own reason', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    await using github = await startGitHub({ faults: [{ on: 'pulls', status: 500 }] });
    const work = connect(github, {
      signal: controller.signal,
      pause: () => {
        controller.abort(reason);
        return 60_000;
      },
    }).pullRequest(7);
    await expect(work).rejects.toBe(reason);
    expect(github.requests).toHaveLength(1);
  });
});
