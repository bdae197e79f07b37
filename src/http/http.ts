/** A body that can be sent only once. A piece may be overwritten after three more pieces were requested. */
export type StreamedBody = AsyncGenerator<Uint8Array, void, void>;

export interface Payload {
  /** For a streamed body, these contain its exact `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | StreamedBody;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** When the request ends, with any outcome, a streamed body is closed. */
  readonly body?: string | StreamedBody;
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
