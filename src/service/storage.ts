import { forOwner, GateError } from '../causes/cause.ts';
import { ConnectionError, isSuccess, isWebPage, WEB_PAGE } from '../http/http.ts';
import { isLoopback } from '../http/proxy.ts';
import { type MediaFile, plainBody } from '../media/file.ts';
import { STORAGE } from './endpoints.ts';
import type { RequesterOptions } from './requester.ts';
import { ServiceError } from './service-error.ts';
import { type Deadline, withTries } from './tries.ts';

const STORED_CODES = ['BlobAlreadyExists', 'ConditionNotMet', 'PreconditionFailed'];

/**
 * Sends the bytes of a file to the address that the service gave. The storage is not part of the service, so it gets no
 * API key. No message may contain the query of the address, because it is signed.
 */
export async function sendToStorage(
  { file, uploadUrl }: { readonly file: MediaFile; readonly uploadUrl: string },
  { http, log, access, clean }: RequesterOptions,
  deadline: Deadline,
): Promise<void> {
  const { path } = file;
  const { protocol, host, hostname } = new URL(uploadUrl);
  const isLocal = isLoopback(hostname) && isLoopback(new URL(access.baseUrl).hostname);
  // Plain http is allowed only if both the service and the storage are on this machine.
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) {
    const message = `The service gave an upload address that is not https (${protocol}//${host}). Nothing was sent, because others on the network could read the file.`;
    throw new GateError({ ...forOwner('refused', message, "Contact the service's support."), path });
  }
  await withTries({
    endpoint: STORAGE,
    deadline,
    attempt: async (timeoutMs) => {
      const { headers, body } = plainBody(file);
      const request = { url: uploadUrl, headers: { ...headers, 'x-ms-blob-type': 'BlockBlob' }, body, timeoutMs };
      const sending = http.send({ method: STORAGE.method, ...request, signal: deadline.signal });
      const response = await sending.catch((error: unknown) => {
        throw error instanceof ConnectionError ? new ServiceError(STORAGE, error, host) : error;
      });
      const { status, retryAfter, text = '' } = response;
      // Only the error code is shown: other parts of the response may contain the signed address.
      const message = /<Code>(\w{1,64})<\/Code>/.exec(clean(text))?.[1] ?? (isWebPage(text) ? WEB_PAGE : '');
      // If the storage has the blob already, that has the same bytes, because its name is derived from them.
      const isStored = [409, 412].includes(status) && STORED_CODES.includes(message);
      if (!isSuccess({ status }) && !isStored)
        throw new ServiceError(STORAGE, { status, message, isPage: false, retryAfter }, host);
    },
    log: (line) => log.info(`${path}: ${line}`),
  });
}
