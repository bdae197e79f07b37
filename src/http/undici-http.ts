import type { Readable } from 'node:stream';
import { type Dispatcher, EnvHttpProxyAgent, request as undiciRequest } from 'undici';
import { asConnectionError } from './connection-failure.ts';
import { ConnectionError, type Http, type HttpAnswer, type HttpRequest, MAX_ANSWER_BYTES } from './http.ts';
import { type ProxySettings, proxySettings } from './proxy.ts';
import { StallWatch } from './stall-watch.ts';

const CONNECT_TIMEOUT_MS = 20_000;
/** Shorter than the idle timeout of the usual load balancers, so that it is us who close first. */
const KEEP_ALIVE_MS = 4_000;

/** Http over undici, through the proxies that the environment names. `NODE_EXTRA_CA_CERTS` is read by Node itself. */
export function createHttp(env: NodeJS.ProcessEnv = process.env): Http {
  const proxies = proxySettings(env);
  const shared = { 'http:': createAgent('http:', proxies), 'https:': createAgent('https:', proxies) };

  return {
    async send(request) {
      const protocol = new URL(request.url).protocol === 'https:' ? 'https:' : 'http:';
      if (!request.freshConnection) return await exchange(request, shared[protocol]);
      const own = createAgent(protocol, proxies);
      try {
        return await exchange(request, own);
      } finally {
        await own.destroy();
      }
    },
    async close() {
      await Promise.all([shared['http:'].destroy(), shared['https:'].destroy()]);
    },
  };
}

/**
 * One agent for each protocol, because undici's own would send https through `HTTP_PROXY` too. HTTP/2 stays off: several
 * large bodies over one connection share one window and get in each other's way.
 */
function createAgent(protocol: 'http:' | 'https:', { http, https, except }: ProxySettings): Dispatcher {
  return new EnvHttpProxyAgent({
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The stall watch replaces them: they do not cover the way through a proxy, nor what is being sent.
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
    httpProxy: protocol === 'http:' ? http : '',
    httpsProxy: protocol === 'https:' ? https : '',
    noProxy: except,
  });
}

async function exchange(request: HttpRequest, dispatcher: Dispatcher): Promise<HttpAnswer> {
  const watch = new StallWatch(request.patience);
  const signal = AbortSignal.any([request.signal, watch.signal]);
  try {
    signal.throwIfAborted();
    // Undici itself does not notice an abort while it connects.
    return await Promise.race([converse(request, dispatcher, watch, signal), aborted(signal)]);
  } catch (error) {
    request.signal.throwIfAborted();
    throw asConnectionError(error);
  } finally {
    watch.end();
    if (isStream(request.body)) request.body.destroy();
  }
}

async function converse(
  request: HttpRequest,
  dispatcher: Dispatcher,
  watch: StallWatch,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  if (isStream(request.body)) watchSending(request.body, watch);
  const answer = await undiciRequest(request.url, {
    dispatcher,
    method: request.method,
    headers: request.headers,
    body: request.body ?? null,
    signal,
  });
  watch.received();
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer.body) {
    watch.received();
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  return {
    status: answer.statusCode,
    retryAfter: single(answer.headers['retry-after']),
    location: single(answer.headers.location),
    text: Buffer.concat(pieces).toString('utf8'),
  };
}

function watchSending(body: Readable, watch: StallWatch): void {
  body.on('data', () => watch.sent()).on('end', () => watch.sentAll());
  // Listening starts the flow; it has to wait for the connection.
  body.pause();
  // Undici rejects the request with it, but stops listening before the stream is closed.
  body.on('error', () => undefined);
}

async function aborted(signal: AbortSignal): Promise<never> {
  return await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function isStream(body: HttpRequest['body']): body is Readable {
  return body !== undefined && typeof body !== 'string';
}

function tooLarge(): ConnectionError {
  return new ConnectionError('the answer was too large to be true', { maybeReceived: true, isLasting: true });
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
