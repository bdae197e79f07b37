import { type Cause, GateError } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import { formatBytes } from '../lib/format.ts';
import type { SendableContent } from '../media/content.ts';
import { assertUnchanged } from '../media/file.ts';
import { explain } from './advice.ts';
import type { Deadline, ServiceClient } from './client.ts';
import { makePieceBuffers, type PieceBuffers } from './file-body.ts';
import { ServiceError } from './service-error.ts';
import { putFile, type StorageEdges } from './storage.ts';

/** 10 MB, read as decimal: what only the binary reading allows is sent by presigned address, which has no such limit. */
export const DIRECT_UPLOAD_CAP = 10_000_000;

/** upload → submit */
export interface UploadedContent {
  readonly content: SendableContent;
  /** As the service gave it, to be sent back unchanged. */
  readonly blobPath: string;
}

export interface UploadOptions extends StorageEdges {
  readonly client: ServiceClient;
  /** How many files are sent at the same time. */
  readonly concurrency: number;
}

/** Sends one file. */
interface Upload {
  readonly content: SendableContent;
  readonly buffers: PieceBuffers;
  readonly options: UploadOptions;
  readonly deadline: Deadline;
}

/**
 * Uploads all contents that have to be sent. After a refusal of one file the others are still tried, so that all refusals
 * are reported at once; any other failure ends the uploads. After any failure nothing is submitted.
 */
export async function upload(
  contents: readonly SendableContent[],
  options: UploadOptions,
  deadline: Deadline,
): Promise<readonly UploadedContent[]> {
  const { concurrency, log } = options;
  const refusals: Cause[] = [];
  const blobPaths = new Map<SendableContent, string>();
  const queue = new UploadQueue(contents, concurrency, DIRECT_UPLOAD_CAP);
  const lanes = Array.from({ length: concurrency }, () => makePieceBuffers(concurrency));
  await concurrently(contents, concurrency, async (_, stop, lane) => {
    const content = queue.next(lane);
    const buffers = lanes[lane];
    if (!content || !buffers) return;
    try {
      const startedAt = Date.now();
      const signal = AbortSignal.any([deadline.signal, stop]);
      const { blobPath, receiver } = await uploadOne({ content, buffers, options, deadline: { ...deadline, signal } });
      blobPaths.set(content, blobPath);
      log.info(
        `[${blobPaths.size}/${contents.length}] ${content.paths[0]}: uploaded to ${receiver}, ${sizeAndRate(content.size, Date.now() - startedAt)}`,
      );
    } catch (error) {
      const causes = refusalOf(error, content);
      if (!causes) throw error;
      refusals.push(...causes);
    }
  });
  if (refusals.length > 0) throw new GateError(refusals);
  return contents.map((content) => {
    const blobPath = blobPaths.get(content);
    // A file that is left out here would never be judged.
    if (blobPath === undefined) throw new RangeError(`${content.file.path} was not sent`);
    return { content, blobPath };
  });
}

/** The causes if only this file was refused; undefined if the run cannot go on. */
function refusalOf(error: unknown, content: SendableContent): readonly Cause[] | undefined {
  if (error instanceof ServiceError && error.isAboutOneFile) return [explain(error, content.paths[0])];
  if (error instanceof GateError && error.causes.every(({ reason }) => reason === 'refused' || reason === 'pre-flight'))
    return error.causes;
  return undefined;
}

interface Uploaded {
  readonly blobPath: string;
  /** For the log: storage is another host, which a firewall may block. */
  readonly receiver: 'the service' | 'its storage';
}

async function uploadOne(one: Upload): Promise<Uploaded> {
  const { content } = one;
  try {
    return content.size <= DIRECT_UPLOAD_CAP ? await uploadDirect(one) : await uploadPresigned(one);
  } finally {
    // A file that changed while it was sent explains every other failure, and makes a success worthless.
    await assertUnchanged(content.file);
  }
}

async function uploadDirect(one: Upload): Promise<Uploaded> {
  const { content, buffers, options, deadline } = one;
  const { file, name } = content;
  try {
    const { blobPath, sizeBytes } = await options.client.uploadDirect({ filename: name, file, buffers }, deadline);
    if (sizeBytes === content.size) return { blobPath, receiver: 'the service' };
    throw new GateError({
      reason: 'refused',
      path: file.path,
      message: `The service stored ${sizeBytes} bytes of a file of ${content.size}.`,
      fix: "Nothing was submitted or billed. Re-run the job. If this happens again, contact the service's support.",
    });
  } catch (error) {
    // The service's limit may be lower than documented; a presigned address has no such limit.
    if (error instanceof ServiceError && error.status === 413) return await uploadPresigned(one);
    throw error;
  }
}

/** A second address helps if the first one expired, or was refused by chance. */
const MAX_UPLOAD_ADDRESSES = 2;

async function uploadPresigned({ content, buffers, options, deadline }: Upload): Promise<Uploaded> {
  const { file, name } = content;
  for (let tries = 1; ; tries += 1) {
    // Requested just before its use, because it expires.
    const { uploadUrl, blobPath, expiresAt } = await options.client.uploadUrl(name, file.type.mime, deadline);
    const outcome = await putFile({ uploadUrl, file, buffers }, options, deadline);
    if (outcome === 'stored') return { blobPath, receiver: 'its storage' };
    const isExpired = Date.parse(expiresAt ?? '') <= Date.now();
    if (tries === MAX_UPLOAD_ADDRESSES) throw new GateError(forbiddenUpload(file.path, isExpired));
    const problem = isExpired ? 'the upload address has expired' : 'the storage refused the upload address (403)';
    options.log.info(`${file.path}: ${problem}; asking for a new one`);
  }
}

function forbiddenUpload(path: string, isExpired: boolean): Cause {
  const contact = "If this happens again, contact the service's support.";
  if (isExpired) {
    const message =
      'The upload address of the service expired before the storage had taken the file, and so did a second one.';
    const fix = `Check that the connection to the storage is fast enough for this file, then re-run the job. ${contact}`;
    return { reason: 'refused', path, message, fix };
  }
  const message = 'The storage refused two fresh upload addresses of the service (403).';
  const fix = `Check that no proxy between the runner and the storage changes requests, then re-run the job. ${contact}`;
  return { reason: 'refused', path, message, fix };
}

function sizeAndRate(bytes: number, milliseconds: number): string {
  const seconds = Math.max(milliseconds, 1) / 1000;
  return `${formatBytes(bytes)} in ${seconds.toFixed(1)} s (${formatBytes(Math.round(bytes / seconds))}/s)`;
}

/**
 * Decides which file each lane sends next. Large files need bandwidth and small ones wait for responses, so both are sent
 * at the same time: half of the lanes start with the large files, the largest first, the others with the small ones. A
 * lane that has none of its kind left takes the other kind.
 */
export class UploadQueue {
  readonly #large: SendableContent[];
  readonly #small: SendableContent[];
  readonly #largeLanes: number;

  /** @param maxSmallBytes a file of this size is still small */
  constructor(contents: readonly SendableContent[], lanes: number, maxSmallBytes: number) {
    this.#large = contents.filter(({ size }) => size > maxSmallBytes).toSorted((a, b) => a.size - b.size);
    this.#small = contents.filter(({ size }) => size <= maxSmallBytes).toReversed();
    this.#largeLanes = Math.ceil(lanes / 2);
  }

  /** @param lane counted from 0 */
  next(lane: number): SendableContent | undefined {
    const [own, others] = lane < this.#largeLanes ? [this.#large, this.#small] : [this.#small, this.#large];
    return own.pop() ?? others.pop();
  }
}
