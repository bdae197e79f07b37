/**
 * Works on all items, at most `limit` at a time, in order of their start. The first failure stops new starts and aborts
 * what is under way; it is thrown once all of that has ended, so that nothing goes on behind the caller's back.
 *
 * @param work its signal is aborted, with the failure as its reason, when another item's work fails; it is told its lane,
 *   counted from 0, so that it can keep what is costly to make, such as a buffer
 */
export async function concurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, stop: AbortSignal, lane: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  results.length = items.length;
  const queue = items.entries();
  const stop = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  const worker = async (_: unknown, lane: number): Promise<void> => {
    for (const [index, item] of queue) {
      if (failure) return;
      try {
        results[index] = await work(item, stop.signal, lane);
      } catch (error) {
        failure ??= { error };
        stop.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failure) throw failure.error;
  return results;
}
