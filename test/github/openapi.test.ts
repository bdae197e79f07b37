import { describe, expect, it } from 'vitest';
import type { GitHubApi } from '../../src/github/api.ts';
import { connect, troubleOf } from '../harness/connect.ts';
import { type GitHubModel, startGitHub } from '../harness/github-server.ts';
import { OPERATIONS, problemsOfRequest } from '../harness/openapi.ts';

const COMMIT = 'c'.repeat(40);
const REPOSITORY = '/repos/acme/campaigns';

describe('what GitHub would not do fails the test', () => {
  it.each([
    ['a request', 'GET', '/pulls/7/files?per_page=1000', undefined, '/query/per_page must be <= 100'],
    ['an unknown parameter', 'GET', '/actions/artifacts?branch=main', undefined, '"additionalProperty":"branch"'],
    ['a field of another name', 'POST', '/issues/7/comments', { text: 'x' }, '"missingProperty":"body"'],
  ])('%s', (_, method, path, body, problem) => {
    expect(problemsOfRequest({ method, url: REPOSITORY + path, body }).join('\n')).toContain(problem);
  });

  it('a request and a response', async () => {
    const github = await startGitHub({ artifacts: [{ name: 'media', size: 12 }] });
    await fetch(`${github.url}${REPOSITORY}/pulls/7/files?per_page=1000`);
    await troubleOf(connect(github).artifacts('media'));
    await expect(github[Symbol.asyncDispose]()).rejects.toThrow(
      /per_page must be <= 100[^]*"additionalProperty":"size"/,
    );
  });
});

describe("GitHub's own examples are read", () => {
  it.each<[string, (api: GitHubApi) => Promise<unknown>, unknown]>([
    [
      'pulls/{pull_number}',
      async (api) => await api.pullRequest(7),
      { number: 1347, branch: 'new-topic', baseBranch: 'master', isMerged: true },
    ],
    [
      'pulls/{pull_number}/files',
      async (api) => await api.pullRequestFiles(7),
      [{ filename: 'file1.txt', status: 'added' }],
    ],
    [
      'commits/{commit_sha}/pulls',
      async (api) => await api.pullRequestsOf(COMMIT),
      [{ number: 1347, branch: 'new-topic', baseBranch: 'master' }],
    ],
    [
      'git/commits/{commit_sha}',
      async (api) => await api.parentsOf(COMMIT),
      ['1acc419d4d6a9ce985db7be48c6349a0475975b5'],
    ],
    [
      'issues/{issue_number}/comments',
      async (api) => await api.comments(7),
      [{ id: 1, body: 'Me too', user: { login: 'octocat' } }],
    ],
    [
      'actions/artifacts',
      async (api) => await api.artifacts('Rails'),
      [
        { name: 'Rails', size: 556 },
        { name: 'Test output', size: 453 },
      ],
    ],
    ['contents/{path}', async (api) => await api.textAt('README.md', COMMIT), expect.stringMatching(/^# Yoga/)],
  ])('%s', async (path, read, expected) => {
    await using github = await startGitHub(answering(examplesOf(path)[0]));
    const found = await read(connect(github));
    expect({ found }).toMatchObject({ found: expected });
  });
});

function answering(body: unknown): GitHubModel {
  return { faults: [{ on: 'GET', status: 200, body }] };
}

function examplesOf(path: string): readonly unknown[] {
  return OPERATIONS[`GET /repos/{owner}/{repo}/${path}`]?.answers['200']?.examples ?? [];
}
