import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GitHubError } from '../../src/github/github-error.ts';
import { GateError } from '../../src/lib/cause.ts';
import { assertHeadCheckedOut, checkoutAt, headOf } from '../../src/media/checkout.ts';
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

const plain = new Map<string, Promise<string>>();
/** A clone that several tests share. */
async function sharedAt(ref: string): Promise<string> {
  const clone = plain.get(ref) ?? cloneAt(ref);
  plain.set(ref, clone);
  return await clone;
}

/** A separate clone, at a commit. */
let clones = 0;
async function cloneAt(ref: string, into = ''): Promise<string> {
  clones += 1;
  const workspace = path.join(folder, `workspace-${clones}`);
  const target = path.join(workspace, into);
  await git(folder, 'clone', '--quiet', root, target);
  await git(target, 'checkout', '--quiet', ref);
  return workspace;
}

interface Case {
  readonly workspace: string;
  readonly files: readonly string[];
  readonly event?: string;
  readonly followedEvent?: string;
  readonly pullRequest?: { headSha: string } | undefined;
  readonly parentsOf?: (commit: string) => Promise<readonly string[]>;
}

async function parentsOf(commit: string): Promise<readonly string[]> {
  const [, ...parents] = (await git(root, 'rev-list', '--parents', '-n1', commit)).split(' ');
  return parents;
}

/** The answer of a GitHub that does not know the commit. */
function refusing(trouble: 'not-found' | 'permission'): () => Promise<never> {
  return async () => {
    throw new GitHubError('read the commit', { trouble, problem: 'GitHub answered', fix: 'Do something.' });
  };
}

/** Reason, message and fix of the error, or "fine". */
async function verdictOf({ workspace, files, event = 'pull_request_target', ...rest }: Case): Promise<string> {
  const about = 'pullRequest' in rest ? rest.pullRequest : { headSha: commits.head };
  try {
    await assertHeadCheckedOut(
      { files: files.map((file) => ({ path: file, absolutePath: path.join(workspace, file) })), notices: [] },
      {
        event,
        followedEvent: rest.followedEvent,
        searchRoot: workspace,
        pullRequest: about && { number: 7, isFork: true, isDependabot: false, ...about },
      },
      { parentsOf: rest.parentsOf ?? parentsOf },
    );
    return 'fine';
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    return error.causes.map(({ reason, message, fix }) => `${reason}: ${message} ${fix}`).join('\n');
  }
}

describe('which commit is checked out', () => {
  it('a detached head', async () => {
    const checkout = await checkoutAt(await sharedAt(commits.head));
    expect(checkout && (await headOf(checkout))).toBe(commits.head);
  });

  it('a branch, loose and packed', async () => {
    const workspace = await cloneAt('changes');
    const checkout = await checkoutAt(workspace);
    expect(checkout && (await headOf(checkout))).toBe(commits.head);
    await git(workspace, 'pack-refs', '--all');
    expect(checkout && (await headOf(checkout))).toBe(commits.head);
  });

  it('a worktree, at a commit and at a branch', async () => {
    const workspace = await cloneAt('main');
    for (const ref of ['changes', commits.merge]) {
      const tree = path.join(folder, `tree-${ref}`);
      await git(workspace, 'worktree', 'add', '--quiet', tree, ref);
      const checkout = await checkoutAt(tree);
      expect(checkout && (await headOf(checkout))).toBe(await git(tree, 'rev-parse', 'HEAD'));
    }
  });

  it('a submodule is not a separate checkout', async () => {
    const workspace = await cloneAt('main');
    await git(workspace, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', root, 'library');
    expect(await checkoutAt(path.join(workspace, 'library'))).toBeUndefined();
  });

  it.each(['', 'nonsense', 'ref: refs/heads/none'])('unknown with %j', async (head) => {
    const workspace = await cloneAt('main');
    await writeFile(path.join(workspace, '.git/HEAD'), head);
    expect(await headOf({ folder: workspace, gitDirectory: path.join(workspace, '.git') })).toBeUndefined();
  });
});

describe('a pull request with the secrets of the base', () => {
  it('is checked at its head, at its merge and at a branch of it', async () => {
    for (const ref of [commits.head, commits.merge, 'changes']) {
      expect(await verdictOf({ workspace: await sharedAt(ref), files: ['media/a.png'] })).toBe('fine');
    }
  });

  it('is not checked with the base', async () => {
    const message = await verdictOf({ workspace: await sharedAt('main'), files: ['media/a.png'] });
    expect(message).toMatch(/^checkout: /);
    expect(message).toContain(`holds commit ${commits.base.slice(0, 7)}`);
    expect(message).toContain(`head of the pull request (${commits.head.slice(0, 7)})`);
    expect(message).toContain('ref: ${{ github.event.pull_request.head.sha }}` and `allow-unsafe-pr-checkout: true`');
  });

  it('is not checked with the merge of another head', async () => {
    const verdict = await verdictOf({
      workspace: await sharedAt(commits.merge),
      files: ['media/a.png'],
      pullRequest: { headSha: '1'.repeat(40) },
    });
    expect(verdict).toContain('neither the head');
  });

  it.each([
    ['the head before the base', ['h', 'b']],
    ['three parents', ['b', 'h', 'x']],
    ['one', ['h']],
    ['none', []],
  ])('a commit with %s is not its merge', async (_, names) => {
    const parents = names.map((name) => (name === 'h' ? commits.head : name.repeat(40)));
    const workspace = await sharedAt('main');
    expect(await verdictOf({ workspace, files: ['media/a.png'], parentsOf: async () => parents })).toContain('neither');
  });

  it('is not checked if GitHub does not know the commit', async () => {
    const workspace = await sharedAt(commits.merge);
    const files = ['media/a.png'];
    expect(await verdictOf({ workspace, files, parentsOf: refusing('not-found') })).toContain('neither');
    expect(await verdictOf({ workspace, files, parentsOf: refusing('permission') })).toContain(
      'Could not read the commit',
    );
  });

  it('is checked in a folder beside the base, but only there', async () => {
    const workspace = await cloneAt('main');
    await git(folder, 'clone', '--quiet', root, path.join(workspace, 'head'));
    await git(path.join(workspace, 'head'), 'checkout', '--quiet', commits.head);
    expect(await verdictOf({ workspace, files: ['head/media/b.png'] })).toBe('fine');
    expect(await verdictOf({ workspace, files: ['head/media/b.png', 'media/a.png'] })).toContain('neither');
  });

  it('its submodules are part of it', async () => {
    const workspace = await cloneAt(commits.head);
    await git(workspace, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', root, 'library');
    expect(await verdictOf({ workspace, files: ['library/media/a.png'] })).toBe('fine');
  });

  it('needs a Git checkout', async () => {
    const workspace = path.join(folder, 'download');
    await git(folder, 'clone', '--quiet', root, workspace);
    await rm(path.join(workspace, '.git'), { recursive: true });
    expect(await verdictOf({ workspace, files: ['media/a.png'] })).toContain('not in a Git checkout');
    expect(await verdictOf({ workspace, files: [] })).toContain('no Git checkout in the workspace');
  });

  it('has no files only if the pull request itself has none', async () => {
    expect(await verdictOf({ workspace: await sharedAt('main'), files: [] })).toContain('neither');
    expect(await verdictOf({ workspace: await sharedAt(commits.head), files: [] })).toBe('fine');
    expect(await verdictOf({ workspace: await cloneAt(commits.head, 'head'), files: [] })).toBe('fine');
  });

  it('must be named by the event', async () => {
    const workspace = await sharedAt(commits.head);
    expect(await verdictOf({ workspace, files: ['media/a.png'], pullRequest: undefined })).toContain('does not name');
  });
});

describe('a run that follows another one', () => {
  it('is an error after pull_request_target, whose commit is the default branch', async () => {
    const verdict = await verdictOf({
      workspace: await sharedAt('main'),
      files: ['media/a.png'],
      event: 'workflow_run',
      followedEvent: 'pull_request_target',
      pullRequest: { headSha: commits.base },
    });
    expect(verdict).toMatch(/^checkout: .*follows a run of `pull_request_target`/);
  });
});

describe('other events', () => {
  it.each([
    ['pull_request', true, 'fine'],
    ['push', false, 'fine'],
    ['workflow_run', false, 'fine'],
    ['workflow_run', true, 'ref: ${{ github.event.workflow_run.head_sha }}'],
  ])('%s with a pull request: %s', async (event, isPull, expected) => {
    const pullRequest = isPull ? { headSha: commits.head } : undefined;
    const verdict = await verdictOf({ workspace: await sharedAt('main'), files: ['media/a.png'], event, pullRequest });
    expect(verdict).toContain(expected);
  });
});
