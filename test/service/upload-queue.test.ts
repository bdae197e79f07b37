import { expect, it } from 'vitest';
import type { SendableContent } from '../../src/media/content.ts';
import { UploadQueue } from '../../src/service/upload-queue.ts';

const MAX = 10;

function content(size: number): SendableContent {
  const type = { mime: 'image/png', extension: 'png', category: 'image' } as const;
  const file = { path: 'a', absolutePath: '/a', sha256: 'a', type, stamp: { size, mtimeMs: 0, ino: 0 } };
  return { sha256: 'a', size, paths: ['a'], file, name: 'a' };
}

function queueOf(lanes: number, ...sizes: readonly number[]): UploadQueue {
  return new UploadQueue(sizes.map(content), lanes, MAX);
}

const take = (queue: UploadQueue, ...lanes: readonly number[]): readonly (number | undefined)[] =>
  lanes.map((lane) => queue.next(lane)?.size);

it('the lower half of the lanes begins with the large files, the largest first, the others with the small ones', () => {
  expect(take(queueOf(4, 1, 20, 2, 40, 3, 30), 0, 1, 2, 3)).toEqual([40, 30, 1, 2]);
});

it('a small file never waits for a large one, however many of those there are', () => {
  const queue = queueOf(8, ...Array<number>(20).fill(50), 7);
  expect(take(queue, 0, 1, 2, 3, 4)).toEqual([50, 50, 50, 50, 7]);
});

it('a lane whose own kind is gone helps the others, until nothing is left', () => {
  expect(take(queueOf(2, 1, 2, 20), 0, 0, 0, 0)).toEqual([20, 1, 2, undefined]);
  expect(take(queueOf(2, 1, 20, 30), 1, 1, 1, 1)).toEqual([1, 30, 20, undefined]);
});

it('one lane takes the large ones first', () => {
  expect(take(queueOf(1, 1, 20, 2), 0, 0, 0)).toEqual([20, 1, 2]);
});

it('a file of exactly the most is small', () => {
  expect(take(queueOf(2, MAX + 1, MAX), 1, 1)).toEqual([MAX, MAX + 1]);
});
