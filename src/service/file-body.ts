import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { StreamedBody } from '../http/http.ts';
import { GateError } from '../lib/cause.ts';
import { changedProblem, isSameStamp, type MediaFile, stampOf } from '../media/file.ts';

/** Limit for the bytes of files in memory, over all uploads. */
export const MAX_BYTES_IN_FLIGHT = 16 * 1024 * 1024;
/** Small enough that a slow link moves a piece well within the stall limit, large enough to be fast. */
const MAX_PIECE_BYTES = 512 * 1024;
/** undici asks for a piece once the one before has left, so that a buffer is free long before its next turn. */
const BUFFERS_PER_UPLOAD = 4;

/**
 * The buffers that one upload reads its file into, in turn. The next upload in the same lane uses them again, so that
 * memory grows neither with the size nor with the number of files.
 */
export class PieceBuffers {
  readonly pieceBytes: number;
  readonly #buffers: Buffer[] = [];

  /** @param uploads how many run at the same time, each with its own buffers */
  constructor(uploads: number) {
    this.pieceBytes = Math.min(MAX_PIECE_BYTES, Math.floor(MAX_BYTES_IN_FLIGHT / BUFFERS_PER_UPLOAD / uploads));
  }

  /** @param index of the piece, counted from 0 */
  bufferFor(index: number): Buffer {
    return (this.#buffers[index % BUFFERS_PER_UPLOAD] ??= Buffer.allocUnsafeSlow(this.pieceBytes));
  }
}

/** A body that can be sent once, with the headers that describe it. */
export interface FileBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: StreamedBody;
}

const NOTHING = Buffer.alloc(0);

/** The bytes of a file. Throws if it is no longer the file that was inspected. */
export async function plainBody(file: MediaFile, buffers: PieceBuffers): Promise<FileBody> {
  return {
    headers: { 'content-length': String(file.stamp.size), 'content-type': file.type.mime },
    body: await streamFile(file, buffers, { head: NOTHING, tail: NOTHING }),
  };
}

/**
 * The bytes of a file as the part `file` of a form.
 *
 * @param filename made by us: letters, digits, dots and dashes, so that nothing in it has to be escaped
 */
export async function formBody(file: MediaFile, filename: string, buffers: PieceBuffers): Promise<FileBody> {
  const boundary = `gate-${randomUUID()}`;
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: ${file.type.mime}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: {
      'content-length': String(head.length + file.stamp.size + tail.length),
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: await streamFile(file, buffers, { head, tail }),
  };
}

/** What is sent before and after the bytes of the file. */
interface Frame {
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** Head, file and tail as one body. The next piece is read while one is being sent; a small file is one piece. */
async function streamFile(file: MediaFile, buffers: PieceBuffers, { head, tail }: Frame): Promise<StreamedBody> {
  const handle = await openUnchanged(file);
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
      const { bytesRead } = await handle
        .read(target, filled, Math.min(wanted - filled, size - position), position)
        .catch((error: unknown) => {
          throw changedError(file, error);
        });
      // The file is shorter than the length that was announced.
      if (bytesRead === 0) throw changedError(file);
      filled += bytesRead;
    }
    return filled;
  }

  async function* pieces(): AsyncGenerator<Uint8Array> {
    reading = fill(buffers.bufferFor(0), 0);
    for (let index = 0, position = 0; position < length; index += 1) {
      const filled = await reading;
      position += filled;
      if (position < length) {
        reading = fill(buffers.bufferFor(index + 1), position);
        // Thrown when its turn comes, unless the sending ends before.
        reading.catch(() => undefined);
      }
      yield buffers.bufferFor(index).subarray(0, filled);
    }
  }

  return {
    pieces: pieces(),
    close: async () => {
      // The system may give the number of a closed file to another one, which a late read would then read.
      await reading.catch(() => undefined);
      await handle.close();
    },
  };
}

/** Compares the open file, which can no longer be replaced, with the one that was inspected. */
async function openUnchanged(file: MediaFile): Promise<FileHandle> {
  const handle = await open(file.absolutePath, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(
    (error: unknown) => {
      throw changedError(file, error);
    },
  );
  const isUnchanged = await handle.stat().then(
    (stats) => isSameStamp(stampOf(stats), file.stamp),
    () => false,
  );
  if (isUnchanged) return handle;
  await handle.close();
  throw changedError(file);
}

function changedError(file: MediaFile, cause?: unknown): GateError {
  return new GateError(changedProblem(file.path), { cause });
}
