import { ConnectionError, type HttpResponse, isSuccess, type Payload } from '../http/http.ts';
import { isLoopback } from '../http/proxy.ts';
import { forOwner, GateError } from '../lib/cause.ts';
import { isWebPage, WEB_PAGE } from '../lib/format.ts';
import { UPLOAD } from './endpoints.ts';
import type { RequesterOptions } from './requester.ts';
import { type Failure, ServiceError } from './service-error.ts';
import { type Deadline, withTries } from './tries.ts';

export interface StorageUpload {
  readonly uploadUrl: string;
  readonly path: string;
  readonly payload: () => Payload;
}

/**
 * Sends the bytes of a file to the address that the service gave. The storage is not part of the service, so it gets no
 * API key. No message may contain the query of the address, because it is signed.
 */
export async function sendToStorage(
  { uploadUrl, path, payload }: StorageUpload,
  { http, log, access }: Pick<RequesterOptions, 'http' | 'log' | 'access'>,
  deadline: Deadline,
): Promise<void> {
  refuseUnsafe(uploadUrl, access.baseUrl, path);
  const { host } = new URL(uploadUrl);
  const failed = (failure: Failure): ServiceError => new ServiceError('storing the file', failure, host);
  await withTries({
    policy: UPLOAD,
    deadline,
    attempt: async (timeoutMs) => {
      const { headers, body } = payload();
      const request = { url: uploadUrl, headers: { ...headers, 'x-ms-blob-type': 'BlockBlob' }, body, timeoutMs };
      const response = await http
        .send({ method: 'PUT', ...request, signal: deadline.signal })
        .catch((error: unknown) => {
          throw error instanceof ConnectionError ? failed(error) : error;
        });
      const { status, retryAfter } = response;
      if (!isSuccess(response) && !isStoredAlready(response))
        throw failed({ status, message: codeIn(response), isPage: false, retryAfter });
    },
    onPause: ({ message }, delayMs) => log.info(`${path}: ${message}; trying again in ${Math.ceil(delayMs / 1000)} s`),
  });
}

/** Only the error code of the storage's response is shown: other parts may contain the signed address. */
function codeIn({ text = '' }: HttpResponse): string {
  return /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? (isWebPage(text) ? WEB_PAGE : '');
}

/** Whether the storage has the blob already. It has the same bytes, because its name is derived from them. */
function isStoredAlready(response: HttpResponse): boolean {
  const codes = ['BlobAlreadyExists', 'ConditionNotMet', 'PreconditionFailed'];
  return [409, 412].includes(response.status) && codes.includes(codeIn(response));
}

/** Allows only https. If the service and the storage are on this machine, plain http is allowed as well. */
function refuseUnsafe(uploadUrl: string, baseUrl: string, path: string): void {
  const { protocol, host, hostname } = new URL(uploadUrl);
  const isLocal = isLoopback(hostname) && isLoopback(new URL(baseUrl).hostname);
  if (protocol === 'https:' || (protocol === 'http:' && isLocal)) return;
  const message = `The service gave an upload address that is not https (${protocol}//${host}). Nothing was sent, because others on the network could read the file.`;
  throw new GateError({ ...forOwner('refused', message, "Contact the service's support."), path });
}
