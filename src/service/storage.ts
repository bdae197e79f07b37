import { isLoopback } from '../http/address.ts';
import { ConnectionError, type Http, type HttpAnswer, type Timeouts } from '../http/http.ts';
import { type Cause, GateError } from '../lib/cause.ts';
import type { Log } from '../lib/log.ts';
import type { MediaFile } from '../media/file.ts';
import { describe, type Failure } from './failure.ts';
import { bytesOf } from './file-body.ts';
import type { PieceBuffers } from './piece-buffers.ts';
import { TRANSFER } from './retry-policy.ts';
import { type Attempt, type Deadline, withRetries } from './with-retries.ts';

/** Storage may think for a while over a large blob before it answers, but not so long that no time is left to try again. */
const PATIENCE: Timeouts = { answerMs: 75_000, stallMs: 60_000 };

/** How a PUT to a presigned address ended. `expired`: the address is no longer good, a new one may be. */
export type PutOutcome = 'stored' | 'expired';

export interface StorageEdges {
  readonly http: Http;
  readonly log: Log;
  /** The service's own address: where that is this machine, storage may be, too. */
  readonly baseUrl: string;
  readonly buffers: PieceBuffers;
}

/**
 * Sends a file's bytes to the address that the service gave. Storage is not the service: it gets no API key, and its
 * address is a secret of its own that no message may hold.
 */
export async function putFile(
  uploadUrl: string,
  file: MediaFile,
  edges: StorageEdges,
  deadline: Deadline,
): Promise<PutOutcome> {
  refuseUnsafe(uploadUrl, edges.baseUrl, file.path);
  const result = await withRetries<PutOutcome>({
    policy: TRANSFER,
    timeouts: PATIENCE,
    deadline,
    attempt: async (timeouts) => await put(uploadUrl, file, edges, timeouts, deadline.signal),
    onRetry: (failure, delayMs) =>
      edges.log.info(`${file.path}: the storage ${describe(failure)}; trying again in ${Math.ceil(delayMs / 1000)} s`),
  });
  if ('value' in result) return result.value;
  throw new GateError(explainStorage(result.failure, file.path));
}

async function put(
  url: string,
  file: MediaFile,
  { http, buffers }: StorageEdges,
  timeouts: Timeouts,
  signal: AbortSignal,
): Promise<Attempt<PutOutcome>> {
  // Read from disk anew for every try: a stream can be sent once.
  const { headers, body } = await bytesOf(file, buffers);
  try {
    const answer = await http.send({
      method: 'PUT',
      url,
      headers: { ...headers, 'x-ms-blob-type': 'BlockBlob' },
      body,
      timeouts,
      signal,
    });
    if (answer.status >= 200 && answer.status < 300) return { value: 'stored' };
    if (answer.status === 403) return { value: 'expired' };
    return { failure: failureOf(answer) };
  } catch (error) {
    if (error instanceof ConnectionError) return { failure: { kind: 'connection', error } };
    throw error;
  }
}

/** Of the storage's words only its error code is told: the rest may repeat parts of the signed address. */
function failureOf({ status, text, location, retryAfter }: HttpAnswer): Failure {
  const words = /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? '';
  return { kind: 'status', status, words, location, retryAfter };
}

/** Only https, but for a service on this machine: there is no wire to listen on. */
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
    fix: 'Nothing was sent to it. Tell the service: somebody on the way could read the file.',
  });
}

function explainStorage(failure: Failure, path: string): Cause {
  const message = `The storage did not take the file: it ${describe(failure)}.`;
  const isOutage = failure.kind === 'connection' || (failure.kind === 'status' && failure.status >= 500);
  const isBusy = failure.kind === 'status' && (failure.status === 429 || failure.status === 408);
  if (!isOutage && !isBusy) {
    return { reason: 'refused', path, message, fix: 'Re-run the job; if it stays, tell the service.' };
  }
  const fix =
    failure.kind === 'connection'
      ? (failure.error.fix ?? 'Check that the runner may reach the storage (proxy, firewall), then re-run the job.')
      : 'Re-run the job when the storage is well again.';
  return { reason: 'service', path, message, fix };
}
