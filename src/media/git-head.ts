import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Reads the commit of a checkout from Git's own files. The git program may be missing, and in a container job it refuses
 * a folder that belongs to another user.
 */

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** A folder that Git has checked something out into. */
export interface Checkout {
  readonly root: string;
  /** Where its HEAD is kept. */
  readonly gitDirectory: string;
}

/** Undefined if this folder is not a checkout, or is a submodule, which belongs to the checkout around it. */
export async function checkoutAt(root: string): Promise<Checkout | undefined> {
  const dotGit = path.join(root, '.git');
  const found = await stat(dotGit).catch(() => undefined);
  if (!found) return undefined;
  if (found.isDirectory()) return { root, gitDirectory: dotGit };
  // A worktree or a submodule has a file that says where its Git directory is.
  const target = /^gitdir: (.+)$/m.exec(await contentOf(dotGit))?.[1]?.trim();
  const isWorktree = /[\\/]worktrees[\\/][^\\/]+$/.test(target ?? '');
  if (target === undefined || (!isWorktree && /[\\/]modules[\\/]/.test(target))) return undefined;
  return { root, gitDirectory: path.resolve(root, target) };
}

/** The commit that is checked out, if it can be read. */
export async function headOf({ gitDirectory }: Checkout): Promise<string | undefined> {
  const head = (await contentOf(path.join(gitDirectory, 'HEAD'))).trim();
  if (COMMIT.test(head)) return head;
  const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
  if (ref === undefined) return undefined;
  // A worktree has its branches in the repository that it belongs to.
  const shared = (await contentOf(path.join(gitDirectory, 'commondir'))).trim();
  const home = shared === '' ? gitDirectory : path.resolve(gitDirectory, shared);
  const loose = (await contentOf(path.join(home, ref))).trim();
  if (COMMIT.test(loose)) return loose;
  const packed = await contentOf(path.join(home, 'packed-refs'));
  return packed
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(' ')[0];
}

/** Empty if there is no such file. */
async function contentOf(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}
