import { mkdirSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { FILE, forOwner, GateError } from '../causes/cause.ts';
import { messageOf } from './format.ts';

/** Whether the error is from the file system. Its `code` is then a text such as ENOENT. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** The path of a file relative to a folder. Undefined if the file is not in the folder. */
export function pathIn(folder: string, file: string): string | undefined {
  const relative = path.relative(folder, file);
  return relative.split(path.sep)[0] === '..' || path.isAbsolute(relative) ? undefined : relative;
}

/**
 * Throws if a part of the path inside the workspace is a symbolic link: with a committed link, a pull request could
 * make this action overwrite a file elsewhere. A pull request cannot change paths outside the workspace, but one of
 * them may lead into the workspace.
 *
 * @param input the input that names the path
 */
export async function assertNoSymlink(target: string, workspace: string, input: string): Promise<void> {
  const realOf = async (place: string): Promise<string> => await realpath(place).catch(() => place);
  const root = await realOf(workspace);
  let current = path.parse(target).root;
  for (const part of target.slice(current.length).split(path.sep)) {
    const next = path.join(current, part);
    const stats = await lstat(next).catch(() => undefined);
    current = await realOf(next);
    const inside = pathIn(root, next);
    if (inside === undefined || !stats?.isSymbolicLink()) continue;
    const shown = inside.replaceAll(path.sep, '/');
    const message = `The path in \`${input}\` leads through a symbolic link in the workspace: ${shown}. Nothing was written.`;
    const fix = `Remove the link ${FILE}, or set \`${input}\` to a path without links.`;
    throw new GateError({ ...forOwner('bad-input', message, fix), path: shown });
  }
}

/**
 * Writes a file into a new folder, in the first of `temps` that allows it: the runner's temporary folder may be full,
 * read-only or deleted. If none allows it, nothing is left, and the error names each of `temps`.
 *
 * @param temps the temporary folders, the runner's own first
 *
 * @returns the path of the file
 */
export async function writeTemporary(
  temps: readonly string[],
  name: string,
  write: (file: string) => Promise<void>,
): Promise<string> {
  const problems: string[] = [];
  for (const temp of temps) {
    let folder: string | undefined;
    try {
      await mkdir(temp, { recursive: true });
      folder = await mkdtemp(path.join(temp, 'gate-'));
      const file = path.join(folder, name);
      await write(file);
      return file;
    } catch (error) {
      problems.push(`${temp} (${messageOf(error)})`);
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    }
  }
  throw new Error(problems.join(', '));
}

/**
 * Creates a folder that only this step uses: `name`, or `name-2` and so on if another step of the job has created
 * `name`. The runner's variables cannot tell steps apart: inside a composite action they have the same values. The
 * runner empties its temporary folder before each job.
 */
export function claimFolder(temp: string, name: string): string {
  for (let number = 1; ; number++) {
    const folder = path.join(temp, number === 1 ? name : `${name}-${number}`);
    try {
      mkdirSync(folder);
      return folder;
    } catch (error) {
      // If the folder cannot be created, the code that writes into it reports the problem.
      if (!isSystemError(error) || error.code !== 'EEXIST') return folder;
    }
  }
}
