import { GateError } from '../lib/cause.ts';
import { truncate } from '../lib/format.ts';

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
   * Limits each of these: a pause while the body is sent, the wait for the response (longer after a streamed body, see
   * `responseTimeoutMs`), and receiving the response. Sending has no limit while bytes are transferred.
   */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Opens a new connection. If a reused one closes during the request, it is unknown whether the request arrived. */
  readonly freshConnection?: boolean;
}

export interface HttpResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The server's clock. Undefined if the response comes from a cache. */
  readonly date: string | undefined;
  /** Decoded, if the body was compressed. Undefined if the body was larger than `MAX_RESPONSE_BYTES`. */
  readonly text: string | undefined;
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

/**
 * Sends one request and returns the response, whatever its status. Only a GET follows a redirect, on the same origin.
 * Throws `ConnectionError` if no complete response came.
 */
export interface Http {
  send(request: HttpRequest): Promise<HttpResponse>;
}

/**
 * How far a request came that got no complete response. `no connection`: the server cannot have received it. `lost`: it
 * may have arrived. `no response`: it may have arrived, and a streamed body was sent to its end.
 */
export type Progress = 'no connection' | 'lost' | 'no response';

export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** `no access`: another try would fail as well, because a certificate is not trusted or the proxy refuses. */
  readonly problem: Progress | 'unknown host' | 'no access';
  /** What the user can do. Undefined if "check the network" is the only advice. */
  readonly fix: string | undefined;

  /** @param message a text for users, such as "the host name x does not exist" */
  constructor(message: string, problem: ConnectionError['problem'], fix?: string) {
    super(message);
    this.problem = problem;
    this.fix = fix;
  }
}

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
  const noConnection = describeSystemFailure(failure);
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
function describeSystemFailure({ code, message, hostname }: SystemFailure): ConnectionError {
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

/** Plain http is allowed only if the host is this machine, because then the data never leave the machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Time to transfer one byte at 100 kB a second. */
const MS_PER_BYTE = 0.01;
const MAX_RESPONSE_TIMEOUT_MS = 30 * 60_000;

/** A proxy or gateway may accept a whole body at once and forward it slowly, so the wait grows with the body. */
export function responseTimeoutMs({ headers, timeoutMs }: Pick<HttpRequest, 'headers' | 'timeoutMs'>): number {
  return Math.min(MAX_RESPONSE_TIMEOUT_MS, timeoutMs + Number(headers['content-length']) * MS_PER_BYTE);
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/** Exponential backoff with jitter. The delay is at least half of the step, so that no try follows immediately. */
export function backoff(tries: number, random: () => number = Math.random): number {
  const step = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
  return step / 2 + (step / 2) * random();
}

const MIN_RETRY_AFTER_S = 1;
const MAX_RETRY_AFTER_S = 3600;

/** The time in a `Retry-After` header, from a second to an hour. Undefined if the header is missing or no number. */
export function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(header)) return undefined;
  return Math.min(MAX_RETRY_AFTER_S, Math.max(MIN_RETRY_AFTER_S, Number(header))) * 1000;
}

export function isSuccess({ status }: Pick<HttpResponse, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** More than reports show, because `submit` searches the message for the name of the refused file. */
const MAX_KEPT_LENGTH = 4000;
/** `MAX_DEPTH` and `MAX_ERRORS` limit the recursion, because response bodies are untrusted. */
const MAX_DEPTH = 4;
const MAX_ERRORS = 20;

export const WEB_PAGE = 'a web page';

export function isWebPage(text: string): boolean {
  return /^\s*<(!doctype|html)/i.test(text);
}

/** The message in an error response. A body of unknown shape is the message itself. @param value parsed JSON or text */
export function messageFromBody(value: unknown): string {
  if (typeof value === 'string' && isWebPage(value)) return WEB_PAGE;
  if (isEmpty(value, 0)) return '';
  const text = sentenceIn(value, 0) ?? JSON.stringify(value);
  return truncate(text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, ''), MAX_KEPT_LENGTH);
}

/** Whether a body such as `{}` or `{"errors": [""]}` says nothing. */
function isEmpty(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object' || value === null) return value === null;
  return depth < MAX_DEPTH && Object.values(value).every((item) => isEmpty(item, depth + 1));
}

/** The text of a message, or of all validation errors, each after its field: "assets[0].blobPath: too short". */
function sentenceIn(value: unknown, depth: number): string | undefined {
  if (isText(value)) return value.trim().replace(/\.$/, '');
  if (depth === MAX_DEPTH || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    const sentences = value.slice(0, MAX_ERRORS).map((item) => sentenceIn(item, depth + 1));
    return sentences.filter(isText).join('; ') || undefined;
  }
  const fields = fieldsOf(value);
  const texts = ['message', 'msg', 'detail', 'error', 'errors'].map((key) => sentenceIn(fields.get(key), depth + 1));
  const text = texts.find(isText);
  const place = fieldPath(fields.get('loc'));
  return text === undefined || place === '' ? text : `${place}: ${text}`;
}

/** Formats ["body", "assets", 0, "blobPath"] as "assets[0].blobPath". */
function fieldPath(parts: unknown): string {
  if (!Array.isArray(parts)) return '';
  const shown = parts.filter((part, index) => index > 0 || part !== 'body');
  return shown
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(Object.entries(typeof value === 'object' ? { ...value } : {}));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
