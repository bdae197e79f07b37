/**
 * Begins to work on all items, so many at a time and in their order, and hands out what each one comes to. A failure is
 * that item's alone.
 */
export function workOn<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): (item: T) => Promise<R> {
  const results = new Map(items.map((item) => [item, Promise.withResolvers<R>()]));
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      const result = results.get(item);
      try {
        result?.resolve(await work(item));
      } catch (error) {
        // Whoever asks for it is told; nobody may ask, where only some tests are run.
        result?.promise.catch(() => undefined);
        result?.reject(error);
      }
    }
  };
  for (let lane = 0; lane < limit; lane += 1) void worker();
  return async (item) => {
    const result = results.get(item);
    if (!result) throw new Error('This was never begun.');
    return await result.promise;
  };
}

/**
 * On a busy machine a fast clock outruns the service, which has the real one. What does not fit is tried once more, with
 * more time: a fault of the action does not go away by that.
 */
export async function secondOpinion<R>(first: R, fits: (run: R) => boolean, again: () => Promise<R>): Promise<R> {
  return fits(first) ? first : await again();
}
