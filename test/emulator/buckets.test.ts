import { expect, it } from 'vitest';
import { Buckets } from '../../emulator/buckets.ts';

it('accepts the limit per window and returns when there is room again', () => {
  const buckets = new Buckets({ upload: { limit: 2, perSeconds: 10 } });
  const take = (seconds: number): string | undefined => buckets.take('upload', seconds * 1000);
  expect([take(0), take(4), take(5), take(9.5), take(10), take(11), take(14)]).toEqual([
    undefined,
    undefined,
    '5',
    '1',
    undefined,
    '3',
    undefined,
  ]);
});

it('does not limit other buckets', () => {
  const buckets = new Buckets({ upload: { limit: 0, perSeconds: 10, retryAfter: 0 } });
  expect(buckets.take('upload', 0)).toBe('0');
  expect(buckets.take('sandbox', 0)).toBeUndefined();
});
