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
 * make this action overwrite a file elsewhere. It cannot change a path outside the workspace.
 */
export async function assertNoLinkInWorkspace(stateFile: string, workspace: string): Promise<void> {
  // The path may name the workspace as the runner does, or by its real path.
  for (const root of [workspace, await realpath(workspace)]) {
    const parts = pathIn(root, stateFile)?.split(path.sep) ?? [];
    for (const index of parts.keys()) {
      const shown = parts.slice(0, index + 1).join('/');
      const stats = await lstat(path.join(root, shown)).catch(() => undefined);
      if (!stats?.isSymbolicLink()) continue;
      const message = `The path in \`state-file\` leads through a symbolic link in the workspace: ${shown}. Nothing was written.`;
      const fix = `Remove the link ${FILE}, or set \`state-file\` to a path without links.`;
      throw new GateError({ ...forOwner('bad-input', message, fix), path: shown });
    }
  }
}

/** A new folder in the folder for temporary files, which a step before may have deleted. */
export async function createTemporaryFolder(temp: string): Promise<string> {
  await mkdir(temp, { recursive: true });
  return await mkdtemp(path.join(temp, 'gate-'));
}
