/** Rejects with the signal's reason as soon as the signal is aborted. Node's own `setTimeout` hides the reason. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = (): void => reject(signal.reason);
  const timer = setTimeout(resolve, milliseconds);
  signal.addEventListener('abort', stop);
  await promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  });
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/** Exponential backoff with jitter. The delay is at least half of the step, so that no try follows immediately. */
export function backoff(tries: number): number {
  const step = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
  return step / 2 + (step / 2) * Math.random();
}

/** Returns a signal that is aborted the given time after the other signal. */
export function abortedLater(signal: AbortSignal, milliseconds: number): AbortSignal {
  const later = new AbortController();
  const abort = (): void => void setTimeout(() => later.abort(signal.reason), milliseconds);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return later.signal;
}

/**
 * Starts `work` for all items in order, at most `limit` at a time. After the first failure no further item is started,
 * and the failure is thrown when every started item has ended.
 *
 * @param work gets a signal that is aborted when another item fails
 */
export async function concurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, stop: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const inTurn = createQueue(limit);
  const stop = new AbortController();
  const run = async (item: T): Promise<R> => {
    stop.signal.throwIfAborted();
    try {
      return await work(item, stop.signal);
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  };
  const running = items.map(async (item) => await inTurn(async () => await run(item)));
  await Promise.allSettled(running);
  stop.signal.throwIfAborted();
  return await Promise.all(running);
}

/**
 * Returns a function that starts work, at most `limit` at a time, urgent work first. Work is started a moment later, so
 * that urgent work which is queued at the same time comes first.
 */
export function createQueue(limit: number) {
  const urgent: (() => void)[] = [];
  const others: (() => void)[] = [];
  let running = 0;
  const next = (): void => {
    const start = running < limit ? (urgent.shift() ?? others.shift()) : undefined;
    if (!start) return;
    running += 1;
    start();
  };
  return async <T>(work: () => Promise<T>, isUrgent = false): Promise<T> => {
    const { promise: isTurn, resolve: start } = Promise.withResolvers<void>();
    (isUrgent ? urgent : others).push(start);
    queueMicrotask(next);
    await isTurn;
    try {
      return await work();
    } finally {
      running -= 1;
      next();
    }
  };
}
