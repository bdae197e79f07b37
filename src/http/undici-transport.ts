import { Readable } from 'node:stream';
import { type Dispatcher, EnvHttpProxyAgent, request as undiciRequest } from 'undici';
import type { Transport } from './exchange.ts';
import type { HttpRequest, StreamedBody } from './http.ts';
import { KEEP_ALIVE_MS } from './node-transport.ts';
import type { ProxySettings } from './proxy.ts';
import { CONNECT_MS, type StallTimer } from './stall-timer.ts';

/** Through proxies, where the settings do not except the host. It takes long to load, so only who needs it should. */
export function createUndiciTransport(proxies: ProxySettings): Transport {
  const shared = { 'http:': createAgent('http:', proxies), 'https:': createAgent('https:', proxies) };

  return {
    async begin(request, watch, signal) {
      const protocol = new URL(request.url).protocol === 'https:' ? 'https:' : 'http:';
      const own = request.freshConnection && createAgent(protocol, proxies);
      const { method, url, headers } = request;
      const body = bodyOf(request, watch);
      const end = (): void => {
        if (body instanceof Readable) body.destroy();
        if (own) void own.destroy();
      };
      try {
        const dispatcher = own || shared[protocol];
        const answer = await undiciRequest(url, { dispatcher, method, headers, body, signal });
        return { status: answer.statusCode, headers: answer.headers, body: answer.body, end };
      } catch (error) {
        end();
        throw error;
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
    connectTimeout: CONNECT_MS,
    httpProxy: protocol === 'http:' ? http : '',
    httpsProxy: protocol === 'https:' ? https : '',
    noProxy: except,
  });
}

function bodyOf({ body }: HttpRequest, watch: StallTimer): string | Readable | null {
  if (typeof body !== 'object') return body ?? null;
  const stream = Readable.from(copies(body, watch), { objectMode: false });
  // Undici rejects the request with it, but stops listening before the stream is closed.
  return stream.on('error', () => undefined);
}

/** Undici asks for a piece before the last one has left. */
async function* copies({ pieces }: StreamedBody, watch: StallTimer): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield Buffer.from(piece);
    watch.sent();
  }
  watch.sentAll();
}
