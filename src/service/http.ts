import type { Readable } from 'node:stream';
import type { FormData } from 'undici';

/** How long a connection may do nothing. There is no limit on a whole transfer: a large file may take its time. */
export interface Patience {
  /** From the last byte sent until the answer's headers. */
  readonly answerMs: number;
  /** Between two pieces of the answer. */
  readonly stallMs: number;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData | Readable;
  readonly patience: Patience;
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

/** No whole answer came. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** In words, for people: "connection refused". */
  readonly what: string;
  /** False where we know that the other side never saw the request. */
  readonly maybeReceived: boolean;

  constructor(what: string, maybeReceived: boolean, options: ErrorOptions) {
    super(what, options);
    this.what = what;
    this.maybeReceived = maybeReceived;
  }
}

/** An answer larger than anything the service has reason to send. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
