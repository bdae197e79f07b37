import { describe, expect, it } from 'vitest';
import type { GitHubApi } from '../../src/github/api.ts';
import { connect, troubleOf } from '../harness/connect.ts';
import { type GitHubModel, startGitHub } from '../harness/github-server.ts';

const COMMIT = 'c'.repeat(40);

describe('a refusal says what a user can do', () => {
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
      'unavailable',
      'proxy in between',
    ],
    [
      'a page in place of an archive',
      { faults: [{ on, status: 200, body: '<!DOCTYPE html>' }] },
      async (api) => await api.artifactArchive(3),
      'unavailable',
      'proxy in between',
    ],
    [
      'an organisation that requires single sign-on',
      { faults: [{ on, status: 403, body: { message: 'Resource protected by organization SAML enforcement.' } }] },
      async (api) => await api.pullRequest(7),
      'refused',
      'what GitHub says',
    ],
  ])('%s', async (_, model, work, trouble, fix) => {
    await using github = await startGitHub(model);
    const error = await troubleOf(work(connect(github)));
    expect(error.trouble).toBe(trouble);
    expect(error.isOutage).toBe(['rate-limit', 'unavailable'].includes(trouble));
    expect(error.fix).toContain(fix);
    expect(error.message + error.fix).not.toContain(github.token);
  });

  it('a wrong token, and none', async () => {
    await using github = await startGitHub();
    const wrong = await troubleOf(connect(github, { token: 'ghs_expired' }).pullRequest(7));
    expect(wrong.trouble).toBe('refused');
    expect(wrong.fix).toContain('a token that has not expired');
    expect(wrong.message + wrong.fix).not.toContain('ghs_expired');
    const none = await troubleOf(connect(github, { token: '' }).pullRequest(7));
    expect(none.trouble).toBe('refused');
    expect(none.fix).toContain('Leave `github-token` to its default');
    expect(github.requests).toHaveLength(1);
  });

  it('the message names GHES if a part of the API may be missing', async () => {
    await using github = await startGitHub();
    const error = await troubleOf(connect(github, { isGhes: true }).pullRequest(7));
    expect(error.fix).toContain('GitHub Enterprise Server');
  });
});

describe('a list that cannot be read is not taken for an empty one', () => {
  it.each([
    ['a conflict', { status: 409, body: { message: 'Conflict' } }, 'refused'],
    ['nothing', { status: 200, body: '' }, 'unavailable'],
    ['half of a response', { status: 200, body: '{"total_count": 1, "artif' }, 'unavailable'],
    ['a web page', { status: 200, body: '<!DOCTYPE html>' }, 'unavailable'],
    ['null', { status: 200, body: 'null' }, 'unavailable'],
    ['another object', { status: 200, body: { hello: 'world' } }, 'unavailable'],
    ['a damaged entry', { status: 200, body: { total_count: 1, artifacts: [{ id: 'x' }] } }, 'unavailable'],
  ])('%s', async (_, fault, trouble) => {
    await using github = await startGitHub({ faults: [{ on: '/', ...fault }] });
    expect((await troubleOf(connect(github).artifacts('x'))).trouble).toBe(trouble);
    expect((await troubleOf(connect(github).pullRequestFiles(7))).trouble).toBe(trouble);
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
  ])('%s are retried', async (_, faults, requests) => {
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

  it('a comment is created once, even if the response is lost', async () => {
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

  it('stop with the run during a wait for GitHub', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    // GitHub's answer comes after the stop, and is not waited for.
    await using github = await startGitHub({ pulls, onRequest: () => controller.abort(reason) });
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
