import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { devNull } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** The folder that is searched, and the checkout that contains it. */
export interface Checkout {
  readonly searchRoot: string;
  /** The folder that has `.git`. Undefined if the searched folder is in no checkout. */
  readonly checkoutRoot: string | undefined;
  /** The commit that is checked out. Undefined if it cannot be read. */
  readonly head: string | undefined;
}

/** The searched folder in the checkout, with a slash at the end. Empty if it is the top folder or in no checkout. */
export function folderIn({ checkoutRoot, searchRoot }: Checkout): string {
  const folder = checkoutRoot === undefined ? '' : path.relative(checkoutRoot, searchRoot);
  return folder === '' ? '' : `${folder.replaceAll(path.sep, '/')}/`;
}

/** Finds the checkout in the searched folder or, if that has no `.git`, in a folder above it, up to the workspace. */
export async function readCheckout(searchRoot: string, workspace: string): Promise<Checkout> {
  for (let folder = searchRoot; ; folder = path.dirname(folder)) {
    const gitFolder = await findGitFolder(folder);
    if (gitFolder !== undefined) {
      const head = (await readHead(gitFolder)) ?? (await askGit(path.join(folder, '.git')));
      return { searchRoot, checkoutRoot: folder, head };
    }
    if (!folder.startsWith(workspace + path.sep)) return { searchRoot, checkoutRoot: undefined, head: undefined };
  }
}

/** The folder of Git's data. Undefined if there is no `.git`, or for a submodule: the superproject is the checkout. */
async function findGitFolder(folder: string): Promise<string | undefined> {
  const place = path.join(folder, '.git');
  const stats = await stat(place).catch(() => undefined);
  if (!stats?.isFile()) return stats && place;
  // In a worktree, in a submodule and with a separate Git folder, `.git` is a file that names the folder.
  const [, named = ''] = /^gitdir: (.+)$/m.exec(await readText(place)) ?? [];
  const gitFolder = path.resolve(folder, named);
  const [, superproject] = /^(.*)[\\/]modules[\\/]/.exec(gitFolder) ?? [];
  const isSubmodule = superproject !== undefined && (await readText(path.join(superproject, 'HEAD'))) !== '';
  return isSubmodule ? undefined : gitFolder;
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?(?=\s|$)/;

/** The commit by the files of Git's folder. Undefined if they do not tell it, as in the format `reftable`. */
async function readHead(gitFolder: string): Promise<string | undefined> {
  const head = await readText(path.join(gitFolder, 'HEAD'));
  const ref = /^ref: (refs\/.+)$/m.exec(head)?.[1];
  if (ref === undefined) return COMMIT.exec(head)?.[0];
  // The branches of a worktree are in the folder of the main checkout.
  const common = path.resolve(gitFolder, (await readText(path.join(gitFolder, 'commondir'))).trim());
  const packed = (await readText(path.join(common, 'packed-refs'))).split('\n');
  const loose = await readText(path.join(common, ref));
  return COMMIT.exec(loose || (packed.find((line) => line.endsWith(` ${ref}`)) ?? ''))?.[0];
}

async function readText(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}

/**
 * Asks git for the commit. Undefined if git fails. The command is safe in a folder whose files come from a pull
 * request: it runs no hook and no program of a configuration, and it gets none of the secrets in the environment.
 */
async function askGit(gitPath: string): Promise<string | undefined> {
  const settings = ['-c', `core.hooksPath=${devNull}`, '-c', 'core.fsmonitor=false'];
  const { PATH, SYSTEMROOT } = process.env;
  const options = {
    env: { PATH, SYSTEMROOT, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull },
    // Windows looks for a program in the current folder first, and the workspace could have a `git.exe`.
    cwd: path.dirname(process.execPath),
    timeout: 5_000,
    killSignal: 'SIGKILL',
  } as const;
  try {
    const command = [`--git-dir=${gitPath}`, ...settings, 'rev-parse', '--verify', 'HEAD'];
    return COMMIT.exec((await promisify(execFile)('git', command, options)).stdout)?.[0];
  } catch {
    return undefined;
  }
}
