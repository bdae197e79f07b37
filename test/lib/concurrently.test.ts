import { expect, it } from 'vitest';
import { concurrently } from '../../src/lib/concurrently.ts';

const later = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

it('processes all items in order, each in a lane of which there are never more than the limit', async () => {
  const busy = new Set<number>();
  const lanesSeen = new Set<number>();
  const results = await concurrently([5, 3, 1, 4], 2, async (item, _stop, lane) => {
    expect(busy).not.toContain(lane);
    busy.add(lane);
    lanesSeen.add(lane);
    for (let turn = 0; turn < item; turn += 1) await later();
    busy.delete(lane);
    return item * 2;
  });
  expect(results).toEqual([10, 6, 2, 8]);
  expect(lanesSeen).toEqual(new Set([0, 1]));
});

it('the first failure aborts the rest, starts nothing more, and is thrown when all have ended', async () => {
  const events: string[] = [];
  const work = async (item: string, stop: AbortSignal): Promise<void> => {
    events.push(`${item} begins`);
    if (item === 'bad') throw new Error('bad');
    if (!stop.aborted) await new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve()));
    await later();
    events.push(`${item} ends: ${String(stop.reason)}`);
    throw stop.reason;
  };
  await expect(concurrently(['slow', 'bad', 'never'], 2, work)).rejects.toThrow('bad');
  expect(events).toEqual(['slow begins', 'bad begins', 'slow ends: Error: bad']);
});
