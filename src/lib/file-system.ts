import path from 'node:path';

/** Whether the error is from the file system. Its `code` is then a text such as ENOENT. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** The path relative to a folder, with forward slashes; empty for the folder itself. Undefined if it is not in it. */
export function relativeTo(folder: string, file: string): string | undefined {
  const relative = path.relative(folder, file).replaceAll(path.sep, '/');
  return relative.split('/')[0] === '..' || path.isAbsolute(relative) ? undefined : relative;
}

/** The folders that hold a file, by its relative path. The nearest comes first. The top folder is left out. */
export function foldersAbove(file: string): readonly string[] {
  const folder = path.posix.dirname(file);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}
