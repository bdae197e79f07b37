/** Rejects with the signal's reason as soon as the signal is aborted. */
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
  const results: R[] = [];
  const queue = items.entries();
  const stop = new AbortController();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (stop.signal.aborted) return;
      try {
        results[index] = await work(item, stop.signal);
      } catch (error) {
        stop.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  stop.signal.throwIfAborted();
  return results;
}

/**
 * Returns a function that starts work, at most `limit` at a time. Of the work that waits, the most urgent starts first.
 * Work is started a moment later, so that everything that is queued at once is compared.
 */
export function createQueue(limit: number) {
  const waiting: { readonly isUrgent: boolean; readonly start: () => void }[] = [];
  let running = 0;
  const next = (): void => {
    if (running >= limit) return;
    const urgent = waiting.findIndex(({ isUrgent }) => isUrgent);
    const [first] = waiting.splice(Math.max(urgent, 0), 1);
    if (!first) return;
    running += 1;
    first.start();
  };
  return async <T>(work: () => Promise<T>, isUrgent = false): Promise<T> => {
    const { promise: isTurn, resolve: start } = Promise.withResolvers<void>();
    waiting.push({ isUrgent, start });
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
