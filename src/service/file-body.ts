import { randomUUID } from 'node:crypto';
import { type FileHandle, type FileReadResult, open } from 'node:fs/promises';
import type { Payload, StreamedBody } from '../http/http.ts';
import { GateError } from '../lib/cause.ts';
import { changedProblem, type MediaFile, OPEN_FLAGS, stampOf } from '../media/file.ts';

/** Limit for the bytes of files in memory, over all uploads. */
export const MAX_BYTES_IN_FLIGHT = 16 * 1024 * 1024;
/** Small enough that a slow link moves a piece well within the time limit, large enough to be fast. */
const MAX_PIECE_BYTES = 512 * 1024;
/** undici asks for a piece once the one before has left, so that a buffer is free long before its next turn. */
const BUFFERS_PER_UPLOAD = 4;

/**
 * The buffers that one upload reads its file into, in turn. The next upload in the same lane uses them again, so that
 * memory grows neither with the size nor with the number of files.
 */
export type PieceBuffers = readonly Buffer[];

/** @param uploads how many run at the same time, each with its own buffers */
export function makePieceBuffers(uploads: number): PieceBuffers {
  const bytes = Math.min(MAX_PIECE_BYTES, Math.floor(MAX_BYTES_IN_FLIGHT / BUFFERS_PER_UPLOAD / uploads));
  return Array.from({ length: BUFFERS_PER_UPLOAD }, () => Buffer.allocUnsafeSlow(bytes));
}

/** The bytes of a file. Its body throws if the file is not the one that was inspected. */
export function plainBody(file: MediaFile, buffers: PieceBuffers): Payload {
  return {
    headers: { 'content-length': String(file.size), 'content-type': file.type.mime },
    body: streamFile(file, buffers),
  };
}

/**
 * The bytes of a file as the part `file` of a form.
 *
 * @param filename made by us: letters, digits, dots and dashes, so that nothing in it has to be escaped
 */
export function formBody(file: MediaFile, filename: string, buffers: PieceBuffers): Payload {
  const boundary = `gate-${randomUUID()}`;
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: ${file.type.mime}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const length = head.length + file.size + tail.length;
  const contentType = `multipart/form-data; boundary=${boundary}`;
  return {
    headers: { 'content-length': String(length), 'content-type': contentType },
    body: streamFile(file, buffers, { head, tail }),
  };
}

interface Frame {
  readonly head?: Buffer;
  /** Sent before the file is closed: the service responds only after it. */
  readonly tail?: Buffer;
}

/** The next piece is read while one is being sent. */
async function* streamFile(file: MediaFile, buffers: PieceBuffers, { head, tail }: Frame = {}): StreamedBody {
  const handle = await openUnchanged(file);
  const { size } = file;
  const read = (turn: number, position: number): Promise<FileReadResult<Buffer>> => {
    const buffer = buffers[turn % buffers.length] ?? Buffer.alloc(0);
    const reading = handle.read(buffer, 0, Math.min(buffer.length, size - position), position);
    // Thrown when its turn comes, unless the sending ends before.
    reading.catch(() => undefined);
    return reading;
  };
  let reading = read(0, 0);
  try {
    if (head) yield head;
    for (let turn = 1, position = 0; position < size; turn += 1) {
      const { buffer, bytesRead } = await reading;
      // The file is shorter than the length that was announced.
      if (bytesRead === 0) throw changedError(file);
      position += bytesRead;
      if (position < size) reading = read(turn, position);
      yield buffer.subarray(0, bytesRead);
    }
    if (tail) yield tail;
  } catch (error) {
    throw error instanceof GateError ? error : changedError(file, error);
  } finally {
    // After the read that may be under way.
    await handle.close();
  }
}

/** Compares the open file, which can no longer be replaced, with the one that was inspected. */
async function openUnchanged(file: MediaFile): Promise<FileHandle> {
  const handle = await open(file.absolutePath, OPEN_FLAGS).catch((error: unknown) => {
    throw changedError(file, error);
  });
  const isUnchanged = await handle.stat().then(
    (stats) => stampOf(stats) === file.stamp,
    () => false,
  );
  if (isUnchanged) return handle;
  await handle.close();
  throw changedError(file);
}

function changedError(file: MediaFile, cause?: unknown): GateError {
  return new GateError(changedProblem(file.path), { cause });
}
