import { mkdir, mkdtemp } from 'node:fs/promises';
import path from 'node:path';

/** Whether the error is from the file system. Its `code` is then a text such as ENOENT. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** The path of a file relative to a folder. Undefined if the file is not in the folder. */
export function pathIn(folder: string, file: string): string | undefined {
  const relative = path.relative(folder, file);
  return relative.split(path.sep)[0] === '..' || path.isAbsolute(relative) ? undefined : relative;
}

/** A new folder in the folder for temporary files, which a step before may have deleted. */
export async function createTemporaryFolder(temp: string): Promise<string> {
  await mkdir(temp, { recursive: true });
  return await mkdtemp(path.join(temp, 'gate-'));
}
