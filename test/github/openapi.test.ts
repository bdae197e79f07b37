import { expect } from 'vitest';
import type { GitHubApi } from '../../src/github/api.ts';
import { connect, troubleOf } from '../harness/connect.ts';
import { startGitHub } from '../harness/github-server.ts';
import { OPERATIONS } from '../harness/openapi.ts';
import { COMMIT, it } from './fixtures.ts';

it('what GitHub would not do fails the test: a request and a response', async () => {
  const github = await startGitHub({ artifacts: [{ name: 'media', size: 12 }] });
  await fetch(`${github.url}/repos/acme/campaigns/pulls/7/files?per_page=1000`);
  await troubleOf(connect(github).artifacts('media', 1));
  await expect(github[Symbol.asyncDispose]()).rejects.toThrow(/per_page must be <= 100[^]*"additionalProperty":"size"/);
});

const PULL = { number: 1347, branch: 'new-topic', baseBranch: 'master' };

it.for<[string, (api: GitHubApi) => Promise<unknown>, unknown]>([
  ['pulls/{pull_number}', async (api) => await api.pullRequest(7), { ...PULL, isMerged: true }],
  ['pulls/{pull_number}/files', async (api) => (await api.pullRequestFiles(7)).items, [{ filename: 'file1.txt' }]],
  ['commits/{commit_sha}/pulls', async (api) => await api.pullRequestsOf(COMMIT), [PULL]],
  ['git/commits/{commit_sha}', async (api) => await api.parentsOf(COMMIT), [expect.stringMatching(/^1acc419/)]],
  ['issues/{issue_number}/comments', async (api) => (await api.comments(7)).items, [{ id: 1, body: 'Me too' }]],
  ['actions/artifacts', async (api) => (await api.artifacts('Rails', 1)).items, [{ size: 556 }, { size: 453 }]],
  ['contents/{path}', async (api) => await api.textAt('README.md', COMMIT), expect.stringMatching(/^# Yoga/)],
])("GitHub's own example is read: %s", async ([path, read, expected], { connectTo }) => {
  const body = OPERATIONS[`GET /repos/{owner}/{repo}/${path}`]?.responses['200']?.examples?.[0];
  const { api } = await connectTo({ faults: [{ on: 'GET', status: 200, body }] });
  expect({ found: await read(api) }).toMatchObject({ found: expected });
});
