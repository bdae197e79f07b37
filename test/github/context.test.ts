import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunContext, readContext } from '../../src/github/context.ts';
import { payload } from '../harness/payloads.ts';

const HEAD = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';
const BASE = 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gate-context-'));
});
afterAll(async () => await rm(folder, { recursive: true }));

let files = 0;
async function contextOf(event: unknown, env: NodeJS.ProcessEnv = {}): Promise<RunContext> {
  files += 1;
  const file = path.join(folder, `${files}.json`);
  await writeFile(file, typeof event === 'string' ? event : JSON.stringify(event));
  return readContext({ GITHUB_EVENT_PATH: file, ...env });
}

describe('what is checked and what it is compared with', () => {
  it.each([
    {
      title: 'a pull request',
      event: payload('pull_request'),
      expected: {
        branch: 'changes',
        baseBranch: 'master',
        baseCommit: BASE,
        defaultBranch: 'master',
        isPublic: true,
        repositoryId: '186853002',
        pullRequest: { number: 2, headSha: HEAD, isFork: false, isDependabot: false },
      },
    },
    {
      title: 'a pull request from a fork whose branch has the name of ours',
      event: payload('pull_request', {
        'pull_request.head.repo.id': 99,
        'pull_request.head.ref': 'master',
        'pull_request.head.label': 'mallory:master',
      }),
      expected: { branch: 'mallory:master', pullRequest: expect.objectContaining({ isFork: true }) },
    },
    {
      title: 'a pull request from a fork that was deleted',
      event: payload('pull_request', { 'pull_request.head.repo': null, 'pull_request.head.label': 'mallory:changes' }),
      expected: { branch: 'mallory:changes', pullRequest: expect.objectContaining({ isFork: true }) },
    },
    {
      title: 'a pull request inside a repository that is itself a fork',
      event: payload('pull_request', { 'pull_request.head.repo.fork': true, 'repository.fork': true }),
      expected: { branch: 'changes', pullRequest: expect.objectContaining({ isFork: false }) },
    },
    {
      title: 'a pull request by Dependabot',
      event: payload('pull_request', { 'pull_request.user.login': 'dependabot[bot]' }),
      expected: { pullRequest: expect.objectContaining({ isFork: false, isDependabot: true }) },
    },
    {
      title: 'a merge group',
      event: payload('merge_group'),
      expected: {
        branch: 'gh-readonly-queue/main/pr-104-929f8209d40f77f4abc622a499c93a83babdbe64',
        baseBranch: 'main',
        baseCommit: '380387fbc80638b734a49e1be1c4dfec1c01b33c',
        queuedPullRequest: 104,
        pullRequest: undefined,
      },
    },
    {
      title: 'a push to a branch',
      event: payload('push', {}, 4),
      env: { GITHUB_REF: 'refs/heads/feature/x', GITHUB_SHA: HEAD },
      expected: { branch: 'feature/x', baseBranch: undefined, pullRequest: undefined, commit: HEAD },
    },
    {
      title: 'a push of a tag: not the branch of that name',
      event: payload('push'),
      env: { GITHUB_REF: 'refs/tags/main' },
      expected: { branch: 'refs/tags/main' },
    },
    {
      title: 'a dispatch by hand',
      event: payload('workflow_dispatch'),
      env: { GITHUB_REF: 'refs/heads/main' },
      expected: { branch: 'main', pullRequest: undefined },
    },
    {
      title: 'a schedule',
      event: { schedule: '0 4 * * *' },
      env: { GITHUB_REF: 'refs/heads/main' },
      expected: { branch: 'main', defaultBranch: undefined, isPublic: false },
    },
    {
      title: 'a run that follows a pull request of ours',
      event: payload(
        'workflow_run',
        { 'workflow_run.event': 'pull_request', 'workflow_run.head_branch': 'changes', 'repository.id': 186853002 },
        2,
      ),
      env: { GITHUB_REF: 'refs/heads/master', GITHUB_SHA: '1'.repeat(40) },
      expected: {
        baseBranch: 'master',
        baseCommit: BASE,
        pullRequest: expect.objectContaining({ number: 2, headSha: '3484a3fb816e0859fd6e1cea078d76385ff50625' }),
      },
    },
    {
      title: 'a run that follows pull_request_target',
      event: payload('workflow_run', { 'workflow_run.event': 'pull_request_target' }, 2),
      expected: { followedEvent: 'pull_request_target' },
    },
    {
      title: "a run that follows a fork's pull request: no number, and the default branch's commit to trust",
      event: payload('workflow_run', {
        'workflow_run.event': 'pull_request',
        'workflow_run.head_branch': 'main',
        'workflow_run.head_repository.owner.login': 'mallory',
      }),
      env: { GITHUB_REF: 'refs/heads/main', GITHUB_SHA: '1'.repeat(40) },
      expected: {
        branch: 'mallory:main',
        baseCommit: '1'.repeat(40),
        pullRequest: {
          number: undefined,
          headSha: '5779607b49aab1200488439f02372c57b4f75444',
          isFork: true,
          isDependabot: false,
        },
      },
    },
    {
      title: 'a run that follows a pull request of the same branch into somebody else',
      event: payload('workflow_run', { 'workflow_run.event': 'pull_request' }, 2),
      expected: {
        branch: 'master',
        baseBranch: undefined,
        pullRequest: expect.objectContaining({ number: undefined }),
      },
    },
    {
      title: 'a run that follows a push',
      event: payload('workflow_run', { 'workflow_run.event': 'push', 'workflow_run.head_branch': 'release' }, 2),
      env: { GITHUB_REF: 'refs/heads/master' },
      expected: { branch: 'release', pullRequest: undefined },
    },
  ])('$title', async ({ event, env, expected }) => {
    expect(await contextOf(event, env)).toMatchObject(expected);
  });

  it.each([
    ['the variable of the runner', { repository: { id: 5 } }, { GITHUB_REPOSITORY_ID: '7' }, '7'],
    ['the payload', { repository: { id: 5 } }, {}, '5'],
    ['nothing', {}, {}, ''],
  ])('the repository is known by %s', async (_, event, env, expected) => {
    expect((await contextOf(event, env)).repositoryId).toBe(expected);
  });

  it.each([
    [{ visibility: 'public' }, true],
    [{ private: false }, true],
    [{ visibility: 'internal', private: true }, false],
    [{}, false],
  ])('a repository with %j is public: %s', async (facts, expected) => {
    expect((await contextOf({ repository: { id: 5, ...facts } })).isPublic).toBe(expected);
  });

  it.each([
    ['its own repository', { id: 5 }, { id: 5 }, null, false],
    ['the repository of the event, if the base has none', { id: 5 }, null, { id: 5 }, false],
    ['another repository', { id: 6 }, null, { id: 5 }, true],
    ['a fork that is gone', null, { id: 5 }, { id: 5 }, true],
  ])('a pull request from %s', async (_, headRepository, baseRepository, repository, isFork) => {
    const context = await contextOf({
      repository,
      pull_request: {
        number: 1,
        user: { login: 'ann' },
        head: { ref: 'changes', sha: HEAD, repo: headRepository },
        base: { ref: 'main', sha: BASE, repo: baseRepository },
      },
    });
    expect(context).toMatchObject({ branch: isFork ? 'ann:changes' : 'changes', pullRequest: { isFork } });
  });

  it('a run that follows one without a branch is on its own branch', async () => {
    const run = { event: 'push', head_branch: null, head_sha: HEAD, head_repository: { id: 5 } };
    const context = await contextOf({ repository: { id: 5 }, workflow_run: run }, { GITHUB_REF: 'refs/heads/main' });
    expect(context).toMatchObject({ branch: 'main', followedEvent: 'push' });
  });

  it('a run that follows a pull request is compared with its base, and is about its own commit', async () => {
    const pull = {
      number: 8,
      head: { ref: 'changes', sha: '2'.repeat(40), repo: { id: 5 } },
      base: { ref: 'main', sha: BASE, repo: { id: 5 } },
    };
    const run = {
      event: 'pull_request_target',
      head_branch: 'changes',
      head_sha: HEAD,
      head_repository: { id: 5 },
      pull_requests: [{ ...pull, number: 9, base: { ...pull.base, repo: { id: 6 } } }, pull],
    };
    expect(await contextOf({ repository: { id: 5 }, workflow_run: run }, { GITHUB_SHA: '1'.repeat(40) })).toMatchObject(
      {
        baseBranch: 'main',
        baseCommit: BASE,
        pullRequest: { number: 8, headSha: HEAD, isFork: false },
      },
    );
  });

  it('takes the listed pull request that has the commit of the run', async () => {
    const base = { ref: 'master', sha: BASE, repo: { id: 300029405 } };
    const other = { number: 8, head: { ref: 'changes', sha: '2'.repeat(40), repo: { id: 300029405 } }, base };
    const event = payload(
      'workflow_run',
      {
        'workflow_run.event': 'pull_request',
        'workflow_run.head_sha': HEAD,
        'workflow_run.pull_requests': [other, { ...other, number: 9, head: { ...other.head, sha: HEAD } }],
      },
      2,
    );
    expect((await contextOf(event)).pullRequest?.number).toBe(9);
  });
});

describe('an unexpected payload', () => {
  it.each([
    { title: 'not JSON', event: '{"pull_request":' },
    { title: 'not an object', event: '[]' },
    { title: 'other types', event: { pull_request: 7, repository: 'x', merge_group: [], workflow_run: null } },
  ])('$title: the run continues with the variables of the runner', async ({ event }) => {
    const context = await contextOf(event, { GITHUB_REF: 'refs/heads/main', GITHUB_REPOSITORY: 'a/b' });
    expect(context).toMatchObject({ branch: 'main', repository: 'a/b', pullRequest: undefined });
  });

  it('loses only the part that cannot be read', async () => {
    const context = await contextOf(
      payload('pull_request', { 'repository.default_branch': 7, 'pull_request.user': null }),
    );
    expect(context).toMatchObject({ defaultBranch: undefined, isPublic: true, pullRequest: { number: 2 } });
  });

  it('is empty if there is no file', () => {
    expect(readContext({ GITHUB_EVENT_PATH: '/nowhere/event.json' }).pullRequest).toBeUndefined();
  });
});

describe('the variables of the runner', () => {
  it.each([
    ['acme/site/.github/workflows/media.yml@refs/heads/a@b', 'acme/site', '.github/workflows/media.yml'],
    ['Acme/Site/.github/workflows/media.yaml@refs/pull/7/merge', 'acme/site', '.github/workflows/media.yaml'],
    ['acme/rules/.github/workflows/media.yml@refs/heads/main', 'acme/site', 'acme/rules/.github/workflows/media.yml'],
    ['', 'acme/site', 'Media'],
  ])('the workflow of %s', (GITHUB_WORKFLOW_REF, GITHUB_REPOSITORY, expected) => {
    expect(readContext({ GITHUB_WORKFLOW_REF, GITHUB_REPOSITORY, GITHUB_WORKFLOW: 'Media' }).workflow).toBe(expected);
  });

  it.each([
    ['https://github.com', false],
    ['https://acme.ghe.com', false],
    ['https://github.localhost', false],
    ['https://github.acme.example', true],
    ['https://github.com.acme.example', true],
  ])('%s is GHES: %s', (GITHUB_SERVER_URL, expected) => {
    expect(readContext({ GITHUB_SERVER_URL }).isGhes).toBe(expected);
  });

  it('job, step, attempt and addresses', () => {
    const context = readContext({
      GITHUB_ACTOR: 'ann',
      GITHUB_JOB: 'gate',
      GITHUB_ACTION: '__self',
      GITHUB_RUN_ID: '42',
      GITHUB_RUN_ATTEMPT: '3',
      GITHUB_REPOSITORY: 'acme/site',
      GITHUB_SERVER_URL: 'https://ghes.example',
      GITHUB_API_URL: 'https://ghes.example/api/v3',
      GITHUB_WORKSPACE: '/checkout',
    });
    expect(context).toMatchObject({
      actor: 'ann',
      job: 'gate',
      step: '__self',
      runAttempt: 3,
      runUrl: 'https://ghes.example/acme/site/actions/runs/42',
      apiUrl: 'https://ghes.example/api/v3',
      workspace: '/checkout',
    });
  });

  it('without any variable every value has a safe default', () => {
    expect(readContext({})).toMatchObject({
      repository: '',
      branch: '',
      runAttempt: 1,
      runUrl: '',
      serverUrl: 'https://github.com',
      apiUrl: 'https://api.github.com',
      isGhes: false,
    });
  });
});

describe("the action's own pages", () => {
  const env = { GITHUB_ACTION_REPOSITORY: 'o/gate', GITHUB_ACTION_REF: 'v1' };
  it.each([
    ['in the version that runs', env, 'https://github.com/o/gate/blob/v1/docs'],
    ['not known of an action in the repository itself', { ...env, GITHUB_ACTION_REPOSITORY: '' }, undefined],
    ['not known without a version', { ...env, GITHUB_ACTION_REF: '' }, undefined],
    ['not known on an Enterprise Server', { ...env, GITHUB_SERVER_URL: 'https://git.example' }, undefined],
  ])('%s', (_, variables, expected) => {
    expect(readContext(variables).docsUrl).toBe(expected);
  });
});
