import { asConnectionError } from './connection-failure.ts';
import { ConnectionError, type HttpAnswer, type HttpRequest, MAX_ANSWER_BYTES } from './http.ts';
import { StallWatch } from './stall-watch.ts';

/** The head of an answer, and its body as it comes. */
export interface Incoming {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A way to the other side. */
export interface Transport {
  /** Sends a request and resolves with the head of its answer, which may come before all is sent. */
  begin(request: HttpRequest, watch: StallWatch, signal: AbortSignal): Promise<Incoming>;
  close(): Promise<void>;
}

/** One request, one answer. Ends where nothing moves any more, where it is told to, and where the answer is complete. */
export async function exchange(request: HttpRequest, transport: Transport): Promise<HttpAnswer> {
  const watch = new StallWatch(request.patience);
  const over = new AbortController();
  const signal = AbortSignal.any([request.signal, watch.signal, over.signal]);
  try {
    signal.throwIfAborted();
    // A transport itself may not notice an abort while it connects.
    return await Promise.race([converse(request, transport, watch, signal), aborted(signal)]);
  } catch (error) {
    request.signal.throwIfAborted();
    throw asConnectionError(error);
  } finally {
    watch.end();
    // Where the answer came early, the rest is not sent.
    over.abort();
    if (typeof request.body === 'object') await request.body.close();
  }
}

async function converse(
  request: HttpRequest,
  transport: Transport,
  watch: StallWatch,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { status, headers, body } = await transport.begin(request, watch, signal);
  watch.received();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    watch.received();
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  return {
    status,
    retryAfter: single(headers['retry-after']),
    location: single(headers['location']),
    text: Buffer.concat(pieces).toString('utf8'),
  };
}

async function aborted(signal: AbortSignal): Promise<never> {
  return await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function tooLarge(): ConnectionError {
  return new ConnectionError('the answer was too large to be true', { maybeReceived: true, isLasting: true });
}

function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header[0] : header;
}
