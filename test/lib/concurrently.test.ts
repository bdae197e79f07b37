import { expect, it } from 'vitest';
import { concurrently } from '../../src/lib/concurrently.ts';

const later = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

it('processes all items in order, never more than the limit at a time', async () => {
  let active = 0;
  let most = 0;
  const results = await concurrently([5, 3, 1, 4], 2, async (item) => {
    active += 1;
    most = Math.max(most, active);
    for (let turn = 0; turn < item; turn += 1) await later();
    active -= 1;
    return item * 2;
  });
  expect(results).toEqual([10, 6, 2, 8]);
  expect(most).toBe(2);
});

it('after the first failure nothing is started, the rest is aborted, and it is thrown when all have ended', async () => {
  const events: string[] = [];
  const work = async (item: string, stop: AbortSignal): Promise<void> => {
    events.push(`${item} begins`);
    if (item === 'bad') throw new Error('bad');
    await new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve()));
    await later();
    events.push(`${item} ends: ${String(stop.reason)}`);
    throw stop.reason;
  };
  await expect(concurrently(['slow', 'bad', 'never'], 2, work)).rejects.toThrow('bad');
  expect(events).toEqual(['slow begins', 'bad begins', 'slow ends: Error: bad']);
});

it('passes its lane to each work', async () => {
  let underWay = 0;
  let most = 0;
  const lanesSeen = new Set<number>();
  const results = await concurrently([5, 1, 4, 2, 3], 2, async (item, _stop, lane) => {
    most = Math.max(most, ++underWay);
    lanesSeen.add(lane);
    for (let turn = 0; turn < item; turn++) await Promise.resolve();
    underWay--;
    return item * 10;
  });
  expect(results).toEqual([50, 10, 40, 20, 30]);
  expect(most).toBe(2);
  expect(lanesSeen).toEqual(new Set([0, 1]));
});
