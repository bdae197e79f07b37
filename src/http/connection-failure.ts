import { GateError } from '../lib/cause.ts';
import { ConnectionError, type ConnectionFacts } from './http.ts';

const UNSENT: ConnectionFacts = { maybeReceived: false };
const MAYBE_RECEIVED: ConnectionFacts = { maybeReceived: true };

/** Failures before a connection stands: the other side never saw the request. */
const CONNECT_FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  EADDRNOTAVAIL: 'no local address was free',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 20 s',
  UND_ERR_PRX_CONN: 'the proxy closed the connection',
  UND_ERR_PRX_TLS: 'the proxy could not be reached over TLS',
};

const CUT_OFF = 'connection closed before the answer was complete';

const LATER_FAILURES: Readonly<Record<string, string>> = {
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed while sending',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_SOCKET: CUT_OFF,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer was cut off',
};

const NODE_CUT_OFF = /^(socket hang up|aborted)$/;

const TLS_FAILURE = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;
/** A handshake may fail for a moment; a certificate is wrong until somebody changes it. */
const LASTING_TLS_FAILURE =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|ERR_TLS_CERT_|ERR_SSL_WRONG_VERSION_NUMBER)/;
const UNTRUSTED = /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;
const PROXY_ANSWER = /^Proxy response \((\d{3})\)|^Proxy Authentication Required \((407)\)/;

/** These are mistakes of ours, not of the network: they must not be taken for an outage. */
const OUR_MISTAKES = /^(UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED|UND_ERR_REQ_CONTENT_LENGTH_MISMATCH|ERR_INVALID_)/;

/** What was thrown where no answer came, told to people; anything that is not about the connection as it is. */
export function asConnectionError(error: unknown): unknown {
  if (error instanceof ConnectionError || error instanceof GateError || !(error instanceof Error)) return error;
  const options = { cause: error };
  const proxyStatus = PROXY_ANSWER.exec(error.message)?.slice(1).find(Boolean);
  if (proxyStatus !== undefined)
    return new ConnectionError(`the proxy answered ${proxyStatus}`, atProxy(proxyStatus), options);
  const failed = rootOf(error);
  if (failed === undefined || OUR_MISTAKES.test(failed.code)) return error;
  const { code } = failed;
  const unconnected = CONNECT_FAILURES[code];
  if (unconnected) return new ConnectionError(unconnected + placeOf(failed), UNSENT, options);
  if (TLS_FAILURE.test(code)) return new ConnectionError(`the TLS connection failed (${code})`, atTls(code), options);
  const facts = isBeforeSending(failed) ? UNSENT : MAYBE_RECEIVED;
  // Node gives a connection that was closed in time the code of one that was reset.
  const words = NODE_CUT_OFF.test(failed.message) ? CUT_OFF : LATER_FAILURES[code];
  return new ConnectionError(words ?? `connection failed (${code})`, facts, options);
}

/** The connection, or its TLS handshake, was cut off: nothing of the request was sent yet. */
function isBeforeSending({ error, message }: SystemFailure): boolean {
  return ('syscall' in error && error.syscall === 'connect') || message.includes('before secure TLS connection');
}

function atProxy(status: string): ConnectionFacts {
  const isLasting = Number(status) < 500;
  const fix =
    status === '407'
      ? 'The proxy wants credentials: put them into the address in `HTTPS_PROXY` (`http://user:password@proxy.example:3128`), from a secret.'
      : 'Ask whoever runs the proxy to let this job through to the address, or name the host in `NO_PROXY`.';
  return { maybeReceived: false, isLasting, fix };
}

function atTls(code: string): ConnectionFacts {
  const fix = UNTRUSTED.test(code)
    ? 'The certificate is not from an authority that this machine trusts. If a company proxy or a private authority issued it, store its certificate in a file and name it in `NODE_EXTRA_CA_CERTS`, in the `env` of the job.'
    : 'Check that the address is right and that its certificate is valid and made out for this host.';
  return { maybeReceived: false, isLasting: LASTING_TLS_FAILURE.test(code), fix };
}

interface SystemFailure {
  readonly code: string;
  readonly message: string;
  readonly error: Error;
}

/** An AggregateError (every address of a host refused) carries the code of its parts. */
function rootOf(error: unknown): SystemFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0]);
  if ('code' in error && typeof error.code === 'string') return { code: error.code, message: error.message, error };
  return rootOf(error.cause);
}

/** Whom it was that could not be reached: with a proxy in between that is often not the service. */
function placeOf({ error }: SystemFailure): string {
  if ('hostname' in error && typeof error.hostname === 'string') return ` (${error.hostname})`;
  if ('address' in error && typeof error.address === 'string') {
    const port = 'port' in error && typeof error.port === 'number' ? `:${error.port}` : '';
    return ` (${error.address}${port})`;
  }
  return '';
}
