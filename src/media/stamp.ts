import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { type Cause, GateError } from '../lib/cause.ts';
import type { FileStamp, FoundFile } from './file.ts';

export function stampOf({ size, mtimeMs, ino }: Stats): FileStamp {
  return { size, mtimeMs, ino };
}

export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;
}

export function changedProblem(path: string): Cause {
  return {
    reason: 'pre-flight',
    path,
    message: 'The file changed while it was being checked.',
    fix: 'Run this step after every step that writes the file.',
  };
}

/** Throws a `GateError` if the file is no longer the one that was inspected. */
export async function assertUnchanged(file: FoundFile & { readonly stamp: FileStamp }): Promise<void> {
  let now: FileStamp;
  try {
    now = stampOf(await lstat(file.absolutePath));
  } catch (error) {
    throw new GateError(changedProblem(file.path), { cause: error });
  }
  if (!isSameStamp(file.stamp, now)) throw new GateError(changedProblem(file.path));
}
