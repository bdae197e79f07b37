import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { GateError, workflowOwner } from '../lib/cause.ts';
import { asConnectionError } from './connection-failure.ts';
import { ConnectionError, type Http, type HttpRequest, type HttpResponse, MAX_RESPONSE_BYTES } from './http.ts';

/** An idle connection is closed after this time, before the usual load balancers would close it. */
const KEEP_ALIVE_MS = 4_000;
/** How long establishing a connection may take, directly or through a proxy. */
const CONNECT_MS = 20_000;

/** Sends requests through the proxy that `env` names. Node.js itself reads `NODE_EXTRA_CA_CERTS`. */
export function createHttp(env: NodeJS.ProcessEnv = process.env): Http {
  const proxies = proxiesIn(env);
  let shared: Promise<Dispatcher> | undefined;
  return {
    async send(request) {
      if (request.freshConnection) {
        const agent = await createAgent(proxies);
        return await exchange(request, agent).finally(() => void agent.destroy());
      }
      shared ??= createAgent(proxies);
      return await exchange(request, await shared);
    },
  };
}

/** If TLS breaks after the handshake, the socket emits `error` but not `close`, and undici would wait for `close`. */
function destroyAfterError(message: unknown): void {
  if (typeof message !== 'object' || message === null || !('socket' in message)) return;
  const { socket } = message;
  if (socket instanceof Socket) socket.on('error', () => socket.destroy());
}

/** HTTP/2 stays off: several large bodies over one connection share one window and slow each other down. */
async function createAgent(proxies: ReturnType<typeof proxiesIn>): Promise<Dispatcher> {
  // undici is loaded at the first request: a run that sends nothing ends 50 ms earlier.
  const { EnvHttpProxyAgent } = await import('undici');
  // All agents share the channel, so the function is subscribed once.
  unsubscribe('undici:client:connected', destroyAfterError);
  subscribe('undici:client:connected', destroyAfterError);
  return new EnvHttpProxyAgent({
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectTimeout: CONNECT_MS,
    // If this option is not set, undici reads `HTTP_PROXY` and uses that proxy for https as well.
    httpProxy: '',
    ...proxies,
  });
}

/**
 * The proxy for https addresses, and the hosts that are reached without it. Plain http is allowed for this machine only
 * and uses no proxy. The same variables count as for curl and the runner, lower case first. An empty variable counts as
 * not set, so that a workflow can pass on a variable that may be empty.
 */
export function proxiesIn(env: NodeJS.ProcessEnv): { readonly httpsProxy: string; readonly noProxy: string } {
  const noProxy = env['no_proxy'] || env['NO_PROXY'] || '';
  const name = ['https_proxy', 'HTTPS_PROXY'].find((each) => env[each]?.trim());
  if (name === undefined) return { httpsProxy: '', noProxy };
  const value = env[name]?.trim() ?? '';
  // An address without a scheme (`proxy.example:3128`) is a plain HTTP proxy, as in curl.
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (url && ['http:', 'https:'].includes(url.protocol)) return { httpsProxy: url.href, noProxy };
  // The message does not show the value, which may contain a password.
  throw new GateError({
    reason: 'bad-input',
    message: `The environment variable ${name} is not the address of an HTTP proxy.`,
    steps: [
      workflowOwner(
        `Set ${name} to an address such as \`http://proxy.example:3128\`, or unset it if there is no proxy.`,
      ),
    ],
  });
}

/** Sends one request. Ends when the response is complete, a time limit is exceeded or the request is aborted. */
async function exchange(request: HttpRequest, agent: Dispatcher): Promise<HttpResponse> {
  const { timeoutMs } = request;
  let isConnected = false;
  const limits = new AbortController();
  const limit = (milliseconds: number, what: string): NodeJS.Timeout =>
    setTimeout(() => limits.abort(timeLimitError(what, milliseconds, isConnected)), milliseconds);
  const signal = AbortSignal.any([request.signal, limits.signal]);
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);

  const timers = [limit(Math.min(CONNECT_MS, timeoutMs), 'no connection for')];
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', onAbort);
    const connected = (): void => {
      isConnected = true;
      clearTimeout(timers[0]);
    };
    const sending = agent.compose(whenConnected(connected)).request({ ...requestOptions(request), signal });
    // undici notices an abort only after the connection is established, so the abort is awaited here as well.
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
    // The run's signal outlives the request: with this listener it would keep the request's data in memory.
    signal.removeEventListener('abort', onAbort);
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
    // @ts-expect-error undici accepts an async iterable, but its types do not include one.
    body: body ?? null,
    // undici restarts this timer with each piece that it sends, so the timer also ends a stalled upload.
    headersTimeout: timeoutMs,
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

function timeLimitError(what: string, milliseconds: number, maybeReceived: boolean): ConnectionError {
  return new ConnectionError(`${what} ${Math.round(milliseconds / 1000)} s`, { maybeReceived });
}

function isHeadersTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'UND_ERR_HEADERS_TIMEOUT';
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
