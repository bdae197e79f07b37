import type { Dispatcher } from 'undici';
import { GateError } from '../lib/cause.ts';
import { asConnectionError } from './connection-failure.ts';
import { type Http, type HttpAnswer, type HttpRequest, MAX_ANSWER_BYTES } from './http.ts';
import { RequestTimer } from './request-timer.ts';

/** Shorter than the idle timeout of the usual load balancers, so that we close first. */
const KEEP_ALIVE_MS = 4_000;
/** Frees a socket whose request has been given up; the request's own limit is in its timeouts. */
const SOCKET_CONNECT_MS = 20_000;

/** HTTP through the proxies that the environment names. Node itself reads `NODE_EXTRA_CA_CERTS`. */
export function createHttp(env: NodeJS.ProcessEnv = process.env): Http {
  const proxies = proxySettings(env);
  const shared = new Map<string, Promise<Dispatcher>>();
  const sharedAgent = (protocol: string): Promise<Dispatcher> => {
    const agent = shared.get(protocol) ?? createAgent(protocol, proxies);
    shared.set(protocol, agent);
    return agent;
  };

  return {
    async send(request) {
      const { protocol } = new URL(request.url);
      if (!request.freshConnection) return await exchange(request, await sharedAgent(protocol));
      const agent = await createAgent(protocol, proxies);
      try {
        return await exchange(request, agent);
      } finally {
        void agent.destroy();
      }
    },
    async close() {
      await Promise.all([...shared.values()].map(async (agent) => await (await agent).destroy()));
    },
  };
}

/**
 * One agent for each protocol, because undici's own choice would send https through `HTTP_PROXY` as well. HTTP/2 stays
 * off: several large bodies over one connection share one window and slow each other down.
 */
async function createAgent(protocol: string, { http, https, except }: ProxySettings): Promise<Dispatcher> {
  // Loaded for the first request: a run that sends nothing ends 50 ms earlier.
  const { EnvHttpProxyAgent } = await import('undici');
  return new EnvHttpProxyAgent({
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectTimeout: SOCKET_CONNECT_MS,
    httpProxy: protocol === 'http:' ? http : '',
    httpsProxy: protocol === 'https:' ? https : '',
    noProxy: except,
  });
}

/** One request, one answer. Ends when the answer is complete, a time limit is exceeded or the request is aborted. */
async function exchange(request: HttpRequest, agent: Dispatcher): Promise<HttpAnswer> {
  const timer = new RequestTimer(request.timeouts);
  const signal = AbortSignal.any([request.signal, timer.signal]);
  const outcome = Promise.withResolvers<HttpAnswer>();
  let running: Dispatcher.DispatchController | undefined;
  const abort = (): void => {
    outcome.reject(signal.reason);
    running?.abort(signal.reason);
  };
  const answer = new AnswerReader();
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', abort);
    agent.dispatch(dispatchOptions(request), {
      // Called when the connection stands, before the first byte is sent. An abort in here keeps it from being sent.
      onRequestStart(controller) {
        running = controller;
        if (signal.aborted) abort();
        else timer.connected();
      },
      onBodySent: () => timer.sent(),
      onRequestSent: () => timer.sentAll(),
      onResponseStart(_controller, status, headers) {
        // 1xx: the answer is yet to come.
        if (status < 200) return;
        timer.received();
        answer.begin(status, headers);
      },
      onResponseData(controller, piece) {
        timer.received();
        answer.add(piece);
        if (!answer.isTruncated) return;
        outcome.resolve(answer.read());
        controller.abort(new RangeError('The answer is too large.'));
      },
      onResponseEnd: () => outcome.resolve(answer.read()),
      onResponseError: (_controller, error) => outcome.reject(error),
    });
    return await outcome.promise;
  } catch (error) {
    request.signal.throwIfAborted();
    throw asConnectionError(error, timer.isConnected);
  } finally {
    // The run's signal lives longer: with a listener on this one, it would keep all of this in memory.
    signal.removeEventListener('abort', abort);
    timer.end();
    if (typeof request.body === 'object') await request.body.close();
  }
}

function dispatchOptions({ url, method, headers, body }: HttpRequest): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = new URL(url);
  return {
    origin,
    path: pathname + search,
    method,
    headers,
    // @ts-expect-error undici takes an async iterable; only its types do not say so.
    body: typeof body === 'object' ? body.pieces : (body ?? null),
    // Our timer replaces these: they cover neither the connection to a proxy nor the sending.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

/** Keeps the parts of an answer that are needed, up to a size. */
class AnswerReader {
  #head: Omit<HttpAnswer, 'text'> = { status: 0, retryAfter: undefined, location: undefined };
  readonly #pieces: Buffer[] = [];
  #size = 0;

  begin(status: number, headers: Readonly<Record<string, string | readonly string[] | undefined>>): void {
    this.#head = { status, retryAfter: single(headers['retry-after']), location: single(headers['location']) };
  }

  add(piece: Buffer): void {
    this.#size += piece.length;
    if (!this.isTruncated) this.#pieces.push(piece);
  }

  get isTruncated(): boolean {
    return this.#size > MAX_ANSWER_BYTES;
  }

  read(): HttpAnswer {
    const text = Buffer.concat(this.#pieces).toString('utf8');
    return { ...this.#head, text, ...(this.isTruncated && { isTruncated: true }) };
  }
}

function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header[0] : header;
}

/** The proxy of each protocol; empty if there is none. */
interface ProxySettings {
  readonly http: string;
  readonly https: string;
  /** Hosts that are reached without a proxy, as `NO_PROXY` lists them. */
  readonly except: string;
}

/**
 * Reads the variables that curl and the runner read: lower case first, one for each protocol. An empty one counts
 * as not set, so that a workflow can pass on a variable that may be empty.
 */
export function proxySettings(env: NodeJS.ProcessEnv): ProxySettings {
  return {
    http: addressIn(env, ['http_proxy', 'HTTP_PROXY']),
    https: addressIn(env, ['https_proxy', 'HTTPS_PROXY']),
    except: env['no_proxy'] || env['NO_PROXY'] || '',
  };
}

function addressIn(env: NodeJS.ProcessEnv, names: readonly string[]): string {
  const name = names.find((each) => env[each]?.trim());
  if (name === undefined) return '';
  const value = env[name]?.trim() ?? '';
  // As curl does: a bare `proxy.example:3128` is a plain HTTP proxy.
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (url && ['http:', 'https:'].includes(url.protocol)) return url.href;
  // The value may hold a password, so it is not shown.
  throw new GateError({
    reason: 'bad-input',
    message: `The environment variable ${name} is not the address of an HTTP proxy.`,
    fix: `Set ${name} to an address such as \`http://proxy.example:3128\`, or unset it if there is no proxy.`,
  });
}
