import { type Cause, GateError, rerun, SUPPORT } from '../causes/cause.ts';
import { concurrently } from '../lib/async.ts';
import { formatBytes } from '../lib/format.ts';
import type { SendableContent } from '../media/content.ts';
import { formBody } from '../media/file.ts';
import { explain } from './advice.ts';
import { MAX_CONCURRENT_REQUESTS, type ServiceCalls } from './client.ts';
import { orError, ServiceError } from './service-error.ts';

/** The documented limit is 10 MB, taken as decimal. Larger files use a presigned address, which has no such limit. */
const DIRECT_UPLOAD_CAP = 10_000_000;

export interface UploadedContent {
  readonly content: SendableContent;
  /** The path that the service chose, which must be sent back unchanged. */
  readonly blobPath: string;
}

/**
 * Uploads all contents. If one file is refused, the others are still tried, so that all refusals are reported at once. Any
 * other failure ends the uploads.
 */
export async function uploadAll(
  contents: readonly SendableContent[],
  { client, log, deadline }: ServiceCalls,
): Promise<readonly UploadedContent[]> {
  const refusals: Cause[] = [];
  let count = 0;
  // The largest files are sent first: if a large file came last, no other upload would run beside it.
  const largestFirst = contents.toSorted((a, b) => b.size - a.size);
  const uploading = concurrently(largestFirst, MAX_CONCURRENT_REQUESTS, async (content, stop) => {
    const signal = AbortSignal.any([deadline.signal, stop]);
    try {
      const calls = { client, log, deadline: { ...deadline, signal } };
      const direct = content.size <= DIRECT_UPLOAD_CAP ? await uploadDirect(content, calls) : undefined;
      const blobPath = direct ?? (await uploadPresigned(content, calls));
      count += 1;
      log.info(`[${count}/${contents.length}] ${content.paths[0]}: uploaded, ${formatBytes(content.size)}`);
      return { content, blobPath };
    } catch (error) {
      if (error instanceof GateError) refusals.push(...error.causes);
      else if (isAboutFile(error)) refusals.push(explain(error, content.paths[0]));
      else throw error;
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

/** Whether the service or the storage refused only this file. */
function isAboutFile(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  if (error.storage !== '') return !error.stopsReading;
  return ['forbidden', 'too large', 'wrong type', 'invalid'].includes(error.failureClass);
}

/** @returns the `blobPath`, or undefined if the file is too large: the service's limit may be lower than documented */
async function uploadDirect(
  { file, name, size }: SendableContent,
  { client, deadline }: ServiceCalls,
): Promise<string | undefined> {
  const response = await orError(client.uploadDirect(() => formBody(file, name), deadline));
  if (response instanceof ServiceError) {
    if (response.failureClass === 'too large') return undefined;
    throw response;
  }
  const { blobPath, sizeBytes } = response;
  if (sizeBytes === size) return blobPath;
  const message = `The service stored ${sizeBytes} bytes of a file of ${size}. Nothing was submitted.`;
  throw new GateError({ reason: 'refused', path: file.path, message, steps: [rerun(), SUPPORT] });
}

/** A second address helps if the first address expired, or if the storage refused it by chance. */
const MAX_UPLOAD_ADDRESSES = 2;

async function uploadPresigned(
  { file, name }: SendableContent,
  { client, log, deadline }: ServiceCalls,
): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    // The address is requested just before its use, because it expires.
    const { uploadUrl, blobPath } = await client.uploadUrl(name, file.type.mime, deadline);
    const error = await orError(client.putFile(file, uploadUrl, deadline));
    if (!(error instanceof ServiceError)) return blobPath;
    if (error.failureClass !== 'forbidden' || tries === MAX_UPLOAD_ADDRESSES) throw error;
    log.info(`${file.path}: the storage refused the upload address; asking for a new one`);
  }
}
