import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { asConnectionError } from './connection-failure.ts';
import { ConnectionError, type Http, type HttpRequest, type HttpResponse, MAX_RESPONSE_BYTES } from './http.ts';
import { type ProxySettings, proxySettings } from './proxies.ts';

/** Shorter than the idle timeout of the usual load balancers, so that we close first. */
const KEEP_ALIVE_MS = 4_000;
/** How long establishing a connection may take, directly or through a proxy. */
const CONNECT_MS = 20_000;
/** undici announces each new connection here. */
const CONNECTED = 'undici:client:connected';

/** HTTP through the proxy that the environment names. Node itself reads `NODE_EXTRA_CA_CERTS`. */
export function createHttp(env: NodeJS.ProcessEnv = process.env): Http {
  const settings = proxySettings(env);
  let shared: Promise<Dispatcher> | undefined;
  subscribe(CONNECTED, closeOnError);
  return {
    async send(request) {
      if (request.freshConnection) {
        const agent = await createAgent(settings);
        return await exchange(request, agent).finally(() => void agent.destroy());
      }
      shared ??= createAgent(settings);
      return await exchange(request, await shared);
    },
  };
}

/** TLS that breaks after its handshake is an error without a close, and undici waits for the close. */
function closeOnError(message: unknown): void {
  if (typeof message !== 'object' || message === null || !('socket' in message)) return;
  const { socket } = message;
  if (socket instanceof Socket) socket.on('error', () => socket.destroy());
}

/** HTTP/2 stays off: several large bodies over one connection share one window and slow each other down. */
async function createAgent({ proxy, except }: ProxySettings): Promise<Dispatcher> {
  // Loaded for the first request: a run that sends nothing ends 50 ms earlier.
  const { EnvHttpProxyAgent } = await import('undici');
  return new EnvHttpProxyAgent({
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectTimeout: CONNECT_MS,
    // Without it, undici itself reads `HTTP_PROXY`, for https as well.
    httpProxy: '',
    httpsProxy: proxy,
    noProxy: except,
  });
}

/** Ends when the response is complete, a time limit is exceeded or the request is aborted. */
async function exchange(request: HttpRequest, agent: Dispatcher): Promise<HttpResponse> {
  const { timeoutMs } = request;
  let isConnected = false;
  const limits = new AbortController();
  const limit = (milliseconds: number, what: string): NodeJS.Timeout =>
    setTimeout(() => limits.abort(timeLimitError(what, milliseconds, isConnected)), milliseconds);
  const signal = AbortSignal.any([request.signal, limits.signal]);
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);

  const timers = [limit(Math.min(CONNECT_MS, timeoutMs), 'no connection for')];
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', abort);
    const connected = (): void => {
      isConnected = true;
      clearTimeout(timers[0]);
    };
    const sending = agent.compose(whenConnected(connected)).request({ ...requestOptions(request), signal });
    // undici itself notices an abort only when the connection is established.
    const response = await Promise.race([sending, aborted.promise]);
    timers.push(limit(timeoutMs, 'the response was not complete after'));
    return {
      status: response.statusCode,
      retryAfter: single(response.headers['retry-after']),
      location: single(response.headers['location']),
      text: await readText(response.body),
    };
  } catch (error) {
    request.signal.throwIfAborted();
    if (isHeadersTimeout(error)) throw timeLimitError('no response for', timeoutMs, isConnected);
    throw asConnectionError(error, isConnected);
  } finally {
    // The run's signal lives longer: with a listener on this one, it would keep all of this in memory.
    signal.removeEventListener('abort', abort);
    for (const timer of timers) clearTimeout(timer);
    if (typeof request.body === 'object') await request.body.return();
  }
}

function requestOptions({ url, method, headers, body, timeoutMs }: HttpRequest): Dispatcher.RequestOptions {
  const { origin, pathname, search } = new URL(url);
  return {
    origin,
    path: pathname + search,
    method,
    headers,
    // @ts-expect-error undici takes an async iterable; only its types do not say so.
    body: body ?? null,
    // Starts again with each piece that is sent, so that it limits a stalled body as well.
    headersTimeout: timeoutMs,
    // Replaced by the limit for the complete response.
    bodyTimeout: 0,
  };
}

/** Calls back just before the first byte is sent, from when on the other side may have received the request. */
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

/** Undefined if it is too large. */
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

function timeLimitError(what: string, milliseconds: number, maybeReceived: boolean): ConnectionError {
  return new ConnectionError(`${what} ${Math.round(milliseconds / 1000)} s`, { maybeReceived });
}

function isHeadersTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'UND_ERR_HEADERS_TIMEOUT';
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
