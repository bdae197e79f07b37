import { expect, it } from 'vitest';
import { inLanes } from '../../src/media/parallel.ts';

it('keeps the order, and never more under way than lanes', async () => {
  let underWay = 0;
  let most = 0;
  const lanesSeen = new Set<number>();
  const results = await inLanes([5, 1, 4, 2, 3], 2, async (item, lane) => {
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

it('begins nothing after a failure, and throws it once the rest has ended', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = async (item: number): Promise<void> => {
    begun.push(item);
    if (item === 1) throw new Error('first');
    await new Promise(setImmediate);
    ended.push(item);
  };
  await expect(inLanes([0, 1, 2, 3], 2, work)).rejects.toThrow('first');
  expect(begun).toEqual([0, 1]);
  expect(ended).toEqual([0]);
});

it('has nothing to do for nothing', async () => {
  expect(await inLanes([], 4, async () => 1)).toEqual([]);
});
