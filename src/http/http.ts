/** How long an exchange may do nothing. There is no limit on a whole transfer: a large file may take its time. */
export interface Timeouts {
  /** Until the answer begins: from the start, and again from the last byte sent. */
  readonly answerMs: number;
  /** Between two pieces of what is sent or received. */
  readonly stallMs: number;
}

/** A body that is sent once, piece by piece. */
export interface StreamedBody {
  /** A piece is overwritten once the next one is asked for, after the last one too: who wants to keep it has to copy it. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Frees what it holds, sent or not. */
  close(): Promise<void>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  /** A streamed body needs its exact `content-length` here. */
  readonly headers: Readonly<Record<string, string>>;
  /** Closed when the request is over, however it ended. */
  readonly body?: string | StreamedBody;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal;
  /** Over a connection of its own: a kept one may just be closing, and then nobody knows whether the request arrived. */
  readonly freshConnection?: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly location: string | undefined;
  readonly text: string;
}

/** One request, one answer, whatever its status. Never follows a redirect. Throws `ConnectionError` where no answer came. */
export interface Http {
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

export interface ConnectionFacts {
  /** False where we know that the other side never saw the request. */
  readonly maybeReceived: boolean;
  /** Another try would end the same way: a certificate that is not trusted, a proxy that wants credentials. */
  readonly isLasting?: boolean;
  /** How long nothing moved before it was given up. */
  readonly silentMs?: number;
  /** What to do about it, where there is more to say than "check the network". */
  readonly fix?: string;
}

/** No whole answer came. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** In words, for people: "connection refused". */
  readonly what: string;
  readonly maybeReceived: boolean;
  readonly isLasting: boolean;
  readonly silentMs: number | undefined;
  readonly fix: string | undefined;

  constructor(what: string, facts: ConnectionFacts, options?: ErrorOptions) {
    super(what, options);
    this.what = what;
    this.maybeReceived = facts.maybeReceived;
    this.isLasting = facts.isLasting ?? false;
    this.silentMs = facts.silentMs;
    this.fix = facts.fix;
  }
}

/** An answer larger than anything the service has reason to send. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
