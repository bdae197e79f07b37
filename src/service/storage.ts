import { ConnectionError, type HttpResponse, isLoopback, type Payload } from '../http/http.ts';
import { GateError, workflowOwner } from '../lib/cause.ts';
import { explain } from './advice.ts';
import { UPLOAD } from './endpoints.ts';
import { type Failure, isSuccess } from './failure.ts';
import type { RequesterOptions } from './requester.ts';
import { ServiceError } from './service-error.ts';
import { type Deadline, withTries } from './tries.ts';

const STORING = 'storing the file';

export interface StorageUpload {
  readonly uploadUrl: string;
  readonly path: string;
  /** Called for every try: a stream can be sent only once. */
  readonly payload: () => Payload;
}

/**
 * Sends the bytes of a file to the address that the service gave. The storage is not part of the service, so it gets no
 * API key. No message may contain the address, because it is signed.
 *
 * @returns false if the storage refused the address: a new address may work
 */
export async function putFile(
  { uploadUrl, path, payload }: StorageUpload,
  { http, log, access }: Pick<RequesterOptions, 'http' | 'log' | 'access'>,
  deadline: Deadline,
): Promise<boolean> {
  refuseUnsafe(uploadUrl, access.baseUrl, path);
  try {
    await withTries({
      policy: UPLOAD,
      deadline,
      attempt: async (timeoutMs) => {
        const { headers, body } = payload();
        const request = { url: uploadUrl, headers: { ...headers, 'x-ms-blob-type': 'BlockBlob' }, body, timeoutMs };
        const response = await http
          .send({ method: 'PUT', ...request, signal: deadline.signal })
          .catch((error: unknown) => {
            throw error instanceof ConnectionError ? new ServiceError(STORING, { kind: 'connection', error }) : error;
          });
        if (!isSuccess(response)) throw new ServiceError(STORING, refusalIn(response));
      },
      onPause: ({ message }, delayMs) =>
        log.info(`${path}: ${message}; trying again in ${Math.ceil(delayMs / 1000)} s`),
    });
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.failureClass === 'forbidden') return false;
    throw new GateError(explain(error, path), { cause: error });
  }
}

/** Only the error code of the storage's response is shown: other parts may contain the signed address. */
function refusalIn({ status, text = '', location, retryAfter }: HttpResponse): Failure {
  const message = /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? '';
  return { kind: 'status', status, message, location, retryAfter };
}

/** Allows only https. If the service and the storage are on this machine, plain http is allowed as well. */
function refuseUnsafe(uploadUrl: string, baseUrl: string, path: string): void {
  const { protocol, host, hostname } = new URL(uploadUrl);
  const isLocal = isLoopback(hostname) && isLoopback(new URL(baseUrl).hostname);
  if (protocol === 'https:' || (protocol === 'http:' && isLocal)) return;
  throw new GateError({
    reason: 'refused',
    path,
    message: `The service gave an upload address that is not https (${protocol}//${host}). Nothing was sent, because others on the network could read the file.`,
    steps: [workflowOwner("Contact the service's support.")],
  });
}
