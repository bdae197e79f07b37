import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { writeFiles } from './workspace.ts';

/** A file whose content is undefined is removed. */
type Changes = Parameters<typeof writeFiles>[1];

const run = promisify(execFile);

/** Runs Git without any configuration of the user or the machine. */
export async function git(directory: string, ...parameters: readonly string[]): Promise<string> {
  const { stdout } = await run('git', ['-C', directory, ...parameters], {
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Ann',
      GIT_AUTHOR_EMAIL: 'ann@example.com',
      GIT_COMMITTER_NAME: 'Ann',
      GIT_COMMITTER_EMAIL: 'ann@example.com',
      GIT_ALLOW_PROTOCOL: 'file',
    },
  });
  return stdout.trim();
}

/** The commits of a pull request. As on GitHub, the first parent of `merge` is the base, and the second is the head. */
export type PullRequestCommits = Readonly<Record<'base' | 'head' | 'merge', string>>;

/**
 * Makes a repository with a branch `main` (`base`, then `later`), a branch `changes` (`base`, then `added`), and their
 * merge; `main` is checked out. Returns the commits, and the files that GitHub lists as changed by `changes`.
 */
export async function makePullRequest(directory: string, base: Changes, added: Changes, later?: Changes) {
  await mkdir(directory, { recursive: true });
  await git(directory, 'init', '--quiet', '--initial-branch=main');
  const commit = async (files: Changes): Promise<string> => {
    await writeFiles(directory, files);
    await git(directory, 'add', '--all');
    await git(directory, 'commit', '--quiet', '--allow-empty', '--message', 'Change');
    return await git(directory, 'rev-parse', 'HEAD');
  };
  let baseCommit = await commit(base);
  await git(directory, 'checkout', '--quiet', '-b', 'changes');
  const head = await commit(added);
  await git(directory, 'checkout', '--quiet', 'main');
  if (later) baseCommit = await commit(later);
  const changed = await git(directory, 'diff', '--name-only', `${baseCommit}...${head}`);
  await git(directory, 'checkout', '--quiet', '--detach', baseCommit);
  await git(directory, 'merge', '--quiet', '--no-ff', '--message', 'Merge', head);
  const merge = await git(directory, 'rev-parse', 'HEAD');
  await git(directory, 'checkout', '--quiet', 'main');
  const files = changed.split('\n').map((filename) => ({ status: 'modified', filename }) as const);
  return { base: baseCommit, head, merge, changed: files };
}
