import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Cause, FILE, forOwner, GateError, workflowOwner } from '../causes/cause.ts';
import { isSystemError } from '../lib/folders.ts';
import { messageOf } from '../lib/format.ts';
import type { MediaType } from './media-types.ts';
import { exclusionOf } from './patterns.ts';

export interface FoundFile {
  /** Relative to the folder that is searched, with forward slashes on every system. */
  readonly path: string;
  readonly absolutePath: string;
}

export interface MediaFile extends FoundFile {
  readonly size: number;
  /** A text that differs after the file has been changed or replaced. */
  readonly stamp: string;
  readonly sha256: string;
  readonly type: MediaType;
}

/** If a link or a pipe has replaced the file, opening neither follows the link nor blocks. Windows lacks both flags. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Throws a `GateError` if the file cannot be opened. */
export async function openFile({ path, absolutePath }: FoundFile): Promise<FileHandle> {
  return await open(absolutePath, OPEN_FLAGS).catch((error: unknown) => {
    throw asReadProblem(error, path);
  });
}

/** Opens a file, and closes the file when `work` has ended. Throws a `GateError` if the file cannot be read. */
export async function withFile<T>(file: FoundFile, work: (handle: FileHandle, stats: Stats) => Promise<T>): Promise<T> {
  await using handle = await openFile(file);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new GateError(changedProblem(file.path));
    return await work(handle, stats);
  } catch (error) {
    throw asReadProblem(error, file.path);
  }
}

/** Turns an error of the file system into a `GateError` about the file. Other errors stay as they are. */
export function asReadProblem(error: unknown, path: string): unknown {
  return isSystemError(error) ? new GateError(unreadableProblem(path, error), { cause: error }) : error;
}

/** Reports a file or folder that cannot be opened. */
export function unreadableProblem(path: string, error: unknown): Cause {
  // Without the path: the whole message is "EACCES: permission denied, open '/home/…'".
  const [why = ''] = messageOf(error).split(',');
  const message = `It cannot be read (${why}), so not all files can be checked.`;
  const fix = `Give ${FILE} a name in UTF-8, read access for the job's user, and run this step after every step that moves files.`;
  const exclude = `If ${FILE} needs no check, add the line \`${exclusionOf(path)}\` to the input \`files\`.`;
  return { reason: 'pre-flight', path, message, steps: [workflowOwner(fix), workflowOwner(exclude)] };
}

/** The stamp includes `ctimeMs` because, unlike `mtimeMs`, a program cannot set it back. */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>): string {
  return [size, mtimeMs, ctimeMs, ino].join();
}

export function changedProblem(path: string): Cause {
  const message = 'The file changed while it was being checked.';
  const fix = `Run this step after every step that writes ${FILE}.`;
  return { ...forOwner('pre-flight', message, fix), path };
}
