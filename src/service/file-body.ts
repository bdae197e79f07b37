import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { GateError } from '../cause.ts';
import type { MediaFile } from '../media/file.ts';
import { changedProblem, isSameStamp, stampOf } from '../media/stamp.ts';

/** Small enough that a slow link moves a piece well within a stall's patience, large enough to be fast. */
const PIECE_BYTES = 256 * 1024;

/** A body to be sent once, with the headers that describe it. */
export interface FileBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

/** The bytes of a file and nothing else. Throws where it is no longer the file that was inspected. */
export async function bytesOf(file: MediaFile): Promise<FileBody> {
  const handle = await openUnchanged(file);
  return {
    headers: { 'content-length': String(file.stamp.size), 'content-type': file.type.mime },
    body: contentOf(handle, file),
  };
}

/** The bytes of a file as the part `file` of a form. */
export async function formWith(file: MediaFile, filename: string): Promise<FileBody> {
  const boundary = `gate-${randomUUID()}`;
  const head = Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${quotable(filename)}"\r\ncontent-type: ${file.type.mime}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const content = contentOf(await openUnchanged(file), file);
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* content;
    yield tail;
  }
  const body = Readable.from(parts(), { objectMode: false, highWaterMark: PIECE_BYTES });
  // A generator that was never started does not end what it holds.
  body.once('close', () => content.destroy());
  return {
    headers: {
      'content-length': String(head.length + file.stamp.size + tail.length),
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body,
  };
}

/** Closes itself at its end, and where it is destroyed before. */
function contentOf(handle: FileHandle, { stamp }: MediaFile): Readable {
  return handle.createReadStream({ highWaterMark: PIECE_BYTES, start: 0, end: stamp.size - 1 });
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

/** As browsers do it; our own names need none of it. */
function quotable(filename: string): string {
  return filename.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
