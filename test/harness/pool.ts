/** Items started ahead of demand, for each lane, so that a slow one does not keep the others waiting. */
const LOOKAHEAD = 8;

/**
 * Works on items in their order, a number of them at a time. Only items that are asked for are started, and some that
 * come after them. A failure affects that item alone.
 *
 * @returns gives the result of an item
 */
export function workOn<T, R>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<R>,
): (item: T) => Promise<R> {
  const results = new Map<T, Promise<R>>();
  const waiting: (() => void)[] = [];
  let busy = 0;
  const begin = async (item: T): Promise<R> => {
    if (busy === lanes) await new Promise<void>((resolve) => waiting.push(resolve));
    else busy += 1;
    try {
      return await work(item);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy -= 1;
    }
  };
  return async (item) => {
    const index = items.indexOf(item);
    for (const next of items.slice(index, index + lanes * LOOKAHEAD)) {
      if (results.has(next)) continue;
      const result = begin(next);
      // Reported when the item is asked for.
      result.catch(() => undefined);
      results.set(next, result);
    }
    const result = results.get(item);
    if (!result) throw new Error('Not one of the items.');
    return await result;
  };
}
