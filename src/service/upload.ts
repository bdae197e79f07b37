import { type Cause, GateError } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import { formatBytes } from '../lib/format.ts';
import type { SendableContent } from '../media/content.ts';
import { assertUnchanged } from '../media/stamp.ts';
import type { Deadline, ServiceClient } from './client.ts';
import { PieceBuffers } from './piece-buffers.ts';
import { explain, ServiceError } from './service-error.ts';
import { putFile, type StorageEdges } from './storage.ts';
import { UploadQueue } from './upload-queue.ts';

/** 10 MB, read as decimal: what both readings allow goes direct, what only one allows goes the way that always works. */
export const DIRECT_UPLOAD_CAP = 10_000_000;

/** upload → submit */
export interface UploadedContent {
  readonly content: SendableContent;
  /** As the service gave it, to be handed back unchanged. */
  readonly blobPath: string;
}

export interface UploadEdges extends Omit<StorageEdges, 'buffers'> {
  readonly client: ServiceClient;
}

type LaneEdges = UploadEdges & StorageEdges;

/**
 * Uploads all contents that have to be sent. A file that the service refuses does not keep the others from being tried, so
 * that all refusals are known at once; anything else ends it. One failure means that nothing is submitted.
 */
export async function upload(
  contents: readonly SendableContent[],
  concurrency: number,
  edges: UploadEdges,
  deadline: Deadline,
): Promise<readonly UploadedContent[]> {
  const refusals: Cause[] = [];
  const blobPaths = new Map<SendableContent, string>();
  const queue = new UploadQueue(contents, concurrency, DIRECT_UPLOAD_CAP);
  const laneEdges = { ...edges, buffers: new PieceBuffers(concurrency) };
  await concurrently(contents, concurrency, async (_, stop, lane) => {
    const content = queue.next(lane);
    if (!content) return;
    try {
      const startedAt = Date.now();
      const signal = AbortSignal.any([deadline.signal, stop]);
      const { blobPath, receiver } = await uploadOne(content, laneEdges, { ...deadline, signal });
      blobPaths.set(content, blobPath);
      edges.log.info(
        `[${blobPaths.size}/${contents.length}] ${content.paths[0]}: sent to ${receiver}, ${sizeAndRate(content.size, Date.now() - startedAt)}`,
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

/** The causes where this one file is to blame; undefined where it is the run that cannot go on. */
function refusalOf(error: unknown, content: SendableContent): readonly Cause[] | undefined {
  if (error instanceof ServiceError && error.isAboutOneFile) return [explain(error, content.paths[0])];
  if (error instanceof GateError && error.causes.every(({ reason }) => reason === 'refused' || reason === 'pre-flight'))
    return error.causes;
  return undefined;
}

interface Uploaded {
  readonly blobPath: string;
  /** In words for the log: storage is another host, and may be the one that a firewall keeps out. */
  readonly receiver: 'the service' | 'its storage';
}

async function uploadOne(content: SendableContent, edges: LaneEdges, deadline: Deadline): Promise<Uploaded> {
  try {
    return content.size <= DIRECT_UPLOAD_CAP
      ? await direct(content, edges, deadline)
      : await presigned(content, edges, deadline);
  } finally {
    // A file that changes while it is sent explains every other failure, and makes a success worthless.
    await assertUnchanged(content.file);
  }
}

async function direct(content: SendableContent, edges: LaneEdges, deadline: Deadline): Promise<Uploaded> {
  try {
    const { blobPath, sizeBytes } = await edges.client.uploadDirect(
      content.name,
      content.file,
      edges.buffers,
      deadline,
    );
    if (sizeBytes === content.size) return { blobPath, receiver: 'the service' };
    throw new GateError({
      reason: 'refused',
      path: content.file.path,
      message: `The service stored ${sizeBytes} bytes of a file of ${content.size}.`,
      fix: 'Nothing was submitted or billed. Re-run the job; if it stays, tell the service.',
    });
  } catch (error) {
    // Its cap may be smaller than the document says; the other way has none below the category's.
    if (error instanceof ServiceError && error.status === 413) return await presigned(content, edges, deadline);
    throw error;
  }
}

async function presigned(content: SendableContent, edges: LaneEdges, deadline: Deadline): Promise<Uploaded> {
  const { file, name } = content;
  for (const isLastTry of [false, true]) {
    // Asked for just before its use: it expires.
    const { uploadUrl, blobPath } = await edges.client.uploadUrl(name, file.type.mime, deadline);
    const outcome = await putFile(uploadUrl, file, edges, deadline);
    if (outcome === 'stored') return { blobPath, receiver: 'its storage' };
    if (isLastTry) break;
    edges.log.info(`${file.path}: the storage no longer takes the upload address; asking for a new one`);
  }
  throw new GateError({
    reason: 'refused',
    path: file.path,
    message: 'The storage refused two fresh upload addresses of the service (403).',
    fix: 'Check that nothing between the runner and the storage changes requests (proxy), then re-run the job; if it stays, tell the service.',
  });
}

function sizeAndRate(bytes: number, milliseconds: number): string {
  const seconds = Math.max(milliseconds, 1) / 1000;
  return `${formatBytes(bytes)} in ${seconds.toFixed(1)} s (${formatBytes(Math.round(bytes / seconds))}/s)`;
}
