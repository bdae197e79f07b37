/**
 * Does `work` for every item, at most `lanes` at a time, and gives the results in the order of the items. The first
 * failure is thrown once the work under way has ended; nothing new is begun after it.
 *
 * `work` is told its lane, so that it can keep what is costly to make, such as a buffer.
 */
export async function inLanes<T, R>(
  items: readonly T[],
  lanes: number,
  work: (item: T, lane: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  // All lanes take from the one iterator, so each item is taken once.
  const rest = items.entries();
  let failed = false;
  const run = async (lane: number): Promise<void> => {
    for (const [index, item] of rest) {
      if (failed) return;
      try {
        results[index] = await work(item, lane);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(lanes, items.length) }, (_, lane) => run(lane)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}
