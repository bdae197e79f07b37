import { tmpdir } from 'node:os';
import { expect } from 'vitest';
import { readContext } from '../../src/github/context.ts';
import { it as base } from '../harness/fixtures.ts';
import { PAGE_AT, payload, pullRequestAt } from '../harness/payloads.ts';

const HEAD = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';
const BASE = 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e';
/** The base of GitHub's example of a merge group. */
const MAIN_SHA = '380387fbc80638b734a49e1be1c4dfec1c01b33c';

/** Reads a payload, by default as the payload of the event that has such a part. */
const it = base.extend('contextOf', ({ makeFolder }) => async (event: unknown, env: NodeJS.ProcessEnv = {}) => {
  const text = typeof event === 'string' ? event : JSON.stringify(event);
  const GITHUB_EVENT_NAME = ['pull_request', 'merge_group', 'workflow_run'].find((part) => part in Object(event));
  const GITHUB_EVENT_PATH = `${await makeFolder({ 'event.json': text })}/event.json`;
  return readContext({ GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, ...env });
});

const PULL = { number: 2, isFork: false };
const IS_FORK = { isFork: true };
const MAIN = { GITHUB_REF: 'refs/heads/main', GITHUB_SHA: '1'.repeat(40) };
/** If the base is unknown, the base commit is the commit of the run. */
const OWN_COMMIT = { baseBranch: undefined, baseCommit: MAIN.GITHUB_SHA };

/** The payload of a `workflow_run` event in the repository 5. `facts` and `pulls` describe the run before it. */
function following(facts: object, pulls: readonly object[] = []): object {
  const run = { event: 'pull_request', head_branch: 'changes', head_sha: HEAD, head_repository: { id: 5 } };
  return { repository: { id: 5 }, workflow_run: { ...run, pull_requests: pulls, ...facts } };
}

/** An entry of the list of pull requests in a `workflow_run` payload. `into` is the repository of its base. */
function listed(number: number, into = 5): object {
  const head = { ref: 'changes', sha: 'f'.repeat(40), repo: { id: 5 } };
  return { number, head, base: { ref: 'main', sha: BASE, repo: { id: into } } };
}

/** The payload of a `pull_request` event with changes of the pull request. */
function pull(changes: Readonly<Record<string, string | number | boolean | null>>): object {
  const parts = Object.entries(changes).map(([name, value]) => [`pull_request.${name}`, value] as const);
  return payload('pull_request', Object.fromEntries(parts));
}

const ABSENT = { baseBranch: undefined, pullRequest: undefined };
const NAMED = { ...PULL, number: 8 };
const UNNAMED = { ...PULL, number: undefined };
const FORK = { 'head.repo.id': 99, 'head.ref': 'master' };
const OF_FORK = { head_branch: 'main', head_repository: { id: 6, owner: { login: 'mallory' } } };
const MALFORMED = { pull_request: 7, merge_group: [], workflow_run: 'x', issue: 7, before: 7 };
const QUEUE = 'queue/x/pr-1-a/pr-104-929f8209';
const GROUP = { head_ref: `refs/heads/${QUEUE}`, base_ref: 'refs/heads/x/pr-1-a', base_sha: BASE };

function aPull(facts: object): object {
  return { pullRequest: expect.objectContaining(facts) };
}

it.for<[string, unknown, object, NodeJS.ProcessEnv?]>([
  ['a pull request', pull({}), { branch: 'changes', eventCommit: HEAD, ...aPull(PULL) }],
  ['and its base', pull({}), { baseBranch: 'master', baseCommit: BASE, defaultBranch: 'master' }],
  ['of a fork', pull({ ...FORK, 'head.label': 'mallory:master' }), { branch: 'mallory:master', ...aPull(IS_FORK) }],
  ['at Gitea', pullRequestAt('Gitea'), { branch: 'changes', ...aPull({ url: PAGE_AT.Gitea, isFork: false }) }],
  ['of a fork at Gitea', pull({ ...FORK, 'head.label': 'master' }), { branch: ':master', ...aPull(IS_FORK) }],
  ['without any repository', pull({ 'head.repo': null, 'base.repo': null }), aPull(IS_FORK)],
  ['in a repository that is a fork', pull({ 'head.repo.fork': true }), aPull({ isFork: false })],
  ['a merge group', payload('merge_group'), { baseBranch: 'main', baseCommit: MAIN_SHA }],
  ['into a branch with an odd name', { merge_group: GROUP }, { branch: QUEUE, baseBranch: 'x/pr-1-a' }],
  ['a tag named as a branch', payload('push'), { branch: 'refs/tags/main' }, { GITHUB_REF: 'refs/tags/main' }],
  ['a schedule', { schedule: '0 4 * * *' }, { branch: 'main', defaultBranch: undefined }, MAIN],
  ['the id of the runner', { repository: { id: 5 } }, { repositoryId: '7' }, { GITHUB_REPOSITORY_ID: '7' }],
  ['the id of the payload', { repository: { id: 5 } }, { repositoryId: '5' }],
  ['the id beside malformed parts', { ...MALFORMED, repository: { id: 5 } }, { repositoryId: '5' }],
  ['beside malformed parts', { ...MALFORMED, ...Object(pull({})), repository: 'x' }, aPull(PULL)],
  ['no id, as at Gitea', {}, { repositoryId: 'o/r' }, { GITHUB_REPOSITORY_ID: '', GITHUB_REPOSITORY: 'o/r' }],
])('the branch, base and pull request: %s', async ([, event, expected, env], { contextOf }) => {
  expect({ ...ABSENT, ...(await contextOf(event, env)) }).toMatchObject(expected);
});

it.for<[string, object, object]>([
  ['a pull request', following({}, [listed(9, 6), listed(8)]), { baseCommit: BASE, pullRequest: NAMED }],
  ['a review', following({ event: 'pull_request_review' }, [listed(8)]), { pullRequest: NAMED }],
  ['a malformed one', following({}, [{ number: 'x' }]), { eventCommit: HEAD, pullRequest: UNNAMED }],
  ['one of two of a branch', following({}, [listed(8), listed(9)]), { ...OWN_COMMIT, pullRequest: UNNAMED }],
  ['one into a fork', following({}, [listed(9, 6)]), { ...OWN_COMMIT, pullRequest: UNNAMED }],
  ['one of a fork', following(OF_FORK), { ...OWN_COMMIT, branch: 'mallory:main', ...aPull(IS_FORK) }],
  ['one of a deleted fork', following({ ...OF_FORK, head_repository: null }), { branch: ':main', ...aPull(IS_FORK) }],
  ['pull_request_target', following({ event: 'pull_request_target' }), { isPayloadIncomplete: true }],
  ['a push', following({ event: 'push' }), { branch: 'changes', eventCommit: HEAD, pullRequest: undefined }],
  ['a push without a branch', following({ event: 'push', head_branch: null }), { branch: 'main' }],
])('a workflow_run after %s', async ([, event, expected], { contextOf }) => {
  const { pullRequest, ...run } = await contextOf(event, MAIN);
  const named = pullRequest && { number: undefined, ...pullRequest };
  expect({ ...ABSENT, ...run, pullRequest: named }).toMatchObject(expected);
});

it.for<[string, string, unknown, boolean]>([
  ['pull_request', 'half of it', '{"pull_request":', true],
  ['pull_request_target', 'no pull request', {}, true],
  ['pull_request_review', 'nothing', '', true],
  ['merge_group', 'a list', { merge_group: [] }, true],
  ['workflow_run', 'other parts', { pull_request: 7, repository: 'x', workflow_run: null }, true],
  ['push', 'nothing in it', {}, false],
])('whether a payload of %s is incomplete: %s', async ([GITHUB_EVENT_NAME, , event, expected], { contextOf }) => {
  const context = await contextOf(event, { ...MAIN, GITHUB_EVENT_NAME });
  expect(context.branch).toBe('main');
  expect(context.isPayloadIncomplete ?? false).toBe(expected);
  expect(context.pullRequest).toBeUndefined();
});

const RUN = { GITHUB_REPOSITORY: 'o/r', GITHUB_RUN_ID: '42' };
it.for([
  ['acme/site/.github/workflows/media.yml@refs/heads/a@b', 'acme/site', '.github/workflows/media.yml'],
  ['Acme/site/.github/workflows/media.yaml@refs/pull/7/merge', 'acme/Site', '.github/workflows/media.yaml'],
  ['acme/rules/.github/workflows/media.yml@refs/heads/main', 'acme/site', 'acme/rules/.github/workflows/media.yml'],
  ['', 'acme/site', 'Media'],
])('the workflow of %s', ([GITHUB_WORKFLOW_REF, GITHUB_REPOSITORY, expected]) => {
  expect(readContext({ GITHUB_WORKFLOW_REF, GITHUB_REPOSITORY, GITHUB_WORKFLOW: 'Media' }).workflow).toBe(expected);
});

it.for<[string, NodeJS.ProcessEnv, object]>([
  ['nothing', {}, { repository: '', repositoryId: '', branch: '', runAttempt: 1, runUrl: '' }],
  ['no address', {}, { serverUrl: 'https://github.com', apiUrl: 'https://api.github.com', temp: tmpdir() }],
  ['an API with a slash', { GITHUB_API_URL: 'https://git.example/api/v1/' }, { apiUrl: 'https://git.example/api/v1' }],
  ['an attempt', { GITHUB_RUN_ATTEMPT: '3', GITHUB_RUN_ID: '42' }, { runAttempt: 3, runId: '42', runUrl: '' }],
  ['a server', { ...RUN, GITHUB_SERVER_URL: 'https://a.test/' }, { runUrl: 'https://a.test/o/r/actions/runs/42' }],
])('the context of variables with %s', ([, env, expected]) => {
  expect(readContext({ GITHUB_EVENT_PATH: '/nowhere/event.json', ...env })).toMatchObject(expected);
});
