import { lstat, mkdir, mkdtemp, realpath } from 'node:fs/promises';
import path from 'node:path';
import { FILE, forOwner, GateError } from '../causes/cause.ts';

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

/** A new folder in the folder for temporary files, which a step before may have deleted. */
export async function createTemporaryFolder(temp: string): Promise<string> {
  await mkdir(temp, { recursive: true });
  return await mkdtemp(path.join(temp, 'gate-'));
}
