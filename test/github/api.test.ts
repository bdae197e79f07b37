import { describe, expect, it } from 'vitest';
import { connect, troubleOf } from '../harness/connect.ts';
import { startGitHub } from '../harness/github-server.ts';

const COMMIT = 'c'.repeat(40);

function files(count: number): { filename: string; status: string }[] {
  return Array.from({ length: count }, (_, index) => ({ filename: `media/${index}.png`, status: 'added' }));
}

it.each([
  [101, 101, 2],
  [3_001, 3_000, 30],
])('a list of %i changed files is read to the end, at most 3,000', async (existing, listed, requests) => {
  await using github = await startGitHub({ pulls: { 7: { headSha: COMMIT, files: files(existing) } } });
  const found = await connect(github).pullRequestFiles(7);
  expect(new Set(found.map(({ filename }) => filename)).size).toBe(listed);
  expect(github.requests).toHaveLength(requests);
});

describe('responses', () => {
  it('a file at a commit, with any characters in its path', async () => {
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
    ['a directory', [{ type: 'file', name: 'a' }]],
    ['a submodule', { type: 'submodule', size: 0 }],
    ['too large', { type: 'file', encoding: 'none', content: '' }],
  ])('%s instead of a file', async (_, content) => {
    await using github = await startGitHub({ contents: { [`${COMMIT}:x`]: content } });
    const error = await troubleOf(connect(github).textAt('x', COMMIT));
    expect(error.trouble).toBe('refused');
    expect(error.message).toContain('it is not a file of less than 1 MB');
  });

  it('pull requests, with forks recognised', async () => {
    await using github = await startGitHub({
      pulls: {
        7: { headSha: COMMIT, headRef: 'main', headLabel: 'mallory:main', headRepositoryId: 99 },
        8: { headSha: COMMIT, headRef: 'changes', mergedAt: '2026-01-02T03:04:05Z' },
        9: { headSha: COMMIT, headRef: 'gone', headLabel: 'mallory:gone', headRepositoryId: null },
      },
      pullsOf: { [COMMIT]: [7, 8, 9] },
    });
    const api = connect(github);
    const found = await api.pullRequestsOf(COMMIT);
    expect(found.map(({ number, branch, isFork, isMerged }) => [number, branch, isFork, isMerged])).toEqual([
      [7, 'mallory:main', true, false],
      [8, 'changes', false, true],
      [9, 'mallory:gone', true, false],
    ]);
    expect(await api.pullRequest(8)).toMatchObject({ headSha: COMMIT, branch: 'changes', baseBranch: 'main' });
  });

  it('artifacts by their exact name, without those of forks', async () => {
    const artifact = { name: 'gate-state', size_in_bytes: 12, expired: false, created_at: '2026-01-02T03:04:05Z' };
    await using github = await startGitHub({
      artifacts: [
        {
          ...artifact,
          id: 1,
          workflow_run: { id: 42, repository_id: 1, head_repository_id: 1, head_branch: 'main', head_sha: 'ba5e' },
        },
        { ...artifact, id: 2, workflow_run: { id: 43, repository_id: 1, head_repository_id: 2 } },
        { ...artifact, id: 3, workflow_run: null },
        { ...artifact, id: 4, name: 'other' },
        { ...artifact, id: 5, workflow_run: { id: 44 } },
        { ...artifact, id: 6, workflow_run: { repository_id: 1, head_repository_id: 1 } },
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
        headBranch: 'main',
        headSha: 'ba5e',
        isOwn: true,
      },
    ]);
  });

  it('of 1,235 artifacts of a name the first three pages', async () => {
    const artifacts = Array.from({ length: 1_235 }, (_, id) => ({
      id,
      name: 'gate-state',
      size_in_bytes: 12,
      expired: false,
      created_at: '2026-01-02T03:04:05Z',
      workflow_run: { repository_id: 1, head_repository_id: 1, id: id + 1 },
    }));
    await using github = await startGitHub({ artifacts });
    expect(new Set((await connect(github).artifacts('gate-state')).map(({ id }) => id)).size).toBe(300);
    expect(github.requests).toHaveLength(3);
  });

  it('the archive of an artifact, without sending the token to the storage', async () => {
    const archive = Uint8Array.from([0x50, 0x4b, 0x05, 0x06, 0xff, 0x00]);
    await using github = await startGitHub({ archives: { 3: archive } });
    expect(new Uint8Array((await connect(github).artifactArchive(3)) ?? [])).toEqual(archive);
    expect(github.asked).toEqual(['GET /repos/acme/campaigns/actions/artifacts/3/zip', 'GET /storage/3']);
    expect(github.requests[1]?.headers.authorization).toBeUndefined();
    expect((await troubleOf(connect(github).artifactArchive(4))).trouble).toBe('not-found');
  });

  it('the account of the token, also on GitHub Enterprise Server', async () => {
    await using github = await startGitHub({ login: 'gatekeeper[bot]' });
    expect(await connect(github).ownLogin()).toBe('gatekeeper[bot]');
    expect(await connect(github, { apiUrl: `${github.url}/api/v3` }).ownLogin()).toBe('gatekeeper[bot]');
    expect(github.asked).toEqual(['POST /graphql', 'POST /api/graphql']);
  });
});
