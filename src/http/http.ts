/** A body that is sent once, piece by piece. A piece may be overwritten once three more were requested. */
export type StreamedBody = AsyncGenerator<Uint8Array, void, void>;

/** The body of a request, with the headers that describe it. A streamed one can be sent once. */
export interface Payload {
  /** With the exact `content-length` of a streamed body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | StreamedBody;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A streamed body has ended when the request has, whatever its outcome. */
  readonly body?: string | StreamedBody;
  /**
   * How long the other side may take nothing of the request, may take to begin its response once all was sent, and may
   * take to complete a response that has begun. Sending a large file has no limit as long as its bytes move.
   */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Opens a new connection: a kept one may be about to close, and then it is unknown whether the request arrived. */
  readonly freshConnection?: boolean;
}

export interface HttpResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly location: string | undefined;
  /** Undefined if it was larger than `MAX_RESPONSE_BYTES`. */
  readonly text: string | undefined;
}

/** More than any response of the contract needs. */
export const MAX_RESPONSE_BYTES = 16_000_000;

/**
 * One request, one response, whatever its status. Never follows a redirect. Throws `ConnectionError` if no complete
 * response came.
 */
export interface Http {
  send(request: HttpRequest): Promise<HttpResponse>;
}

export interface ConnectionFacts {
  /** False only if the connection was never established: then the other side has not seen the request. */
  readonly maybeReceived: boolean;
  /** Another try would end the same way: a certificate that is not trusted, a proxy that asks for credentials. */
  readonly isLasting?: boolean;
  /** What to do, if there is more to say than "check the network". */
  readonly fix?: string;
  /** The host name that does not exist. */
  readonly unknownHost?: string;
}

/** No complete response came. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly facts: ConnectionFacts;

  /** @param message for people: "the host name x does not exist" */
  constructor(message: string, facts: ConnectionFacts, options?: ErrorOptions) {
    super(message, options);
    this.facts = facts;
  }
}

/** Plain http is allowed only to this machine, because the data never leave it. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/** Exponential with jitter: at least half of the step, so that another try is never immediate. */
export function backoff(tries: number, random: () => number = Math.random): number {
  const step = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
  return step / 2 + (step / 2) * random();
}

const MIN_RETRY_AFTER_S = 1;
const MAX_RETRY_AFTER_S = 3600;

/**
 * The seconds of a `Retry-After` header in milliseconds; undefined if the header is missing, is not a number or is
 * negative. A huge number is cut to an hour: the deadline of the request limits the wait anyway.
 */
export function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(header)) return undefined;
  return Math.min(MAX_RETRY_AFTER_S, Math.max(MIN_RETRY_AFTER_S, Number(header))) * 1000;
}
