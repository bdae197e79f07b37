import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { StreamedBody } from '../http/http.ts';
import { GateError } from '../lib/cause.ts';
import type { MediaFile } from '../media/file.ts';
import { changedProblem, isSameStamp, stampOf } from '../media/stamp.ts';
import type { PieceBuffers } from './piece-buffers.ts';

const NOTHING = Buffer.alloc(0);

/** A body to be sent once, with the headers that describe it. */
export interface FileBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: StreamedBody;
}

/** The bytes of a file and nothing else. Throws where it is no longer the file that was inspected. */
export async function bytesOf(file: MediaFile, buffers: PieceBuffers): Promise<FileBody> {
  const handle = await openUnchanged(file);
  return {
    headers: { 'content-length': String(file.stamp.size), 'content-type': file.type.mime },
    body: streamed(NOTHING, handle, file, NOTHING, buffers),
  };
}

/**
 * The bytes of a file as the part `file` of a form.
 *
 * @param filename one of our own: letters, digits, dots and dashes, so that nothing in it has to be escaped
 */
export async function formWith(file: MediaFile, filename: string, buffers: PieceBuffers): Promise<FileBody> {
  const boundary = `gate-${randomUUID()}`;
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: ${file.type.mime}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const handle = await openUnchanged(file);
  return {
    headers: {
      'content-length': String(head.length + file.stamp.size + tail.length),
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: streamed(head, handle, file, tail, buffers),
  };
}

/**
 * Head, file and tail as one body. Two buffers take turns, so that the next piece is read while one is being sent; a small
 * file is one piece, head and tail included.
 */
function streamed(
  head: Buffer,
  handle: FileHandle,
  file: MediaFile,
  tail: Buffer,
  buffers: PieceBuffers,
): StreamedBody {
  const { size } = file.stamp;
  const length = head.length + size + tail.length;
  let reading: Promise<number> = Promise.resolve(0);

  async function fill(target: Buffer, from: number): Promise<number> {
    const wanted = Math.min(target.length, length - from);
    let filled = head.subarray(from).copy(target);
    while (filled < wanted) {
      const position = from + filled - head.length;
      if (position >= size) {
        filled += tail.subarray(position - size).copy(target, filled);
        continue;
      }
      const { bytesRead } = await handle.read(target, filled, Math.min(wanted - filled, size - position), position);
      // Shorter than it was: the rest of what was announced does not exist.
      if (bytesRead === 0) throw new GateError(changedProblem(file.path));
      filled += bytesRead;
    }
    return filled;
  }

  async function* pieces(): AsyncGenerator<Uint8Array> {
    let current = buffers.take();
    let other = length > current.length ? buffers.take() : NOTHING;
    reading = fill(current, 0);
    for (let position = 0; position < length; ) {
      const filled = await reading;
      position += filled;
      if (position < length) {
        reading = fill(other, position);
        // It is told when its turn comes, which may be never.
        reading.catch(() => undefined);
      }
      yield current.subarray(0, filled);
      [current, other] = [other, current];
    }
    // Only once all was taken: where sending was broken off, a connection may still hold a piece.
    for (const buffer of [current, other]) if (buffer !== NOTHING) buffers.giveBack(buffer);
  }

  return {
    pieces: pieces(),
    close: async () => {
      // A number of a closed file may be another file's by then.
      await reading.catch(() => undefined);
      await handle.close();
    },
  };
}

/** What is sent must be what was hashed: looked at on the open file, which nobody can exchange any more. */
async function openUnchanged(file: MediaFile): Promise<FileHandle> {
  const changed = (cause?: unknown): GateError => new GateError(changedProblem(file.path), { cause });
  const handle = await open(file.absolutePath, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(
    (error: unknown) => {
      throw changed(error);
    },
  );
  const isUnchanged = await handle.stat().then(
    (stats) => isSameStamp(stampOf(stats), file.stamp),
    () => false,
  );
  if (isUnchanged) return handle;
  await handle.close();
  throw changed();
}
