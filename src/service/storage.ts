import { ConnectionError, type Http, type HttpResponse, isLoopback, type Timeouts } from '../http/http.ts';
import { type Cause, GateError } from '../lib/cause.ts';
import type { Log } from '../lib/log.ts';
import type { MediaFile } from '../media/file.ts';
import { CONNECT_MS } from './endpoints.ts';
import { type PieceBuffers, plainBody } from './file-body.ts';
import { type Deadline, TRANSFER, withRetries } from './retries.ts';
import { type Failure, formatFailure, isTransient, RequestError } from './service-error.ts';

/** Storage may take a while to respond after a large blob; two such waits still fit before it is given up. */
const TIMEOUTS: Timeouts = { connectMs: CONNECT_MS, responseMs: 75_000 };

/** The outcome of a PUT to a presigned address. `forbidden` (403): another address may work. */
export type PutOutcome = 'stored' | 'forbidden';

export interface StorageEdges {
  readonly http: Http;
  readonly log: Log;
  /** The service's own address: storage may be on this machine only if the service is. */
  readonly baseUrl: string;
}

export interface StorageUpload {
  readonly uploadUrl: string;
  readonly file: MediaFile;
  readonly buffers: PieceBuffers;
}

/**
 * Sends the bytes of a file to the address that the service gave. Storage is not the service: it gets no API key, and no
 * message may hold its address, which is signed.
 */
export async function putFile(upload: StorageUpload, edges: StorageEdges, deadline: Deadline): Promise<PutOutcome> {
  const { uploadUrl, file } = upload;
  refuseUnsafe(uploadUrl, edges.baseUrl, file.path);
  try {
    return await withRetries({
      policy: TRANSFER,
      timeouts: TIMEOUTS,
      deadline,
      attempt: async (timeouts) => await put(upload, edges.http, { timeouts, signal: deadline.signal }),
      onRetry: (problem, delayMs) =>
        edges.log.info(
          `${file.path}: the storage ${formatFailure(problem)}; trying again in ${Math.ceil(delayMs / 1000)} s`,
        ),
    });
  } catch (error) {
    throw error instanceof RequestError ? new GateError(explainStorage(error.failure, file.path)) : error;
  }
}

async function put(
  { uploadUrl, file, buffers }: StorageUpload,
  http: Http,
  limits: { readonly timeouts: Timeouts; readonly signal: AbortSignal },
): Promise<PutOutcome> {
  // Read from disk for every try: a stream can be sent only once.
  const { headers, body } = plainBody(file, buffers);
  const request = { url: uploadUrl, headers: { ...headers, 'x-ms-blob-type': 'BlockBlob' }, body, ...limits };
  const response = await http.send({ method: 'PUT', ...request }).catch((error: unknown) => {
    throw error instanceof ConnectionError ? storageError({ kind: 'connection', error }) : error;
  });
  if (response.status >= 200 && response.status < 300) return 'stored';
  if (response.status === 403) return 'forbidden';
  throw storageError(storageRefusalIn(response));
}

function storageError(failure: Failure): RequestError {
  return new RequestError(`The storage ${formatFailure(failure)}`, failure);
}

/** Only the error code of the storage's response is shown: the rest may repeat parts of the signed address. */
function storageRefusalIn({ status, text = '', location, retryAfter }: HttpResponse): Failure {
  const message = /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? '';
  return { kind: 'status', status, message, location, retryAfter };
}

/** Only https, unless the service is on this machine: then the data never leave it. */
export function isSafeTarget(target: URL, baseUrl: string): boolean {
  return target.protocol === 'https:' || (target.protocol === 'http:' && isLoopback(new URL(baseUrl).hostname));
}

function refuseUnsafe(uploadUrl: string, baseUrl: string, path: string): void {
  const target = new URL(uploadUrl);
  if (isSafeTarget(target, baseUrl)) return;
  throw new GateError({
    reason: 'refused',
    path,
    message: `The service gave an upload address that is not https (${target.protocol}//${target.host}).`,
    fix: "Nothing was sent, because others on the network could read the file. Contact the service's support.",
  });
}

function explainStorage(problem: Failure, path: string): Cause {
  const message = `The storage did not take the file: it ${formatFailure(problem)}.`;
  const isTemporary = problem.kind === 'connection' || (problem.kind === 'status' && isTransient(problem.status));
  if (!isTemporary) {
    const fix = "Re-run the job. If this happens again, contact the service's support.";
    return { reason: 'refused', path, message, fix };
  }
  const fix =
    problem.kind === 'connection'
      ? (problem.error.fix ?? 'Check that the runner can reach the storage (proxy, firewall), then re-run the job.')
      : 'Re-run the job when the storage is available again.';
  return { reason: 'service', path, message, fix };
}
