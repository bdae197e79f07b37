import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { CONNECT_MS, createAgent } from './agent.ts';
import { asConnectionError } from './connection-failure.ts';
import {
  ConnectionError,
  type Http,
  type HttpRequest,
  type HttpResponse,
  MAX_RESPONSE_BYTES,
  type Progress,
  responseTimeoutMs,
  type StreamedBody,
} from './http.ts';

/** How many redirects of one GET are followed. */
const MAX_REDIRECTS = 3;
// biome-ignore format: a table
const DECODERS = new Map<string | undefined, () => Transform>([
  ['gzip', createGunzip], ['x-gzip', createGunzip], ['deflate', createInflate], ['br', createBrotliDecompress],
]);

/** Sends requests. Node.js itself reads `NODE_EXTRA_CA_CERTS`. */
export function createHttp(): Http {
  let shared: Promise<Dispatcher> | undefined;
  return {
    async send(request) {
      if (request.freshConnection) {
        const agent = await createAgent();
        return await exchange(request, agent).finally(() => void agent.destroy());
      }
      shared ??= createAgent();
      return await follow(request, await shared);
    },
  };
}

/** Follows a service that redirects a read to another path. Another origin gets no request, because of the API key. */
async function follow(request: HttpRequest, agent: Dispatcher): Promise<HttpResponse> {
  let { url } = request;
  for (let redirects = 0; ; redirects += 1) {
    const { location, ...response } = await exchange({ ...request, url }, agent);
    const isRedirect = response.status === 307 || response.status === 308;
    if (location === undefined || !isRedirect || request.method !== 'GET' || redirects === MAX_REDIRECTS)
      return response;
    const target = URL.parse(location, url);
    if (target?.origin !== new URL(url).origin) return response;
    url = target.href;
  }
}

/** Sends one request. Ends when the response is complete, a time limit is exceeded or the request is aborted. */
async function exchange(
  request: HttpRequest,
  agent: Dispatcher,
): Promise<HttpResponse & { readonly location: string | undefined }> {
  const { timeoutMs } = request;
  let progress: Progress = 'no connection';
  const limits = new AbortController();
  const limit = (milliseconds: number, what: string): NodeJS.Timeout =>
    setTimeout(() => limits.abort(timeLimitError(what, milliseconds, progress)), milliseconds);
  const signal = AbortSignal.any([request.signal, limits.signal]);
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);

  const timers = [limit(Math.min(CONNECT_MS, timeoutMs), 'no connection for')];
  /** Limits how long sending the body may pause. */
  async function* watched(body: StreamedBody): StreamedBody {
    const timer = limit(timeoutMs, 'no response for');
    timers.push(timer);
    for await (const piece of body) {
      timer.refresh();
      yield piece;
    }
    clearTimeout(timer);
    progress = 'no response';
  }
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', onAbort);
    const connected = (): void => {
      progress = 'lost';
      clearTimeout(timers[0]);
    };
    const body = typeof request.body === 'object' ? watched(request.body) : request.body;
    const sending = agent.compose(whenConnected(connected)).request({ ...requestOptions(request, body), signal });
    // undici notices an abort only after the connection is established, so the abort is awaited here as well.
    const response = await Promise.race([sending, aborted.promise]);
    timers.push(limit(timeoutMs, 'the response was not complete after'));
    const decoder = DECODERS.get(single(response.headers['content-encoding'])?.toLowerCase());
    return {
      status: response.statusCode,
      retryAfter: single(response.headers['retry-after']),
      location: single(response.headers['location']),
      date: response.headers['age'] === undefined ? single(response.headers['date']) : undefined,
      // An error of the response is thrown where the decoded text is read.
      text: await readText(decoder ? pipeline(response.body, decoder(), () => undefined) : response.body),
    };
  } catch (error) {
    request.signal.throwIfAborted();
    if (isHeadersTimeout(error)) throw timeLimitError('no response for', responseTimeoutMs(request), progress);
    throw asConnectionError(error, progress);
  } finally {
    // The run's signal outlives the request: with this listener it would keep the request's data in memory.
    signal.removeEventListener('abort', onAbort);
    for (const timer of timers) clearTimeout(timer);
    if (typeof request.body === 'object') await request.body.return();
  }
}

function requestOptions(request: HttpRequest, body: HttpRequest['body']): Dispatcher.RequestOptions {
  const { origin, pathname, search } = new URL(request.url);
  return {
    origin,
    path: pathname + search,
    method: request.method,
    headers: request.headers,
    // @ts-expect-error undici accepts an async iterable, but its types do not include one.
    body: body ?? null,
    // undici restarts this timer with each piece that it sends.
    headersTimeout: responseTimeoutMs(request),
    // `exchange` limits the time of the complete response instead.
    bodyTimeout: 0,
  };
}

/** Calls back just before the first byte is sent. From then on, the server may have received the request. */
function whenConnected(callback: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        callback();
        handler.onRequestStart?.(controller, context);
      },
      onResponseStart: (...parameters) => handler.onResponseStart?.(...parameters),
      onResponseData: (...parameters) => handler.onResponseData?.(...parameters),
      onResponseEnd: (...parameters) => handler.onResponseEnd?.(...parameters),
      onResponseError: (...parameters) => handler.onResponseError?.(...parameters),
    });
}

/** Returns undefined if the body is larger than `MAX_RESPONSE_BYTES`. */
async function readText(body: AsyncIterable<Buffer>): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > MAX_RESPONSE_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function timeLimitError(what: string, milliseconds: number, progress: Progress): ConnectionError {
  return new ConnectionError(`${what} ${Math.round(milliseconds / 1000)} s`, progress);
}

function isHeadersTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'UND_ERR_HEADERS_TIMEOUT';
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
