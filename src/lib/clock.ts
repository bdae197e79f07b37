/** Sleeps. Rejects with the signal's reason as soon as it is aborted. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      signal.removeEventListener('abort', stop);
      resolve();
    }
    function stop(): void {
      clearTimeout(timer);
      reject(signal.reason);
    }
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** A signal that is aborted the given time after another one. */
export function abortedLater(signal: AbortSignal, milliseconds: number): AbortSignal {
  const later = new AbortController();
  const abort = (): void => void setTimeout(() => later.abort(signal.reason), milliseconds);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return later.signal;
}
