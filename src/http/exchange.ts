import { asConnectionError } from './connection-failure.ts';
import { ConnectionError, type HttpAnswer, type HttpRequest, MAX_ANSWER_BYTES } from './http.ts';
import { StallTimer } from './stall-timer.ts';

/** The head of an answer, and its body as it comes. */
export interface Incoming {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends what is still being sent: an answer may come early, and then the rest is of no use. */
  end(): void;
}

/** A way to the other side. */
export interface Transport {
  /** Sends a request and resolves with the head of its answer, which may come before all is sent. */
  begin(request: HttpRequest, watch: StallTimer, signal: AbortSignal): Promise<Incoming>;
  close(): Promise<void>;
}

/** One request, one answer. Ends where nothing moves any more, where it is told to, and where the answer is complete. */
export async function exchange(request: HttpRequest, transport: Transport): Promise<HttpAnswer> {
  const watch = new StallTimer(request.timeouts);
  const signal = AbortSignal.any([request.signal, watch.signal]);
  // A transport itself may not notice an abort while it connects.
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', abort);
    return await Promise.race([converse(request, transport, watch, signal), aborted.promise]);
  } catch (error) {
    request.signal.throwIfAborted();
    throw asConnectionError(error);
  } finally {
    // As long as somebody listens, the run's own signal keeps this one alive.
    signal.removeEventListener('abort', abort);
    watch.end();
    if (typeof request.body === 'object') await request.body.close();
  }
}

async function converse(
  request: HttpRequest,
  transport: Transport,
  watch: StallTimer,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const incoming = await transport.begin(request, watch, signal);
  try {
    return { ...headOf(incoming), text: await textOf(incoming, watch) };
  } finally {
    incoming.end();
  }
}

function headOf({ status, headers }: Incoming): Omit<HttpAnswer, 'text'> {
  return { status, retryAfter: single(headers['retry-after']), location: single(headers['location']) };
}

async function textOf({ body }: Incoming, watch: StallTimer): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  watch.received();
  for await (const piece of body) {
    watch.received();
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function tooLarge(): ConnectionError {
  return new ConnectionError('the answer was too large to be true', { maybeReceived: true, isLasting: true });
}

function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'object' ? header[0] : header;
}
