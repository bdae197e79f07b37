/**
 * Works on all items, at most `limit` at a time, in order of their start. The first failure stops new starts and is
 * thrown once what was under way has ended, so that nothing goes on behind the caller's back.
 */
export async function concurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  results.length = items.length;
  const queue = items.entries();
  let failure: { readonly error: unknown } | undefined;
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (failure) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failure) throw failure.error;
  return results;
}
