import type { Dispatcher } from 'undici';
import { CONNECT_MS, createAgent } from './agent.ts';
import { asConnectionError } from './connection-failure.ts';
import { ConnectionError, type Http, type HttpRequest, type HttpResponse, MAX_RESPONSE_BYTES } from './http.ts';

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
      return await exchange(request, await shared);
    },
  };
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
      date: response.headers['age'] === undefined ? single(response.headers['date']) : undefined,
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
