import { hash } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { GitHubApi } from '../../src/github/api.ts';
import { listed } from '../builders/github.ts';
import { connect, troubleOf } from '../harness/connect.ts';
import type { Fault } from '../harness/github-model.ts';
import { COMMIT, it } from './fixtures.ts';

describe('pages', () => {
  const FILES = Array.from({ length: 101 }, (_, index) => ({ filename: `${index}.png`, status: 'added' }));
  const NEXT = '<https://elsewhere.example/files?page=2>; rel="next"';

  it('are requested from our own host, wherever a link leads', async ({ connectTo }) => {
    const faults: Fault[] = [];
    const { api, github } = await connectTo({ pulls: { 7: { headSha: COMMIT, files: FILES } }, faults });
    faults.push({ on: '/files', status: 200, headers: { link: NEXT }, body: FILES.slice(0, 1), times: 1 });
    expect((await api.pullRequestFiles(7)).items.map(({ filename }) => filename)).toEqual(['0.png', '100.png']);
    expect(github.requests.map(({ query }) => query['page'])).toEqual(['1', '2']);
  });

  it('are requested after a full one, even without a link', async ({ connectTo }) => {
    const pages = [FILES.slice(0, 100), FILES.slice(100)];
    const faults = pages.map((body) => ({ on: '/files', status: 200, body, times: 1 }));
    const { api } = await connectTo({ faults });
    expect(await api.pullRequestFiles(7)).toEqual({ items: FILES, isCut: false });
  });

  it.for<[string, (api: GitHubApi) => Promise<unknown>]>([
    ['changed files', async (api) => await api.pullRequestFiles(7)],
    ['comments', async (api) => await api.comments(7)],
  ])('end after 30, even if each links to itself: %s', async ([, list], { connectTo }) => {
    const { api, github } = await connectTo({ faults: [{ on: '/', status: 200, headers: { link: NEXT }, body: [] }] });
    expect(await list(api)).toEqual({ items: [], isCut: true });
    expect(github.requests).toHaveLength(30);
  });
});

it('a comment may be without an account or a text', async ({ connectTo }) => {
  const body = [{ id: 5, user: null, body: null }];
  const { api } = await connectTo({ faults: [{ on: '/comments', status: 200, body }] });
  expect(await api.comments(7)).toEqual({ items: body, isCut: false });
});

it('a file is read at a commit, whatever its path, and is undefined if it is missing', async ({ connectTo }) => {
  const path = 'rules/waivers & more?#ä.yml';
  const { api } = await connectTo({ contents: { [`${COMMIT}:${path}`]: 'rule: AD-17 ✓\n' } });
  expect(await api.textAt(path, COMMIT)).toBe('rule: AD-17 ✓\n');
  expect(await api.textAt('waivers.yml', COMMIT)).toBeUndefined();
});

it('a pull request says whether it is merged', async ({ connectTo }) => {
  const { api } = await connectTo({
    pulls: { 7: { headSha: COMMIT }, 8: { headSha: COMMIT, mergedAt: '2026-01-02T03:04:05Z' } },
    pullsOf: { [COMMIT]: [7, 8] },
  });
  expect((await api.pullRequestsOf(COMMIT)).map(({ isMerged }) => isMerged)).toEqual([false, true]);
  expect(await api.pullRequest(8)).toMatchObject({ headSha: COMMIT, baseBranch: 'master', isMerged: true });
});

it('artifacts are listed by their exact name, and say whether they are our own', async ({ connectTo }) => {
  const artifact = { name: 'gate-state', size_in_bytes: 12, expired: false, created_at: '2026-01-02T03:04:05Z' };
  const own = { repository_id: 1, head_repository_id: 1 };
  const { api } = await connectTo({
    artifacts: [
      { ...artifact, id: 1, workflow_run: { ...own, id: 42, head_branch: 'main', head_sha: 'ba5e' } },
      { ...artifact, id: 2, workflow_run: { ...own, id: 43, head_repository_id: 2 } },
      { ...artifact, id: 3, workflow_run: null },
      { ...artifact, id: 4, name: 'other' },
      { ...artifact, id: 5, workflow_run: { id: 44 } },
      { ...artifact, id: 6, workflow_run: own },
      { ...artifact, id: 7, workflow_run: { ...own, id: 45 }, expired: true },
    ],
  });
  const facts = { id: 1, isExpired: false };
  const { items: found } = await api.artifacts('gate-state', 1);
  expect(new Set(found.map(({ id }) => id))).toEqual(new Set([1, 2, 3, 5, 6, 7]));
  expect(found.filter(({ isOfRepository }) => isOfRepository).toSorted((a, b) => a.id - b.id)).toMatchObject([
    { ...facts, runId: '42', branch: 'main', commit: 'ba5e' },
    { id: 7, isExpired: true },
  ]);
});

/** An archive of this size: zeros, and the end of a ZIP archive. */
function zipOf(bytes: number): Uint8Array {
  const archive = new Uint8Array(bytes);
  archive.set([0x50, 0x4b, 0x05, 0x06], bytes - 22);
  return archive;
}

it('an archive that is larger than any state is not read to its end', async ({ connectTo }) => {
  const { api } = await connectTo({ archives: { 3: zipOf(80 * 1024 * 1024) } });
  expect((await api.artifactArchive(listed(3, { isOfRepository: false })))?.length).toBeLessThan(72 * 1024 * 1024);
});

const [WHOLE, PAGE] = [zipOf(100), Buffer.from('<h1>Please log in.</h1>')];
const digestOf = (bytes: Uint8Array): string => `sha256:${hash('sha256', bytes)}`;

it.for<[string, Uint8Array, string | undefined, 'read' | 'damaged']>([
  ['an archive', WHOLE, digestOf(WHOLE), 'read'],
  ['a page that was uploaded as it is', PAGE, digestOf(PAGE), 'read'],
  ['half of an archive', WHOLE.subarray(0, 50), digestOf(WHOLE), 'damaged'],
  ['one other byte', WHOLE.with(7, 1), digestOf(WHOLE), 'damaged'],
  ['an archive without a digest', WHOLE, undefined, 'read'],
])('a download: %s', async ([, bytes, digest, outcome], { connectTo }) => {
  const { api, github } = await connectTo({ archives: { 3: bytes } });
  // The artifact of a fork may be any file.
  expect(await api.artifactArchive(listed(3, { isOfRepository: false, digest }))).toHaveLength(bytes.length);
  const reading = api.artifactArchive(listed(3, { digest }));
  if (outcome === 'read') {
    expect(await reading).toHaveLength(bytes.length);
    return;
  }
  const { trouble, message } = await troubleOf(reading);
  expect(trouble).toBe('outage');
  expect(message).toContain('the artifact x of run 3');
  expect(message).toContain(`its digest is ${digest}, but what arrived has ${digestOf(bytes)}`);
  expect(github.asked.filter((line) => line === 'GET /storage/3')).toHaveLength(1 + 3);
});

it.for([
  ['with a page', '<h1>Not here</h1>'],
  ['without a word', ''],
] as const)('an artifact is deleted if GitHub says so, not if its storage does %s', async ([, body], { connectTo }) => {
  const faults: Fault[] = [{ on: '/storage/', status: 404, body }];
  const { api, github } = await connectTo({ archives: { 3: WHOLE }, faults });
  expect(await api.artifactArchive(listed(4))).toBeUndefined();
  const { trouble, message, fix } = await troubleOf(api.artifactArchive(listed(3)));
  const storage = `localhost:${new URL(github.url).port}`;
  expect([trouble, message, fix]).toEqual([
    'outage',
    expect.stringContaining(`${storage} responded with 404`),
    expect.stringContaining('Re-run the job'),
  ]);
});

it.for([
  ['', 'POST /graphql'],
  ['/api/v3', 'POST /api/graphql'],
])('the account of the token, at an API below "%s"', async ([path, asked], { startGitHub }) => {
  const github = await startGitHub({ login: 'gatekeeper[bot]' });
  expect(await connect(github, { apiUrl: github.url + path }).tokenLogin()).toBe('gatekeeper[bot]');
  expect(github.asked).toEqual([asked]);
});
