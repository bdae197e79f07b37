import * as v from 'valibot';
import { GateError } from '../causes/cause.ts';
import { parseJson, truncate } from '../lib/format.ts';

/** A body that can be sent only once. A piece may be overwritten after three more pieces were requested. */
export type StreamedBody = AsyncGenerator<Uint8Array, void, void>;

export interface Payload {
  /** For a streamed body, these contain its exact `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | StreamedBody;
}

/** When the request ends, with any outcome, a streamed body is closed. */
export interface HttpRequest extends Pick<Payload, 'headers'>, Partial<Pick<Payload, 'body'>> {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  /**
   * Limits each of these: connecting (at most `CONNECT_MS`), a pause while the body is sent, the wait for the response
   * (longer after a streamed body, see `responseTimeoutMs`), and receiving it. Sending has no limit while bytes move.
   */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Opens a new connection. If a reused one closes during the request, it is unknown whether the request arrived. */
  readonly freshConnection?: boolean;
}

export interface HttpResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Decoded, if the body was compressed. Undefined if the body was larger than `MAX_RESPONSE_BYTES`. */
  readonly text: string | undefined;
}

export function isSuccess({ status }: Pick<HttpResponse, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** A larger response is not read, because no response in the service's contract needs as much. */
export const MAX_RESPONSE_BYTES = 16_000_000;

/** Reads a body to its end. Returns undefined if it has more than `max` bytes. */
export async function readAll(body: AsyncIterable<Uint8Array>, max: number): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > max) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

export const WEB_PAGE = 'a web page';

export function isWebPage(text: string): boolean {
  return /^\s*<(!doctype|html)/i.test(text);
}

/** More than reports show, because `submit` searches the message for the name of the refused file. */
const MAX_KEPT_LENGTH = 4000;
/** The fields in which the service and GitHub send a message. */
const MESSAGE_FIELDS = ['message', 'error', 'detail'];

/** The message in the body of an error response. A body of another form is the message itself. */
export function messageFromBody(body: string): string {
  if (isWebPage(body)) return WEB_PAGE;
  const json = parseJson(body);
  const fields = new Map<string, unknown>(typeof json === 'object' && json !== null ? Object.entries(json) : []);
  const texts = [json, ...MESSAGE_FIELDS.map((name) => fields.get(name))].filter((each) => typeof each === 'string');
  // An empty object says nothing.
  const text = texts.find((each) => each !== '') ?? (typeof json === 'object' && fields.size === 0 ? '' : body);
  return truncate(text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, ''), MAX_KEPT_LENGTH);
}

/**
 * Sends one request and returns the response, whatever its status. No redirect is followed.
 * Throws `ConnectionError` if no complete response came.
 */
export interface Http {
  send(request: HttpRequest): Promise<HttpResponse>;
}

/** Whether the server may have received a request that got no complete response. `no connection`: no. `lost`: yes. */
export type Arrival = 'no connection' | 'lost';

export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /**
   * `no access`: another try would fail as well, because a certificate is not trusted or the proxy refuses. `FAILURES` in
   * `service/service-error.ts` says what each kind means for the run.
   */
  readonly kind: Arrival | 'unknown host' | 'no access';
  /** What the user can do. Undefined if "check the network" is the only advice. */
  readonly fix: string | undefined;

  /** @param message a text for users, such as "the host name x does not exist" */
  constructor(message: string, kind: ConnectionError['kind'], fix?: string) {
    super(message);
    this.kind = kind;
    this.fix = fix;
  }
}

const TLS_FAILURE = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;
const PROXY_REFUSAL = /^Proxy response \((\d{3})\)|^Proxy Authentication Required \((407)\)/;

/** Codes of errors that a defect of this action causes. They must not be reported as an outage. */
const OUR_DEFECTS = /^(UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED|UND_ERR_REQ_CONTENT_LENGTH_MISMATCH|ERR_INVALID_)/;

/**
 * The error to throw when no complete response came. An error that is not about the connection is returned unchanged.
 *
 * @param arrival `lost` becomes the `kind` of the error, whatever the error code says, unless the proxy refused
 */
export function asConnectionError(error: unknown, arrival: Arrival): unknown {
  if (error instanceof GateError) return error;
  const proxyStatus = proxyRefusal(error);
  if (proxyStatus !== undefined) return refusedByProxy(proxyStatus);
  const failure = systemFailure(error);
  if (failure === undefined || OUR_DEFECTS.test(failure.code)) return error;
  const noConnection = describeSystemFailure(failure);
  return arrival === 'no connection' ? noConnection : new ConnectionError(noConnection.message, arrival);
}

/** The status with which the proxy refused, if it did. `fetch` wraps that error, so the causes are searched as well. */
function proxyRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return PROXY_REFUSAL.exec(error.message)?.slice(1).find(Boolean) ?? proxyRefusal(error.cause);
}

function refusedByProxy(status: string): ConnectionError {
  const fix =
    'Ask the administrator of the proxy to allow this address, or add the host to `NO_PROXY`. If the proxy asks for credentials (407), add them to the address in `HTTPS_PROXY` (`http://user:password@proxy.example:3128`), from a secret.';
  const kind = Number(status) < 500 ? 'no access' : 'no connection';
  return new ConnectionError(`the proxy responded with ${status}`, kind, fix);
}

/** Keeps the system's message, which names the addresses tried. A TLS message names OpenSSL's source files: drop it. */
function describeSystemFailure({ code, message, hostname }: SystemFailure): ConnectionError {
  if (code === 'ENOTFOUND') return new ConnectionError(`the host name ${hostname} does not exist`, 'unknown host');
  if (!TLS_FAILURE.test(code)) return new ConnectionError(message || code, 'no connection');
  const fix =
    'Check that the address is correct and that its certificate is valid and issued for this host. If a company proxy or a private authority issued it, store the certificate of that authority in a file and set `NODE_EXTRA_CA_CERTS` to its path in the `env` of the job.';
  return new ConnectionError(`the TLS connection failed (${code})`, 'no access', fix);
}

const SystemFailure = v.object({ code: v.string(), message: v.string(), hostname: v.optional(v.string(), '') });
type SystemFailure = v.InferOutput<typeof SystemFailure>;

/** If every address of a host refused the connection, the code is in the parts of an AggregateError. */
function systemFailure(error: unknown): SystemFailure | undefined {
  if (error instanceof AggregateError) return systemFailure(error.errors[0]);
  const failure = v.safeParse(SystemFailure, error);
  if (failure.success) return failure.output;
  return error instanceof Error ? systemFailure(error.cause) : undefined;
}
