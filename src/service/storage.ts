import { createReadStream } from 'node:fs';
import { sleep } from '../clock.ts';
import { GateError } from '../cause.ts';
import type { MediaFile } from '../media/file.ts';
import { isLoopback } from './address.ts';
import type { Effort } from './client.ts';
import { ConnectionError, type Http, type HttpAnswer, type Patience } from './http.ts';
import { backoff, GIVE_UP_MS, REPEATABLE } from './retry.ts';

/** Storage may think for a while over a large blob before it answers. */
const PATIENCE: Patience = { answerMs: 120_000, stallMs: 30_000 };

const READ_SIZE = 1024 * 1024;

/** How a PUT to a presigned address ended. `expired`: the address is no longer good, a new one may be. */
export type PutOutcome = 'stored' | 'expired';

/**
 * Sends a file's bytes to the address that the service gave. Storage is not the service: it gets no API key, and its
 * address is a secret of its own that no message may hold.
 */
export async function putFile(
  http: Http,
  uploadUrl: string,
  baseUrl: string,
  file: MediaFile,
  effort: Effort,
): Promise<PutOutcome> {
  refuseUnsafe(uploadUrl, baseUrl, file.path);
  let firstFailureAt: number | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await put(http, uploadUrl, file, effort.signal);
    const isAnswer = !(answer instanceof ConnectionError);
    if (isAnswer && answer.status >= 200 && answer.status < 300) return 'stored';
    if (isAnswer && answer.status === 403) return 'expired';
    firstFailureAt ??= Date.now();
    const delay = backoff(attempt);
    const isFinal = isAnswer && !REPEATABLE.statuses.includes(answer.status);
    if (isFinal || Date.now() + delay > Math.min(effort.until, firstFailureAt + GIVE_UP_MS))
      throw storageError(answer, file.path);
    await sleep(delay, effort.signal);
  }
}

async function put(
  http: Http,
  url: string,
  file: MediaFile,
  signal: AbortSignal,
): Promise<HttpAnswer | ConnectionError> {
  // Read from disk anew for every try: a stream can be sent once.
  const body = createReadStream(file.absolutePath, { highWaterMark: READ_SIZE, end: file.stamp.size - 1 });
  try {
    return await http.send({
      method: 'PUT',
      url,
      headers: {
        'content-length': String(file.stamp.size),
        'content-type': file.type.mime,
        'x-ms-blob-type': 'BlockBlob',
      },
      body,
      patience: PATIENCE,
      signal,
    });
  } catch (error) {
    if (error instanceof ConnectionError) return error;
    throw error;
  } finally {
    body.destroy();
  }
}

function refuseUnsafe(uploadUrl: string, baseUrl: string, path: string): void {
  const target = new URL(uploadUrl);
  const isLocalTest = target.protocol === 'http:' && isLoopback(new URL(baseUrl).hostname);
  if (target.protocol === 'https:' || isLocalTest) return;
  throw new GateError({
    reason: 'refused',
    path,
    message: `The service gave an upload address that is not https (${target.protocol}//${target.host}).`,
    fix: 'Nothing was sent to it. Tell the service; a man in the middle could read the file.',
  });
}

function storageError(answer: HttpAnswer | ConnectionError, path: string): GateError {
  if (answer instanceof ConnectionError) {
    return new GateError(
      {
        reason: 'service',
        path,
        message: `The storage did not take the file: ${answer.what}.`,
        fix: 'Check the network (proxy, firewall), then re-run the job.',
      },
      { cause: answer },
    );
  }
  const isOutage = answer.status >= 500 || answer.status === 429;
  return new GateError({
    reason: isOutage ? 'service' : 'refused',
    path,
    message: `The storage did not take the file: it answered ${answer.status}.`,
    fix: isOutage ? 'Re-run the job when the storage is well again.' : 'Re-run the job; if it stays, tell the service.',
  });
}
