import { ConnectionError, type Http, type HttpAnswer, isLoopback, type Timeouts } from '../http/http.ts';
import { type Cause, GateError } from '../lib/cause.ts';
import type { Log } from '../lib/log.ts';
import { failure, type Result, success } from '../lib/result.ts';
import type { MediaFile } from '../media/file.ts';
import { CONNECT_MS } from './endpoints.ts';
import { type PieceBuffers, plainBody } from './file-body.ts';
import { type Deadline, TRANSFER, withRetries } from './retries.ts';
import { type Failure, formatFailure } from './service-error.ts';

/** Storage may take a while to answer after a large blob; two such waits still fit before it is given up. */
const TIMEOUTS: Timeouts = { connectMs: CONNECT_MS, stallMs: 60_000, answerMs: 75_000 };

/** The outcome of a PUT to a presigned address. `expired`: another address may work. */
export type PutOutcome = 'stored' | 'expired';

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
  const result = await withRetries<PutOutcome>({
    policy: TRANSFER,
    timeouts: TIMEOUTS,
    deadline,
    attempt: async (timeouts) => await put(upload, edges.http, { timeouts, signal: deadline.signal }),
    onRetry: (problem, delayMs) =>
      edges.log.info(
        `${file.path}: the storage ${formatFailure(problem)}; trying again in ${Math.ceil(delayMs / 1000)} s`,
      ),
  });
  if (result.ok) return result.value;
  throw new GateError(explainStorage(result.error, file.path));
}

async function put(
  { uploadUrl, file, buffers }: StorageUpload,
  http: Http,
  limits: { readonly timeouts: Timeouts; readonly signal: AbortSignal },
): Promise<Result<PutOutcome, Failure>> {
  // Read from disk for every try: a stream can be sent only once.
  const { headers, body } = await plainBody(file, buffers);
  try {
    const answer = await http.send({
      method: 'PUT',
      url: uploadUrl,
      headers: { ...headers, 'x-ms-blob-type': 'BlockBlob' },
      body,
      ...limits,
    });
    if (answer.status >= 200 && answer.status < 300) return success('stored');
    if (answer.status === 403) return success('expired');
    return failure(storageRefusalIn(answer));
  } catch (error) {
    if (error instanceof ConnectionError) return failure({ kind: 'connection', error });
    throw error;
  }
}

/** Only the error code of the storage's answer is shown: the rest may repeat parts of the signed address. */
function storageRefusalIn({ status, text, location, retryAfter }: HttpAnswer): Failure {
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
  const isOutage = problem.kind === 'connection' || (problem.kind === 'status' && problem.status >= 500);
  const isBusy = problem.kind === 'status' && (problem.status === 429 || problem.status === 408);
  if (!isOutage && !isBusy) {
    const fix = "Re-run the job. If this happens again, contact the service's support.";
    return { reason: 'refused', path, message, fix };
  }
  const fix =
    problem.kind === 'connection'
      ? (problem.error.fix ?? 'Check that the runner can reach the storage (proxy, firewall), then re-run the job.')
      : 'Re-run the job when the storage is available again.';
  return { reason: 'service', path, message, fix, ...(isOutage && { isOutage }) };
}
