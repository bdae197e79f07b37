import { randomUUID } from 'node:crypto';
import type { FileHandle, FileReadResult } from 'node:fs/promises';
import type { Payload, StreamedBody } from '../http/http.ts';
import { concurrently } from '../lib/async.ts';
import { type Cause, FILE, GateError, rerun, SUPPORT, workflowOwner } from '../lib/cause.ts';
import { formatBytes } from '../lib/format.ts';
import type { SendableContent } from '../media/content.ts';
import { assertUnchanged, changedProblem, type MediaFile, openFile, stampOf } from '../media/file.ts';
import { explain } from './advice.ts';
import type { ServiceCalls } from './client.ts';
import { ServiceError } from './service-error.ts';

/** The documented limit is 10 MB, taken as decimal. Larger files use a presigned address, which has no such limit. */
export const DIRECT_UPLOAD_CAP = 10_000_000;

export interface UploadedContent {
  readonly content: SendableContent;
  /** The path that the service chose, which must be sent back unchanged. */
  readonly blobPath: string;
}

interface Upload extends ServiceCalls {
  readonly content: SendableContent;
  /** False once another file was refused: then this file is tried only to report whether it is refused as well. */
  readonly isWanted: () => boolean;
}

/**
 * Uploads all contents. If one file is refused, the others are still tried, so that all refusals are reported at once,
 * but no further large file is sent to the storage. Any other failure ends the uploads.
 */
export async function uploadAll(
  contents: readonly SendableContent[],
  concurrency: number,
  { client, log, deadline }: ServiceCalls,
): Promise<readonly UploadedContent[]> {
  const refusals: Cause[] = [];
  let count = 0;
  // The largest files are sent first: if a large file came last, no other upload would run beside it.
  const largestFirst = contents.toSorted((a, b) => b.size - a.size);
  const uploading = concurrently(largestFirst, concurrency, async (content, stop) => {
    try {
      const signal = AbortSignal.any([deadline.signal, stop]);
      const isWanted = (): boolean => refusals.length === 0;
      const calls = { client, log, deadline: { ...deadline, signal } };
      const blobPath = await uploadOne({ content, isWanted, ...calls });
      if (blobPath === undefined) return undefined;
      count += 1;
      log.info(`[${count}/${contents.length}] ${content.paths[0]}: uploaded, ${formatBytes(content.size)}`);
      return { content, blobPath };
    } catch (error) {
      const causes = refusalOf(error, content);
      if (!causes) throw error;
      refusals.push(...causes);
      return undefined;
    }
  });
  const uploads = await uploading.catch((error: unknown) => {
    if (refusals.length === 0 || !(error instanceof ServiceError)) throw error;
    // An outage, which may be forgiven, must not hide a refusal, which is not.
    throw new GateError([...refusals, explain(error)], { cause: error });
  });
  if (refusals.length > 0) throw new GateError(refusals);
  return uploads.filter((each) => each !== undefined);
}

/** The causes, if only this file was refused. Undefined if the error must end all uploads. */
function refusalOf(error: unknown, content: SendableContent): readonly Cause[] | undefined {
  if (error instanceof GateError) return error.causes;
  if (!(error instanceof ServiceError)) return undefined;
  const isRefusedByStorage = error.storage !== '' && !error.stopsReading;
  const isAboutFile = isRefusedByStorage || error.refuses.includes('upload');
  return isAboutFile ? [explain(error, content.paths[0])] : undefined;
}

/** @returns the `blobPath`, or undefined if this file was not sent because another was refused */
async function uploadOne(one: Upload): Promise<string | undefined> {
  const { content } = one;
  try {
    return content.size <= DIRECT_UPLOAD_CAP ? await uploadDirect(one) : await uploadPresigned(one);
  } finally {
    // If the file changed during the upload, only that is reported: it explains any failure, and the bytes are wrong.
    await assertUnchanged(content.file);
  }
}

async function uploadDirect(one: Upload): Promise<string | undefined> {
  const { content, client, deadline } = one;
  const { file, name } = content;
  try {
    const { blobPath, sizeBytes } = await client.uploadDirect(() => formBody(file, name), deadline);
    if (sizeBytes === content.size) return blobPath;
    throw new GateError({
      reason: 'refused',
      path: file.path,
      message: `The service stored ${sizeBytes} bytes of a file of ${content.size}. Nothing was submitted.`,
      steps: [rerun(), SUPPORT],
    });
  } catch (error) {
    // The service's limit may be lower than documented; a presigned address has no such limit.
    if (error instanceof ServiceError && error.failureClass === 'too large') return await uploadPresigned(one);
    throw error;
  }
}

/** A second address helps if the first address expired, or if the storage refused it by chance. */
const MAX_UPLOAD_ADDRESSES = 2;

async function uploadPresigned(one: Upload): Promise<string | undefined> {
  const { content, client, deadline } = one;
  const { file, name } = content;
  for (let tries = 1; ; tries += 1) {
    // The address is requested just before its use, because it expires.
    const { uploadUrl, blobPath, expiresAt } = await client.uploadUrl(name, file.type.mime, deadline);
    if (!one.isWanted()) return undefined;
    try {
      await client.putFile({ uploadUrl, path: file.path, payload: () => plainBody(file) }, deadline);
      return blobPath;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.failureClass !== 'forbidden') throw error;
      const isExpired = Date.parse(expiresAt ?? '') <= client.calendar.now().date.getTime();
      if (tries === MAX_UPLOAD_ADDRESSES) throw new GateError(forbiddenUpload(file.path, error, isExpired));
      one.log.info(`${file.path}: the upload address ${isExpired ? 'expired' : 'was refused'}; asking for a new one`);
    }
  }
}

function forbiddenUpload(path: string, { message, storage }: ServiceError, isExpired: boolean): Cause {
  const [problem, check] = isExpired
    ? ['expired', `the connection to ${storage} is fast enough for ${FILE}`]
    : ['was refused', `no proxy or firewall on the way to ${storage} changes requests`];
  return {
    reason: 'refused',
    path,
    message: `The upload address of the service ${problem}, twice. ${message}.`,
    steps: [workflowOwner(`Check that ${check}.`), rerun(), SUPPORT],
  };
}

/** A slow connection can send a piece of this size well within the time limit. Smaller pieces would be slower. */
const MAX_PIECE_BYTES = 512 * 1024;
/** undici requests a piece after it has sent the previous one, so a buffer is free long before it is used again. */
const BUFFERS = 4;

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

/** While one piece is being sent, the next one is read. With new buffers for each piece, uploads took twice as long. */
async function* streamFile(file: MediaFile, head?: Buffer, tail?: Buffer): StreamedBody {
  await using handle = await openUnchanged(file);
  const { size } = file;
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
      // The file is shorter than the `content-length` that was sent.
      if (bytesRead === 0) throw changedError(file);
      position += bytesRead;
      if (position < size) reading = readPiece(turn, position);
      yield buffer.subarray(0, bytesRead);
    }
    if (tail) yield tail;
  } catch (error) {
    throw error instanceof GateError ? error : changedError(file, error);
  }
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
