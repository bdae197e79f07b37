import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { sleep } from '../lib/async.ts';
import { type Cause, EXCLUDE_IT, FILE, GateError, type Step, workflowOwner } from '../lib/cause.ts';
import { hasCode } from '../lib/folders.ts';
import type { MediaType } from './media-types.ts';

/** A file that a pattern matched. */
export interface FoundFile {
  /** Relative to the folder that is searched, with forward slashes on every system. */
  readonly path: string;
  readonly absolutePath: string;
  /** The path of the file itself if `path` leads through a symbolic link. Relative to the same folder as `path`. */
  readonly realPath?: string;
}

export interface MediaFile extends FoundFile {
  readonly size: number;
  /** A text that differs after the file has been changed or replaced. */
  readonly stamp: string;
  readonly sha256: string;
  readonly type: MediaType;
}

/** If a file was replaced, these flags do not follow a link and do not block on a pipe. Windows lacks both flags. */
export const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const MAX_OPEN_TRIES = 50;
const OPEN_AGAIN_MS = 100;

/** If too many files are open, tries again for a few seconds: this process closes its own files soon. */
export async function openFile({ path, absolutePath }: FoundFile): Promise<FileHandle> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open(absolutePath, OPEN_FLAGS);
    } catch (error) {
      if (!hasCode(error, 'EMFILE') && !hasCode(error, 'ENFILE')) throw error;
      if (tries === MAX_OPEN_TRIES) throw new GateError(tooManyOpen(path), { cause: error });
      // The wait is too short to be cancelled.
      await sleep(OPEN_AGAIN_MS, new AbortController().signal);
    }
  }
}

function tooManyOpen(path: string): Cause {
  const message = 'It cannot be opened, because too many files are open on this machine (EMFILE).';
  const fix = 'Raise the limit of open files of the runner (`ulimit -n`), or lower `upload-concurrency`.';
  return { reason: 'pre-flight', path, message, steps: [workflowOwner(fix)] };
}

/** Opens a file, and closes the file when `work` has ended. */
export async function withFile<T>(file: FoundFile, work: (handle: FileHandle, stats: Stats) => Promise<T>): Promise<T> {
  let handle: FileHandle | undefined;
  try {
    handle = await openFile(file);
    const stats = await handle.stat();
    if (!stats.isFile()) throw new GateError(changedProblem(file.path));
    return await work(handle, stats);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
    throw new GateError(readProblem(file.path, String(error.code), [EXCLUDE_IT]), { cause: error });
  } finally {
    await handle?.close();
  }
}

/** Reads `length` bytes, or fewer if the file ends before. */
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

export function readProblem(path: string, code: string, others: readonly Step[] = []): Cause {
  const message = `It cannot be read (${code}), so not all files can be checked.`;
  const fix = `Run this step after every step that moves files, and give the job's user read access to ${FILE}.`;
  return { reason: 'pre-flight', path, message, steps: [workflowOwner(fix), ...others] };
}

/** The stamp includes `ctimeMs` because, unlike `mtimeMs`, a program cannot set it back. */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: Pick<Stats, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'>): string {
  return [size, mtimeMs, ctimeMs, ino].join();
}

export function changedProblem(path: string): Cause {
  const message = 'The file changed while it was being checked.';
  const fix = `Run this step after every step that writes ${FILE}.`;
  return { reason: 'pre-flight', path, message, steps: [workflowOwner(fix)] };
}

/** Throws a `GateError` if the file was changed or replaced after it was inspected. */
export async function assertUnchanged(file: Pick<MediaFile, 'path' | 'absolutePath' | 'stamp'>): Promise<void> {
  const now = await lstat(file.absolutePath).catch(() => undefined);
  if (!now || stampOf(now) !== file.stamp) throw new GateError(changedProblem(file.path));
}

const CHUNK_BYTES = 1024 * 1024;

/** @param size how many bytes to hash: the file may be growing */
export async function hashBytes(handle: FileHandle, size: number, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const options = { start: 0, end: size - 1, highWaterMark: CHUNK_BYTES, autoClose: false };
  for await (const chunk of handle.createReadStream(options)) {
    signal?.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest('hex');
}
