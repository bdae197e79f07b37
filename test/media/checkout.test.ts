import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GitHubError } from '../../src/github/github-error.ts';
import { GateError } from '../../src/lib/cause.ts';
import { assertHeadCheckedOut } from '../../src/media/checkout.ts';
import { git, makePullRequest, type PullRequestCommits } from '../harness/git.ts';

let folder: string;
let root: string;
let commits: PullRequestCommits;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gate-checkout-'));
  root = path.join(folder, 'repository');
  commits = await makePullRequest(root, { 'media/a.png': 'a' }, { 'media/b.png': 'b' });
});
afterAll(async () => await rm(folder, { recursive: true }));

let clones = 0;
async function cloneAt(ref: string): Promise<string> {
  clones += 1;
  const target = path.join(folder, `workspace-${clones}`);
  await git(folder, 'clone', '--quiet', root, target);
  await git(target, 'checkout', '--quiet', ref);
  return target;
}

interface Case {
  readonly searchRoot: string;
  readonly event?: string;
  readonly parentsOf?: (commit: string) => Promise<readonly string[]>;
}

async function parentsOf(commit: string): Promise<readonly string[]> {
  const [, ...parents] = (await git(root, 'rev-list', '--parents', '-n1', commit)).split(' ');
  return parents;
}

async function notFound(): Promise<never> {
  throw new GitHubError('read the commit', { trouble: 'not-found', problem: 'GitHub answered', fix: 'Do something.' });
}

/** Reason, message and fix of the error, or "fine", for a pull request with the secrets of the base. */
async function verdictOf({ searchRoot, event = 'pull_request_target', ...api }: Case): Promise<string> {
  const pullRequest = { number: 7, isFork: true, isDependabot: false, headSha: commits.head };
  const run = { event, followedEvent: undefined, followedCommit: undefined, searchRoot, pullRequest };
  try {
    await assertHeadCheckedOut(run, { parentsOf, ...api });
    return 'fine';
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    return error.causes.map(({ reason, message, fix }) => `${reason}: ${message} ${fix}`).join('\n');
  }
}

it('is checked at a branch of the pull request, loose and packed', async () => {
  const searchRoot = await cloneAt('changes');
  expect(await verdictOf({ searchRoot })).toBe('fine');
  await git(searchRoot, 'pack-refs', '--all');
  expect(await verdictOf({ searchRoot })).toBe('fine');
});

it.each([
  ['another head and its base', ['b', 'x']],
  ['the head before the base', ['h', 'b']],
  ['three parents', ['b', 'h', 'x']],
  ['one', ['h']],
  ['none', []],
])('a commit with %s is not its merge', async (_, names) => {
  const parents = names.map((name) => (name === 'h' ? commits.head : name.repeat(40)));
  const message = await verdictOf({ searchRoot: await cloneAt('main'), parentsOf: async () => parents });
  expect(message).toMatch(/^checkout: .*neither the head of the pull request/);
});

it('is not checked if GitHub does not know the commit', async () => {
  const message = await verdictOf({ searchRoot: await cloneAt(commits.merge), parentsOf: notFound });
  expect(message).toContain('Could not read the commit');
});

it.each(['', 'nonsense', 'ref: refs/heads/none'])('is not checked if HEAD is %j', async (head) => {
  const searchRoot = await cloneAt(commits.head);
  await writeFile(path.join(searchRoot, '.git/HEAD'), head);
  expect(await verdictOf({ searchRoot })).toMatch(/not the root of a Git checkout.*`working-directory`/);
});

it('is not checked in a folder of the checkout, or in a submodule', async () => {
  const searchRoot = await cloneAt(commits.head);
  await git(searchRoot, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', root, 'library');
  for (const place of ['media', 'library']) {
    expect(await verdictOf({ searchRoot: path.join(searchRoot, place) })).toContain('not the root of a Git checkout');
  }
});

it.each(['pull_request', 'push', 'merge_group', 'schedule'])('%s: any checkout is accepted', async (event) => {
  expect(await verdictOf({ searchRoot: await cloneAt('main'), event })).toBe('fine');
});
