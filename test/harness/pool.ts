/** How many items are begun before they are asked for, for each lane: a slow one must not keep the others from working. */
const LOOKAHEAD = 8;

/**
 * Works on items, so many at a time and in their order, and hands out what each one comes to. Only those that are asked
 * for are begun, and some that come after them. A failure is that item's alone.
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
      // The lane goes to the next one in line, or is free.
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
      // Whoever asks for it is told; nobody may ask.
      result.catch(() => undefined);
      results.set(next, result);
    }
    const result = results.get(item);
    if (!result) throw new Error('This is none of the items.');
    return await result;
  };
}
