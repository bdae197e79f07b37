import { GateError } from '../lib/cause.ts';
import { ConnectionError, type Progress } from './http.ts';

const TLS_FAILURE = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;
/** Failures that last until somebody changes the certificate or the server. Other TLS failures may be temporary. */
const LASTING_TLS_FAILURE =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|ERR_TLS_CERT_|ERR_SSL_WRONG_VERSION_NUMBER)/;
const PROXY_REFUSAL = /^Proxy response \((\d{3})\)|^Proxy Authentication Required \((407)\)/;

/** Codes of errors that a defect of this action causes. They must not be reported as an outage. */
const OUR_DEFECTS = /^(UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED|UND_ERR_REQ_CONTENT_LENGTH_MISMATCH|ERR_INVALID_)/;

/**
 * The error to throw when no complete response came. An error that is not about the connection is returned unchanged.
 *
 * @param progress unless it is `no connection`, it becomes the `problem` of the error, whatever the error code says
 */
export function asConnectionError(error: unknown, progress: Progress): unknown {
  if (error instanceof GateError) return error;
  const proxyStatus = proxyRefusal(error);
  if (proxyStatus !== undefined) return refusedByProxy(proxyStatus);
  const failure = systemFailure(error);
  if (failure === undefined || OUR_DEFECTS.test(failure.code)) return error;
  const noConnection = describeFailure(failure);
  return progress === 'no connection' ? noConnection : new ConnectionError(noConnection.message, progress);
}

/** The status with which the proxy refused, if it did. `fetch` wraps that error, so the causes are searched as well. */
function proxyRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return PROXY_REFUSAL.exec(error.message)?.slice(1).find(Boolean) ?? proxyRefusal(error.cause);
}

function refusedByProxy(status: string): ConnectionError {
  const fix =
    status === '407'
      ? 'The proxy asks for credentials. Add them to the address in `HTTPS_PROXY` (`http://user:password@proxy.example:3128`), from a secret.'
      : 'Ask the administrator of the proxy to allow this address, or add the host to `NO_PROXY`.';
  return new ConnectionError(
    `the proxy responded with ${status}`,
    Number(status) < 500 ? 'no access' : 'no connection',
    fix,
  );
}

/** Keeps the system's message, which names the addresses tried. A TLS message names OpenSSL's source files: drop it. */
function describeFailure({ code, message, hostname }: SystemFailure): ConnectionError {
  if (code === 'ENOTFOUND') return new ConnectionError(`the host name ${hostname} does not exist`, 'unknown host');
  if (!TLS_FAILURE.test(code)) return new ConnectionError(message || code, 'no connection');
  const problem = LASTING_TLS_FAILURE.test(code) ? 'no access' : 'no connection';
  const fix =
    'Check that the address is correct and that its certificate is valid and issued for this host. If a company proxy or a private authority issued it, store the certificate of that authority in a file and set `NODE_EXTRA_CA_CERTS` to its path in the `env` of the job.';
  return new ConnectionError(`the TLS connection failed (${code})`, problem, fix);
}

interface SystemFailure {
  readonly code: string;
  readonly message: string;
  /** Empty if the error names no host. */
  readonly hostname: string;
}

/** If every address of a host refused the connection, the code is in the parts of an AggregateError. */
function systemFailure(error: unknown): SystemFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof AggregateError) return systemFailure(error.errors[0]);
  if (!('code' in error) || typeof error.code !== 'string') return systemFailure(error.cause);
  const hostname = 'hostname' in error && typeof error.hostname === 'string' ? error.hostname : '';
  return { code: error.code, message: error.message, hostname };
}
