import { tmpdir } from 'node:os';
import { describe, expect } from 'vitest';
import { type RunContext, readContext } from '../../src/github/context.ts';
import { it as base } from '../harness/fixtures.ts';
import { PAGE_AT, payload, pullRequestAt } from '../harness/payloads.ts';

const HEAD = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';
const BASE = 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e';

const it = base.extend('contextOf', ({ makeFolder }) => async (event: unknown, env: NodeJS.ProcessEnv = {}) => {
  const text = typeof event === 'string' ? event : JSON.stringify(event);
  return readContext({ GITHUB_EVENT_PATH: `${await makeFolder({ 'event.json': text })}/event.json`, ...env });
});

const PULL = { number: 2, headSha: HEAD, isFork: false, isDependabot: false };
const MAIN = { GITHUB_REF: 'refs/heads/main', GITHUB_SHA: '1'.repeat(40) };

/** A run that follows another one in the repository 5, with the pull requests that GitHub lists for it. */
function following(facts: object, pulls: readonly object[] = []): object {
  const run = { event: 'pull_request', head_branch: 'changes', head_sha: HEAD, head_repository: { id: 5 } };
  return { repository: { id: 5 }, workflow_run: { ...run, pull_requests: pulls, ...facts } };
}

function listed(number: number, sha = HEAD, base = 5): object {
  const repo = { id: base };
  return { number, head: { ref: 'changes', sha, repo: { id: 5 } }, base: { ref: 'main', sha: BASE, repo } };
}

describe('what is checked and what it is compared with', () => {
  // biome-ignore format: a table
  it.for<[string, unknown, Partial<RunContext>, NodeJS.ProcessEnv?]>([
    ['a pull request',               payload('pull_request'),                                                         { branch: 'changes', eventCommit: HEAD, baseBranch: 'master', baseCommit: BASE, defaultBranch: 'master', isPublic: true, repositoryId: '186853002', pullRequest: expect.objectContaining(PULL) }],
    ['from a fork, named as ours',   payload('pull_request', { 'pull_request.head.repo.id': 99, 'pull_request.head.ref': 'master', 'pull_request.head.label': 'mallory:master' }), { branch: 'mallory:master', pullRequest: expect.objectContaining({ isFork: true }) }],
    ['from a fork, at Gitea',         pullRequestAt('Gitea', { 'pull_request.head.repo.id': 99, 'pull_request.head.ref': 'master', 'pull_request.head.label': 'master' }), { branch: ':master', pullRequest: expect.objectContaining({ isFork: true, url: PAGE_AT.Gitea }) }],
    ['from a fork that was deleted', payload('pull_request', { 'pull_request.head.repo': null, 'pull_request.head.label': 'mallory:changes' }), { branch: 'mallory:changes', pullRequest: expect.objectContaining({ isFork: true }) }],
    ['from nowhere that is named',   payload('pull_request', { 'pull_request.head.repo': null, 'pull_request.base.repo': null }), { pullRequest: expect.objectContaining({ isFork: true }) }],
    ['in a repository that is a fork', payload('pull_request', { 'pull_request.head.repo.fork': true, 'repository.fork': true }), { branch: 'changes', pullRequest: expect.objectContaining({ isFork: false }) }],
    ['by Dependabot',                payload('pull_request', { 'pull_request.user.login': 'dependabot[bot]' }),       { pullRequest: expect.objectContaining({ isFork: false, isDependabot: true }) }],
    ['a merge group',                payload('merge_group'),                                                          { branch: 'gh-readonly-queue/main/pr-104-929f8209d40f77f4abc622a499c93a83babdbe64', baseBranch: 'main', baseCommit: '380387fbc80638b734a49e1be1c4dfec1c01b33c', queuedPullRequest: 104, pullRequest: undefined, eventCommit: HEAD }, { GITHUB_SHA: HEAD }],
    ['a merge group into an odd base', { merge_group: { head_ref: 'refs/heads/gh-readonly-queue/x/pr-1-a/pr-104-929f8209', base_ref: 'refs/heads/x/pr-1-a', base_sha: BASE } }, { baseBranch: 'x/pr-1-a', queuedPullRequest: 104 }],
    ['a push',                       payload('push', {}, 4),                                                          { branch: 'feature/x', baseBranch: undefined, pullRequest: undefined, commit: HEAD, eventCommit: HEAD }, { GITHUB_REF: 'refs/heads/feature/x', GITHUB_SHA: HEAD }],
    ['a tag named as a branch',      payload('push'),                                                                 { branch: 'refs/tags/main' }, { GITHUB_REF: 'refs/tags/main' }],
    ['a dispatch by hand',           payload('workflow_dispatch'),                                                    { branch: 'main', pullRequest: undefined }, MAIN],
    ['a schedule',                   { schedule: '0 4 * * *' },                                                       { branch: 'main', defaultBranch: undefined, isPublic: false }, MAIN],
    ['after a pull request',         following({}, [listed(9, HEAD, 6), listed(8)]),                                  { branch: 'changes', eventCommit: HEAD, baseBranch: 'main', baseCommit: BASE, pullRequest: { ...PULL, number: 8 } }],
    ['after one pushed to since',    following({}, [listed(8, 'f'.repeat(40))]),                                      { eventCommit: HEAD, pullRequest: { ...PULL, number: 8 } }],
    ['after a review',               following({ event: 'pull_request_review' }, [listed(8)]),                        { baseBranch: 'main', pullRequest: { ...PULL, number: 8 } }],
    ['after one that is malformed',  following({}, [{ number: 'x' }]),                                                { followedEvent: 'pull_request', eventCommit: HEAD, pullRequest: { ...PULL, number: undefined } }],
    ['after one of two of a branch', following({}, [listed(8), listed(9)]),                                           { baseBranch: undefined, baseCommit: '1'.repeat(40), pullRequest: { ...PULL, number: undefined } }, MAIN],
    ['after one into a fork only',   following({}, [listed(9, HEAD, 6)]),                                             { baseBranch: undefined, pullRequest: { ...PULL, number: undefined } }],
    ['after one from a fork',        following({ head_branch: 'main', head_repository: { id: 6, owner: { login: 'mallory' } } }), { branch: 'mallory:main', baseCommit: '1'.repeat(40), pullRequest: { ...PULL, number: undefined, isFork: true } }, MAIN],
    ['after one from a deleted fork', following({ head_branch: 'main', head_repository: null }), { branch: expect.stringMatching(/^.*:main$/), baseCommit: '1'.repeat(40), pullRequest: { ...PULL, number: undefined, isFork: true } }, MAIN],
    ['after pull_request_target',    payload('workflow_run', { 'workflow_run.event': 'pull_request_target' }, 2),     { followedEvent: 'pull_request_target' }],
    ['after a push',                 following({ event: 'push', head_branch: 'release' }),                            { branch: 'release', eventCommit: HEAD, pullRequest: undefined }, MAIN],
    ['after a push without a branch', following({ event: 'push', head_branch: null }),                                { branch: 'main', followedEvent: 'push' }, MAIN],
    ['at Gitea, which gives no id',  {},                                                                              { repositoryId: 'acme/site' }, { GITHUB_REPOSITORY_ID: '', GITHUB_REPOSITORY: 'acme/site' }],
    ['a repository of the runner',   { repository: { id: 5 } },                                                       { repositoryId: '7' }, { GITHUB_REPOSITORY_ID: '7' }],
    ['a repository of the payload',  { repository: { id: 5 } },                                                       { repositoryId: '5' }],
    ['a payload that is not JSON',   '{"pull_request":',                                                              { branch: 'main', pullRequest: undefined, isPayloadIncomplete: true }, { ...MAIN, GITHUB_EVENT_NAME: 'pull_request' }],
    ['a payload of other types',     { pull_request: 7, repository: 'x', merge_group: [], workflow_run: null },       { branch: 'main', pullRequest: undefined, isPayloadIncomplete: true }, { ...MAIN, GITHUB_EVENT_NAME: 'workflow_run' }],
    ['a pull request without its part', {},                                                                           { isPayloadIncomplete: true }, { ...MAIN, GITHUB_EVENT_NAME: 'pull_request_target' }],
    ['a merge group without its part', {},                                                                            { isPayloadIncomplete: true }, { ...MAIN, GITHUB_EVENT_NAME: 'merge_group' }],
    ['an event that needs no part',  {},                                                                              { branch: 'main', isPayloadIncomplete: false }, { ...MAIN, GITHUB_EVENT_NAME: 'push' }],
  ])('%s', async ([, event, expected, env], { contextOf }) => {
    expect(await contextOf(event, env)).toMatchObject(expected);
  });
});

describe('the variables of the runner', () => {
  it.for([
    ['acme/site/.github/workflows/media.yml@refs/heads/a@b', 'acme/site', '.github/workflows/media.yml'],
    ['Acme/site/.github/workflows/media.yaml@refs/pull/7/merge', 'acme/Site', '.github/workflows/media.yaml'],
    ['acme/rules/.github/workflows/media.yml@refs/heads/main', 'acme/site', 'acme/rules/.github/workflows/media.yml'],
    ['', 'acme/site', 'Media'],
  ])('the workflow of %s', ([GITHUB_WORKFLOW_REF, GITHUB_REPOSITORY, expected]) => {
    expect(readContext({ GITHUB_WORKFLOW_REF, GITHUB_REPOSITORY, GITHUB_WORKFLOW: 'Media' }).workflow).toBe(expected);
  });

  it.for<[string, boolean]>([
    ['https://github.com', false],
    ['https://acme.ghe.com', false],
    ['http://github.localhost', false],
    ['https://github.acme.example', true],
    ['https://github.com.acme.example', true],
  ])('%s is GHES: %s', ([GITHUB_SERVER_URL, expected]) => {
    expect(readContext({ GITHUB_SERVER_URL }).isGhes).toBe(expected);
  });

  it('each has its own field', () => {
    const env = {
      GITHUB_ACTION: 'gate',
      GITHUB_ACTOR: 'ann',
      GITHUB_API_URL: 'https://git.example/api/v1',
      GITHUB_EVENT_NAME: 'push',
      GITHUB_JOB: 'media',
      GITHUB_REF: 'refs/heads/main',
      GITHUB_REPOSITORY: 'acme/site',
      GITHUB_RUN_ATTEMPT: '3',
      GITHUB_RUN_ID: '42',
      GITHUB_RUN_NUMBER: '9',
      // Gitea's may end in a slash.
      GITHUB_SERVER_URL: 'https://git.example/',
      GITHUB_SHA: HEAD,
      GITHUB_TRIGGERING_ACTOR: 'bob',
      GITHUB_WORKSPACE: '/workspace',
      RUNNER_TEMP: '/temp',
    };
    expect(readContext(env)).toMatchObject({
      step: 'gate',
      actor: 'ann',
      apiUrl: 'https://git.example/api/v1',
      event: 'push',
      job: 'media',
      ref: 'refs/heads/main',
      branch: 'main',
      repository: 'acme/site',
      runAttempt: 3,
      runId: '42',
      runUrl: 'https://git.example/acme/site/actions/runs/42',
      serverUrl: 'https://git.example',
      commit: HEAD,
      workspace: '/workspace',
      temp: '/temp',
    });
    expect(readContext({ ...env, GITHUB_REPOSITORY: '' }).runUrl).toBe('');
    expect(readContext({ ...env, GITHUB_API_URL: '' }).apiUrl).toBe('https://api.github.com');
    expect(readContext({ ...env, RUNNER_TEMP: '' }).temp).toBe(tmpdir());
  });

  it('without any variable every value has a safe default', () => {
    expect(readContext({ GITHUB_EVENT_PATH: '/nowhere/event.json' })).toMatchObject({
      repository: '',
      repositoryId: '',
      branch: '',
      runAttempt: 1,
      runUrl: '',
      serverUrl: 'https://github.com',
      apiUrl: 'https://api.github.com',
      isGhes: false,
    });
  });

  const env = { GITHUB_ACTION_REPOSITORY: 'o/gate', GITHUB_ACTION_REF: 'v1' };
  it.for<[string, NodeJS.ProcessEnv, string | undefined]>([
    ['are those of the version that runs', env, 'https://github.com/o/gate/blob/v1/docs'],
    ['are not known of an action in the repository itself', { ...env, GITHUB_ACTION_REPOSITORY: '' }, undefined],
    ['are not known without a version', { ...env, GITHUB_ACTION_REF: '' }, undefined],
    ['are not known on an Enterprise Server', { ...env, GITHUB_SERVER_URL: 'https://git.example' }, undefined],
  ])('the docs %s', ([, variables, expected]) => {
    expect(readContext(variables).docsUrl).toBe(expected);
  });
});
