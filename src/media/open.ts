import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Cause, GateError } from '../lib/cause.ts';
import type { FoundFile } from './file.ts';

/**
 * Opens a file that was found, and closes it when `work` is done. What was a file then may be something else by now: a
 * link is not followed, and a pipe does not keep us waiting. (Windows has neither flag.)
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

/** The system's name for what went wrong; empty for what is not its error, such as ours and an abort. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : '';
}

function openProblem(path: string, code: string): Cause {
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENOTREG') {
    const message = 'The file was found, but was gone or replaced when it was to be read.';
    return { reason: 'pre-flight', path, message, fix: 'Run this step after every step that moves or writes files.' };
  }
  return {
    reason: 'pre-flight',
    path,
    message: `The file cannot be read (${code}).`,
    fix: 'Let the user of the job read it, or exclude it with a line that starts with `!` in the input `files`.',
  };
}
