import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import {
  type Arrival,
  asConnectionError,
  ConnectionError,
  type Http,
  type HttpRequest,
  type HttpResponse,
  MAX_RESPONSE_BYTES,
  readAll,
  type StreamedBody,
} from './http.ts';

/** How long establishing a connection may take, directly or through a proxy. */
const CONNECT_MS = 20_000;
/** A request to GitHub is given up after this time without a byte. `exchange` has its own time limits. */
const SILENCE_MS = 20_000;

const DECODERS = new Map<string | undefined, () => Transform>([
  ['gzip', createGunzip],
  ['br', createBrotliDecompress],
]);

/** Node.js itself reads `NODE_EXTRA_CA_CERTS`, so private certificates need no option here. */
export function createHttp(): Http {
  let shared: Promise<Dispatcher> | undefined;
  return {
    async send(request) {
      if (!request.freshConnection) return await exchange(request, await (shared ??= createAgent()));
      const agent = await createAgent();
      return await exchange(request, agent).finally(() => void agent.destroy());
    },
  };
}

/** Sends one request. Ends when the response is complete, a time limit is exceeded or the request is aborted. */
async function exchange(request: HttpRequest, agent: Dispatcher): Promise<HttpResponse> {
  const { timeoutMs } = request;
  let arrival: Arrival = 'no connection';
  let isResponding = false;
  const limits = new AbortController();
  const limit = (milliseconds: number, what: string): NodeJS.Timeout => {
    const message = `${what} ${Math.round(milliseconds / 1000)} s`;
    return setTimeout(() => limits.abort(new ConnectionError(message, arrival)), milliseconds);
  };
  let timer = limit(Math.min(CONNECT_MS, timeoutMs), 'no connection for');
  const awaitResponse = (milliseconds: number): void => {
    // A server may respond while the body is still being sent. Then only the response is timed.
    if (isResponding) return;
    clearTimeout(timer);
    timer = limit(milliseconds, 'no response for');
  };
  async function* watched(body: StreamedBody): StreamedBody {
    for await (const piece of body) {
      awaitResponse(timeoutMs);
      yield piece;
    }
    awaitResponse(responseTimeoutMs(request));
  }
  const signal = AbortSignal.any([request.signal, limits.signal]);
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', onAbort);
    const connected = (): void => {
      arrival = 'lost';
      awaitResponse(timeoutMs);
    };
    const body = typeof request.body === 'object' ? watched(request.body) : request.body;
    const sending = agent.compose(whenConnected(connected)).request({ ...requestOptions(request, body), signal });
    // undici notices an abort only after the connection is established, so the abort is awaited here as well.
    const response = await Promise.race([sending, aborted.promise]);
    isResponding = true;
    clearTimeout(timer);
    timer = limit(timeoutMs, 'the response was not complete after');
    const decoder = DECODERS.get(single(response.headers['content-encoding'])?.toLowerCase());
    // The callback ignores an error, because `readAll` throws the same error.
    const received = decoder ? pipeline(response.body, decoder(), () => undefined) : response.body;
    const bytes = await readAll(received, MAX_RESPONSE_BYTES);
    return {
      status: response.statusCode,
      retryAfter: single(response.headers['retry-after']),
      text: bytes?.toString('utf8'),
    };
  } catch (error) {
    request.signal.throwIfAborted();
    throw asConnectionError(error, arrival);
  } finally {
    clearTimeout(timer);
    // The run's signal outlives the request: with this listener it would keep the request's data in memory.
    signal.removeEventListener('abort', onAbort);
    if (typeof request.body === 'object') await request.body.return();
  }
}

/** Time to transfer one byte at 100 kB a second. */
const MS_PER_BYTE = 0.01;
const MAX_RESPONSE_TIMEOUT_MS = 30 * 60_000;

/** A proxy or gateway may accept a whole body at once and forward it slowly, so the wait grows with the body. */
function responseTimeoutMs({ headers, timeoutMs }: Pick<HttpRequest, 'headers' | 'timeoutMs'>): number {
  return Math.min(MAX_RESPONSE_TIMEOUT_MS, timeoutMs + Number(headers['content-length']) * MS_PER_BYTE);
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
    headersTimeout: 0,
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

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/**
 * Connects through the proxy in the variables that `unifyProxies` has rewritten. HTTP/2 stays off: several large bodies
 * over one connection share one window and slow each other down.
 */
export async function createAgent(): Promise<Dispatcher> {
  // undici is loaded at the first request: a run that sends nothing ends 50 ms earlier.
  const { EnvHttpProxyAgent } = await import('undici');
  return new EnvHttpProxyAgent({
    allowH2: false,
    connectTimeout: CONNECT_MS,
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    // Plain http is allowed for this machine only and uses no proxy.
    httpProxy: '',
    // The entries `.host` are removed. `unifyProxies` adds them for the client that stores artifacts. undici would take
    // them for every port of the host, although the user may have excepted one port only.
    noProxy: (process.env['NO_PROXY'] ?? '').replaceAll(/(?<=^|,)\.[^,]*/g, ''),
  });
}
