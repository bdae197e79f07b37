import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Cause, GateError } from '../lib/cause.ts';
import type { FoundFile } from './file.ts';

/**
 * Opens a file that was found, and closes it when `work` is done. The path may be something else by now, so a link is not
 * followed and a pipe does not block. (Windows has neither flag.)
 */
export async function withFile<T>(file: FoundFile, work: (handle: FileHandle, stats: Stats) => Promise<T>): Promise<T> {
  let handle: FileHandle;
  try {
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    handle = await open(file.absolutePath, flags);
  } catch (error) {
    throw new GateError(openProblem(file.path, codeOf(error)), { cause: error });
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new GateError(openProblem(file.path, 'ENOTREG'));
    return await work(handle, stats);
  } catch (error) {
    const code = codeOf(error);
    if (code === '') throw error;
    throw new GateError(openProblem(file.path, code), { cause: error });
  } finally {
    await handle.close();
  }
}

/** Reads up to `length` bytes; fewer at the end of the file. */
export async function readAt(handle: FileHandle, position: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const buffer = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** The system's code for its error; empty for an error that is not the system's. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : '';
}

function openProblem(path: string, code: string): Cause {
  // U+FFFD stands for bytes that are not UTF-8, and such a name cannot be opened.
  if (code === 'ENOENT' && path.includes('\ufffd')) {
    const message = 'The name of the file is not valid UTF-8, so the file cannot be opened.';
    const fix = 'Rename the file, or exclude it with a line that starts with `!` in the input `files`.';
    return { reason: 'pre-flight', path, message, fix };
  }
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENOTREG') {
    const message = 'The file was removed or replaced while it was being checked.';
    return { reason: 'pre-flight', path, message, fix: 'Run this step after every step that moves or writes files.' };
  }
  return {
    reason: 'pre-flight',
    path,
    message: `The file cannot be read (${code}).`,
    fix: "Give the job's user read access to it, or exclude it with a line that starts with `!` in the input `files`.",
  };
}
