import { randomUUID } from 'node:crypto';
import type { FileReadResult } from 'node:fs/promises';
import { GateError } from '../causes/cause.ts';
import type { Payload, StreamedBody } from '../http/http.ts';
import { asReadProblem, changedProblem, type MediaFile, openFile, stampOf } from './file.ts';

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

/** While one piece is being sent, the next one is read. With new buffers for each piece, uploads took twice as long. */
async function* streamFile(file: MediaFile, head?: Buffer, tail?: Buffer): StreamedBody {
  const { path, size, stamp } = file;
  // Once open, the file cannot be replaced by another.
  await using handle = await openFile(file);
  const buffers: Buffer[] = [];
  const readPiece = (turn: number, position: number): Promise<FileReadResult<Buffer>> => {
    const buffer = (buffers[turn % BUFFERS] ??= Buffer.allocUnsafeSlow(Math.min(size, MAX_PIECE_BYTES)));
    const reading = handle.read(buffer, 0, Math.min(buffer.length, size - position), position);
    // The loop below awaits this read and throws its error. If sending ends before, the error is ignored.
    reading.catch(() => undefined);
    return reading;
  };
  try {
    let reading = readPiece(0, 0);
    if (head) yield head;
    for (let turn = 1, position = 0; position < size; turn += 1) {
      const { buffer, bytesRead } = await reading;
      position += bytesRead;
      const isWhole = position === size;
      // Checked before the last piece is sent: the service must not get the whole of other bytes.
      if (bytesRead === 0 || (isWhole && stampOf(await handle.stat()) !== stamp))
        throw new GateError(changedProblem(path));
      if (!isWhole) reading = readPiece(turn, position);
      yield buffer.subarray(0, bytesRead);
    }
    if (tail) yield tail;
  } catch (error) {
    throw asReadProblem(error, path);
  }
}
