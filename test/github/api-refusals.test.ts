import { describe, expect, it } from 'vitest';
import type { GitHubApi } from '../../src/github/api.ts';
import { connect, troubleOf } from '../harness/connect.ts';
import { type GitHubModel, startGitHub } from '../harness/github-server.ts';

const COMMIT = 'c'.repeat(40);

const PULLS: GitHubModel = { pulls: { 7: { headSha: COMMIT } } };
const read = async (api: GitHubApi): Promise<unknown> => await api.pullRequest(7);

function answering(status: number, body: unknown, headers: Record<string, string> = {}): GitHubModel {
  return { faults: [{ on: '/', status, headers, body }] };
}

describe('a refusal says what a user can do', () => {
  // biome-ignore format: a table
  it.each<[string, GitHubModel, (api: GitHubApi) => Promise<unknown>, string, string]>([
    ['no permission to read',      { ...PULLS, permissions: { 'pull-requests': 'none' } },                     async (api) => await api.pullRequestFiles(7),   'permission',  'permissions: pull-requests: read`'],
    ['no permission to comment',   { ...PULLS, permissions: { 'pull-requests': 'read' } },                     async (api) => await api.createComment(7, 'x'), 'permission',  'permissions: pull-requests: write`'],
    ['no permission to list',      { permissions: { actions: 'none' } },                                       async (api) => await api.artifacts('x'),        'permission',  'permissions: actions: read`'],
    ['nothing there',              PULLS,                                                                      async (api) => await api.pullRequest(8),        'not-found',   'belongs to this repository'],
    ['the limit of an hour',       answering(403, { message: 'Forbidden' }, { 'x-ratelimit-remaining': '0' }), read,                                           'rate-limit',  'Re-run the job later'],
    ['a limit for too long',       answering(429, { message: 'Slow down' }, { 'retry-after': '60' }),          read,                                           'rate-limit',  'Re-run the job later'],
    ['GitHub is down',             answering(503, '<!DOCTYPE html><h1>Unicorn</h1>'),                          read,                                           'unavailable', 'githubstatus'],
    ['no connection',              { faults: [{ on: '/' }] },                                                  read,                                           'unavailable', 'proxy and firewall'],
    ['something else in between',  answering(200, { hello: 'world' }),                                         read,                                           'unavailable', 'proxy in between'],
    ['a page, and no archive',     answering(200, '<!DOCTYPE html>'),                                          async (api) => await api.artifactArchive(3),    'unavailable', 'proxy in between'],
    ['single sign-on is required', answering(403, { message: 'Resource protected by organization SAML enforcement.' }), read,                                  'refused',     'what GitHub says'],
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
    expect(wrong.fix).toContain('a token that has not expired');
    expect(wrong.message + wrong.fix).not.toContain('ghs_expired');
    const none = await troubleOf(connect(github, { token: '' }).pullRequest(7));
    expect(none.fix).toContain('Leave `github-token` to its default');
    expect(github.requests).toHaveLength(1);
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

  const LIMIT = {
    status: 403,
    headers: { 'retry-after': '1' },
    body: { message: 'You have exceeded a secondary rate limit' },
  };
  // biome-ignore format: a table
  it.each<[string, GitHubModel, number, boolean]>([
    ['two 502',                          { faults: [{ on: 'pulls', status: 502, times: 2 }] },  3, true],
    ['three 500',                        { faults: [{ on: 'pulls', status: 500 }] },            3, false],
    ['a broken connection',              { faults: [{ on: 'pulls', times: 1 }] },               2, true],
    ['a limit that is over in a second', { faults: [{ on: 'pulls', ...LIMIT, times: 1 }] },     2, true],
    ['a refusal',                        { permissions: { 'pull-requests': 'none' } },          1, false],
  ])('%s', async (_, model, requests, isRead) => {
    await using github = await startGitHub({ pulls, ...model });
    const found = await connect(github).pullRequest(7).catch(() => undefined);
    expect(found?.number === 7).toBe(isRead);
    expect(github.requests).toHaveLength(requests);
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
});
