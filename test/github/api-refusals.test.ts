import { createRequire } from 'node:module';
import { zipSync } from 'fflate';
import { expect, onTestFinished, vi } from 'vitest';
import type { GitHubApi } from '../../src/github/api.ts';
import { listed } from '../builders/github.ts';
import { troubleOf } from '../harness/connect.ts';
import type { GitHubModel } from '../harness/github-model.ts';
import { COMMIT, it } from './fixtures.ts';

const PULLS: GitHubModel = { pulls: { 7: { headSha: COMMIT } } };

function answering(status: number, body: unknown, headers: Record<string, string> = {}): GitHubModel {
  return { faults: [{ on: '/', status, headers, body }] };
}

const SSO = { message: 'Resource protected by organization SAML enforcement.' };
const SECONDARY = { message: 'You have exceeded a secondary rate limit' };
it.for<[string, GitHubModel, string, string]>([
  ['no rights', answering(403, { message: 'Must have admin rights.' }), 'refused', 'pull-requests: read'],
  ['nothing there', {}, 'deleted', 'a token of this repository'],
  ['nothing there any more', answering(410, { message: 'Expired' }), 'deleted', 'a token of this repository'],
  ['a page of a gateway', answering(404, '<h1>Not here</h1>'), 'outage', 'proxy in between'],
  [
    'a JSON text of another type',
    answering(404, '{"message":"Gone"}', { 'content-type': 'text/plain' }),
    'deleted',
    'a token',
  ],
  ['nothing there, without a word', answering(410, ''), 'deleted', 'a token of this repository'],
  ['a limit that only the text names', answering(403, SECONDARY), 'outage', 'Re-run the job'],
  ['the limit of an hour', answering(403, {}, { 'x-ratelimit-remaining': '0' }), 'outage', 'Re-run'],
  ['a limit for too long', answering(429, {}, { 'retry-after': '60' }), 'outage', 'Re-run'],
  ['GitHub is down', answering(503, '<!DOCTYPE html><h1>Unicorn</h1>'), 'outage', 'githubstatus'],
  ['no connection', { faults: [{ on: '/' }] }, 'outage', 'proxy in between'],
  ['something else in between', answering(200, { hello: 'world' }), 'outage', 'proxy in between'],
  ['single sign-on is required', answering(403, SSO), 'refused', 'pull-requests: read'],
])('a refusal says what a user can do: %s', async ([, model, trouble, fix], { connectTo }) => {
  const { api, github } = await connectTo(model);
  const error = await troubleOf(api.pullRequest(7));
  expect(error.trouble).toBe(trouble);
  expect(error.fix).toContain(fix);
  expect(error.message + error.fix).not.toContain(github.token);
});

it.for([
  ['a wrong token', 'ghs_expired', 'that has not expired', 1],
  ['no token', '', 'Remove `github-token` from the step', 0],
] as const)('a refusal says what a user can do: %s', async ([, token, fix, requests], { connectTo }) => {
  const { api, github } = await connectTo({}, { token });
  const error = await troubleOf(api.pullRequest(7));
  expect(error.fix).toContain(fix);
  expect(error.message + error.fix).not.toContain('ghs_');
  expect(github.requests).toHaveLength(requests);
});

it.for<[string, string, (api: GitHubApi) => Promise<unknown>]>([
  ['list the changed files', 'pull-requests: read', async (api) => await api.pullRequestFiles(7)],
  ['read the pull request', 'pull-requests: read', async (api) => await api.pullRequest(7)],
  ['find the pull request of a commit', 'pull-requests: read', async (api) => await api.pullRequestsOf(COMMIT)],
  ['read "a b.yml" at ccccccc', 'contents: read', async (api) => await api.textAt('a b.yml', COMMIT)],
  ['read the commit ccccccc', 'contents: read', async (api) => await api.parentsOf(COMMIT)],
  ['list the comments', 'pull-requests: write', async (api) => await api.comments(7)],
  ['write the comment', 'pull-requests: write', async (api) => await api.createComment(7, 'x')],
  ['update the comment', 'pull-requests: write', async (api) => await api.updateComment(5, 'x')],
  ['find out whose token this is', 'pull-requests: read', async (api) => await api.tokenLogin()],
  ['list the artifacts', 'actions: read', async (api) => await api.artifacts('x', 1)],
  ['download the artifact x of run 3', 'actions: read', async (api) => await api.artifactArchive(listed(3))],
])('a refusal to %s names the permission that it needs: %s', async ([operation, needs, work], { connectTo }) => {
  const { api, github } = await connectTo(answering(403, { message: 'Resource not accessible by integration' }));
  const { host } = new URL(github.url);
  expect(await troubleOf(work(api))).toMatchObject({
    message: `Could not ${operation}: ${host} responded with 403, "Resource not accessible by integration".`,
    fix: expect.stringContaining(`Give the job \`permissions: ${needs}\`.`),
  });
});

it('what GitHub says about the future of its API is not printed past the log', async ({ connectTo }) => {
  const printed = vi.spyOn(console, 'warn').mockReturnValue();
  const headers = { deprecation: '@1', link: '<https://docs.example>; rel="deprecation"' };
  const { api } = await connectTo(answering(200, { parents: [] }, headers));
  expect(await api.parentsOf(COMMIT)).toEqual([]);
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
});

it.for([
  ['nothing', ''],
  ['half of a response', '{"total_count": 1, "artif'],
  ['no value', 'null'],
  ['another object', { hello: 'world' }],
  ['a damaged entry', { total_count: 1, artifacts: [{ id: 'x' }] }],
])('a list that cannot be read is not taken for an empty one: %s', async ([, body], { connectTo }) => {
  const { api } = await connectTo({ faults: [{ on: '/', status: 200, body }] });
  expect((await troubleOf(api.artifacts('x', 1))).trouble).toBe('outage');
  expect((await troubleOf(api.pullRequestFiles(7))).trouble).toBe('outage');
});

it.for<[string, GitHubModel, number, boolean]>([
  ['two 502', { faults: [{ on: 'pulls', status: 502, times: 2 }] }, 3, true],
  ['three 500', { faults: [{ on: 'pulls', status: 500 }] }, 3, false],
  ['a broken connection', { faults: [{ on: 'pulls', times: 1 }] }, 2, true],
  ['half of a response', { faults: [{ on: 'pulls', status: 200, body: '{"number": 7, "he', times: 1 }] }, 2, true],
  ['a limit', { faults: [{ on: 'pulls', status: 429, times: 2 }] }, 3, true],
  ['a refusal', { faults: [{ on: 'pulls', status: 403 }] }, 1, false],
])('how often a request is sent: %s', async ([, model, requests, isRead], { connectTo }) => {
  const { api, github } = await connectTo({ ...PULLS, ...model });
  const found = await api.pullRequest(7).catch(() => undefined);
  expect(found?.number === 7).toBe(isRead);
  expect(github.requests).toHaveLength(requests);
});

const { tick } = createRequire(import.meta.url)('undici/lib/util/timers.js');

/** Makes the clock of undici faster: its 20 s pass in this time. */
function shortenLimit(milliseconds: number): void {
  const timer = setInterval(() => tick(1_000), milliseconds / 20);
  onTestFinished(() => clearInterval(timer));
}

it('each try has a time limit, and comes after a longer pause', async ({ connectTo }) => {
  shortenLimit(100);
  const pauses: number[] = [];
  const pause = (attempt: number): number => pauses.push(attempt);
  const { api, github } = await connectTo({ ...PULLS, faults: [{ on: 'pulls', status: 'never' }] }, { pause });
  expect((await troubleOf(api.pullRequest(7))).trouble).toBe('outage');
  expect(github.requests).toHaveLength(3);
  expect(pauses).toEqual([1, 2]);
});

it('the storage of an archive gets no token, and no other redirect is followed', async ({ connectTo }) => {
  const { api, github } = await connectTo({ ...PULLS, archives: { 3: zipSync({}) } });
  await api.artifactArchive(listed(3));
  const tokens = github.requests.map(({ path, headers }) => [path, 'authorization' in headers]);
  expect(tokens).toEqual([
    [expect.stringMatching(/\/artifacts\/3\/zip$/), true],
    ['/storage/3', false],
  ]);
  const elsewhere = await connectTo({ ...PULLS, faults: [{ on: 'pulls', status: 302, headers: { location: '/x' } }] });
  expect((await troubleOf(elsewhere.api.pullRequest(7))).trouble).toBe('outage');
  expect(elsewhere.github.requests.map(({ path }) => path)).not.toContain('/x');
});

it('a run that is stopped does not wait for GitHub', async ({ connectTo }) => {
  const controller = new AbortController();
  const reason = new Error('stopped');
  const model = { ...PULLS, faults: [{ on: 'comments', status: 'never' }] } as const;
  const { api, github } = await connectTo(model, { signal: controller.signal });
  const stopped = api.createComment(7, 'x').catch((error: unknown) => error);
  await expect.poll(() => github.requests.length).toBe(1);
  controller.abort(reason);
  expect(await stopped).toBe(reason);
});
