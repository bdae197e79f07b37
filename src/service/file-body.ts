import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Payload, StreamedBody } from '../http/http.ts';
import { GateError } from '../lib/cause.ts';
import { changedProblem, type MediaFile, openFile, stampOf } from '../media/file.ts';

/** A slow connection can send a piece of this size well within the time limit. Smaller pieces would be slower. */
const MAX_PIECE_BYTES = 512 * 1024;

/** The bytes of a file. The body throws if the file has changed since its inspection. */
export function plainBody(file: MediaFile): Payload {
  return {
    headers: { 'content-length': String(file.size), 'content-type': file.type.mime },
    body: streamFile(file),
  };
}

/** The part `file` of a multipart form. The gate generated the name, so it has no character that needs escaping. */
export function formBody(file: MediaFile, filename: string): Payload {
  const boundary = `gate-${randomUUID()}`;
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\ncontent-type: ${file.type.mime}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const length = head.length + file.size + tail.length;
  const contentType = `multipart/form-data; boundary=${boundary}`;
  return {
    headers: { 'content-length': String(length), 'content-type': contentType },
    body: streamFile(file, head, tail),
  };
}

/** While one piece is being sent, the stream reads the next one. */
async function* streamFile(file: MediaFile, head?: Buffer, tail?: Buffer): StreamedBody {
  await using handle = await openUnchanged(file);
  let left = file.size;
  try {
    if (head) yield head;
    for await (const piece of handle.createReadStream({ end: file.size - 1, highWaterMark: MAX_PIECE_BYTES })) {
      left -= piece.length;
      yield piece;
    }
  } catch (error) {
    throw changedError(file, error);
  }
  // The file is shorter than the `content-length` that was sent.
  if (left > 0) throw changedError(file);
  if (tail) yield tail;
}

/** Opens the file and checks that it is the inspected one. Once open, the file cannot be replaced by another. */
async function openUnchanged(file: MediaFile): Promise<FileHandle> {
  const handle = await openFile(file);
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
