import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GitHubError } from '../../src/github/github-error.ts';
import { GateError } from '../../src/lib/cause.ts';
import { assertHeadCheckedOut, isRepositoryRoot } from '../../src/media/checkout.ts';
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
  readonly followedEvent?: string;
  readonly followedCommit?: string;
  readonly headSha?: string | undefined;
  readonly parentsOf?: (commit: string) => Promise<readonly string[]>;
}

async function parentsOf(commit: string): Promise<readonly string[]> {
  const [, ...parents] = (await git(root, 'rev-list', '--parents', '-n1', commit)).split(' ');
  return parents;
}

/** A GitHub that does not know the commit. */
function refusing(trouble: 'not-found' | 'permission'): () => Promise<never> {
  return async () => {
    throw new GitHubError('read the commit', { trouble, problem: 'GitHub answered', fix: 'Do something.' });
  };
}

/** Reason, message and fix of the error, or "fine". */
async function verdictOf({ searchRoot, event = 'pull_request_target', ...rest }: Case): Promise<string> {
  const headSha = 'headSha' in rest ? rest.headSha : commits.head;
  const pullRequest = headSha === undefined ? undefined : { number: 7, isFork: true, isDependabot: false, headSha };
  const { followedEvent, followedCommit } = rest;
  try {
    await assertHeadCheckedOut(
      { event, followedEvent, followedCommit, searchRoot, pullRequest },
      { parentsOf: rest.parentsOf ?? parentsOf },
    );
    return 'fine';
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    return error.causes.map(({ reason, message, fix }) => `${reason}: ${message} ${fix}`).join('\n');
  }
}

describe('a pull request with the secrets of the base', () => {
  it('is checked at its head, at its merge and at a branch of it, loose and packed', async () => {
    for (const ref of [commits.head, commits.merge, 'changes']) {
      const searchRoot = await cloneAt(ref);
      expect(await verdictOf({ searchRoot })).toBe('fine');
      await git(searchRoot, 'pack-refs', '--all');
      expect(await verdictOf({ searchRoot })).toBe('fine');
    }
  });

  it('is not checked with the base', async () => {
    const message = await verdictOf({ searchRoot: await cloneAt('main') });
    expect(message).toMatch(/^checkout: /);
    expect(message).toContain(`holds commit ${commits.base.slice(0, 7)}`);
    expect(message).toContain(`head of the pull request (${commits.head.slice(0, 7)})`);
    expect(message).toContain('ref: ${{ github.event.pull_request.head.sha }}` and `allow-unsafe-pr-checkout: true`');
  });

  it('is not checked with the merge of another head', async () => {
    const searchRoot = await cloneAt(commits.merge);
    expect(await verdictOf({ searchRoot, headSha: '1'.repeat(40) })).toContain('neither the head');
  });

  it.each([
    ['the head before the base', ['h', 'b']],
    ['three parents', ['b', 'h', 'x']],
    ['one', ['h']],
    ['none', []],
  ])('a commit with %s is not its merge', async (_, names) => {
    const parents = names.map((name) => (name === 'h' ? commits.head : name.repeat(40)));
    expect(await verdictOf({ searchRoot: await cloneAt('main'), parentsOf: async () => parents })).toContain('neither');
  });

  it('is not checked if GitHub does not know the commit', async () => {
    const searchRoot = await cloneAt(commits.merge);
    expect(await verdictOf({ searchRoot, parentsOf: refusing('not-found') })).toContain('neither');
    expect(await verdictOf({ searchRoot, parentsOf: refusing('permission') })).toContain('Could not read the commit');
  });

  it.each(['', 'nonsense', 'ref: refs/heads/none'])('is not checked if HEAD is %j', async (head) => {
    const searchRoot = await cloneAt(commits.head);
    await writeFile(path.join(searchRoot, '.git/HEAD'), head);
    expect(await verdictOf({ searchRoot })).toContain('cannot be read from the Git files');
  });

  it('needs a Git checkout in the folder that is searched', async () => {
    const searchRoot = await cloneAt(commits.head);
    await git(searchRoot, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', root, 'library');
    for (const place of ['media', 'library']) {
      const below = path.join(searchRoot, place);
      expect(await isRepositoryRoot(below)).toBe(false);
      expect(await verdictOf({ searchRoot: below })).toMatch(/not the root of a Git checkout.*`working-directory`/);
    }
  });

  it('must be named by the event', async () => {
    expect(await verdictOf({ searchRoot: await cloneAt(commits.head), headSha: undefined })).toContain('does not name');
  });
});

describe('a run that follows another one', () => {
  const event = 'workflow_run';

  it('is an error after pull_request_target, whose commit is the default branch', async () => {
    const searchRoot = await cloneAt('main');
    const verdict = await verdictOf({ searchRoot, event, followedEvent: 'pull_request_target', headSha: commits.base });
    expect(verdict).toMatch(/^checkout: .*follows a run of `pull_request_target`/);
  });

  it('is checked at the commit of the push, and nowhere else', async () => {
    const push = { event, followedEvent: 'push', followedCommit: commits.head, headSha: undefined };
    expect(await verdictOf({ ...push, searchRoot: await cloneAt(commits.head) })).toBe('fine');
    for (const ref of ['main', commits.merge]) {
      const verdict = await verdictOf({ ...push, searchRoot: await cloneAt(ref) });
      expect(verdict).toContain(`the event is about ${commits.head.slice(0, 7)}`);
      expect(verdict).toContain('ref: ${{ github.event.workflow_run.head_sha }}`. ');
    }
  });
});

it.each(['pull_request', 'push', 'merge_group', 'schedule'])('%s: any checkout is accepted', async (event) => {
  expect(await verdictOf({ searchRoot: await cloneAt('main'), event })).toBe('fine');
});
