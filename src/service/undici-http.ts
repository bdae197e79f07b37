import { type Dispatcher, EnvHttpProxyAgent, request as undiciRequest } from 'undici';
import { ConnectionError, type Http, type HttpAnswer, type HttpRequest, MAX_ANSWER_BYTES } from './http.ts';

const CONNECT_TIMEOUT_MS = 20_000;
/** Shorter than the idle timeout of the usual load balancers, so that it is us who close first. */
const KEEP_ALIVE_MS = 4_000;

/** Failures before a connection stands, and what they are called in front of people. */
const CONNECT_FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  EADDRNOTAVAIL: 'no local address was free',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 20 s',
  UND_ERR_PRX_TLS: 'the proxy could not be reached over TLS',
};

const LATER_FAILURES: Readonly<Record<string, string>> = {
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed while sending',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_SOCKET: 'connection closed before the answer was complete',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stalled',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer was cut off',
};

const TLS_FAILURE = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/;

/**
 * Http over undici. `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are read by its agent, `NODE_EXTRA_CA_CERTS` by Node.
 * HTTP/2 stays off: several large bodies over one connection share one window and get in each other's way.
 */
export function createHttp(): Http {
  const options = {
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  } as const;
  const shared: Dispatcher = new EnvHttpProxyAgent(options);

  return {
    async send(request) {
      const dispatcher = request.freshConnection ? new EnvHttpProxyAgent(options) : shared;
      try {
        return await exchange(request, dispatcher);
      } catch (error) {
        request.signal.throwIfAborted();
        throw asConnectionError(error);
      } finally {
        if (dispatcher !== shared) await dispatcher.destroy();
      }
    },
    close: async () => await shared.destroy(),
  };
}

async function exchange(request: HttpRequest, dispatcher: Dispatcher): Promise<HttpAnswer> {
  const answer = await undiciRequest(request.url, {
    dispatcher,
    method: request.method,
    headers: request.headers,
    body: request.body ?? null,
    headersTimeout: request.patience.answerMs,
    bodyTimeout: request.patience.stallMs,
    signal: request.signal,
  });
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer.body) {
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) throw new AnswerTooLarge();
    pieces.push(piece);
  }
  return {
    status: answer.statusCode,
    retryAfter: single(answer.headers['retry-after']),
    location: single(answer.headers.location),
    text: Buffer.concat(pieces).toString('utf8'),
  };
}

class AnswerTooLarge extends Error {}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function asConnectionError(error: unknown): unknown {
  if (error instanceof AnswerTooLarge)
    return new ConnectionError('the answer was too large to be true', true, { cause: error });
  const code = codeOf(error);
  if (code === undefined) return error;
  const beforeConnection = CONNECT_FAILURES[code];
  if (beforeConnection) return new ConnectionError(beforeConnection, false, { cause: error });
  if (TLS_FAILURE.test(code))
    return new ConnectionError(`the TLS connection was refused (${code})`, false, { cause: error });
  return new ConnectionError(LATER_FAILURES[code] ?? `connection failed (${code})`, true, { cause: error });
}

/** An AggregateError (every address of a host refused) carries the code of its parts. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause);
}
