import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Cause, FILE, forOwner, GateError, workflowOwner } from '../causes/cause.ts';
import type { Payload, StreamedBody } from '../http/http.ts';
import { isSystemError } from '../lib/file-system.ts';
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

/** Opens a file, and closes the file when `work` has ended. Throws a `GateError` if the file cannot be read. */
export async function withFile<T>(file: FoundFile, work: (handle: FileHandle, stats: Stats) => Promise<T>): Promise<T> {
  try {
    await using handle = await open(file.absolutePath, OPEN_FLAGS);
    const stats = await handle.stat();
    if (!stats.isFile()) throw new GateError(changedProblem(file.path));
    return await work(handle, stats);
  } catch (error) {
    throw asReadProblem(error, file.path);
  }
}

/** Turns an error of the file system into a `GateError` about the file. Other errors stay as they are. */
function asReadProblem(error: unknown, path: string): unknown {
  return isSystemError(error) ? new GateError(unreadableProblem(path, error), { cause: error }) : error;
}

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

/** A slow connection can send a piece of this size well within the time limit. Smaller pieces would be slower. */
const MAX_PIECE_BYTES = 512 * 1024;
/** undici requests a piece after it has sent the previous one, so a buffer is free long before it is used again. */
const BUFFERS = 4;

/** The bytes of a file. The body throws if the file has changed since its inspection. */
export function plainBody(file: MediaFile): Payload {
  const headers = { 'content-length': String(file.size), 'content-type': file.type.mime };
  return { headers, body: streamFile(file) };
}

/** The part `file` of a multipart form. The gate generated the name, so it has no character that needs escaping. */
export function formBody(file: MediaFile, filename: string): Payload {
  const boundary = `gate-${randomUUID()}`;
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: ${file.type.mime}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const headers = {
    'content-length': String(head.length + file.size + tail.length),
    'content-type': `multipart/form-data; boundary=${boundary}`,
  };
  return { headers, body: streamFile(file, head, tail) };
}

/** A few buffers are used in turn: with a new one for each piece, uploads took twice as long. */
async function* streamFile(file: MediaFile, head?: Buffer, tail?: Buffer): StreamedBody {
  const { path, absolutePath, size, stamp } = file;
  const buffers: Buffer[] = [];
  try {
    // Once open, the file cannot be replaced by another.
    await using handle = await open(absolutePath, OPEN_FLAGS);
    if (head) yield head;
    for (let turn = 0, position = 0; position < size; turn += 1) {
      const buffer = (buffers[turn % BUFFERS] ??= Buffer.allocUnsafeSlow(Math.min(size, MAX_PIECE_BYTES)));
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, size - position), position);
      position += bytesRead;
      // Checked before the last piece is sent: if the file has changed, the service must not get a complete body.
      if (bytesRead === 0 || (position === size && stampOf(await handle.stat()) !== stamp))
        throw new GateError(changedProblem(path));
      yield buffer.subarray(0, bytesRead);
    }
    if (tail) yield tail;
  } catch (error) {
    throw asReadProblem(error, path);
  }
}
