import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Bucket, Buckets } from '../../src/service/buckets.ts';
import type { Failure } from '../../src/service/failure.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const LIMIT: Failure = { kind: 'status', status: 429, words: 'slow down', location: undefined, retryAfter: '60' };

interface Opening {
  at?: number;
  failure?: Failure | undefined;
}

function openingOf(buckets: Buckets, bucket: Bucket, withinMs = 3_600_000): Opening {
  const opening: Opening = {};
  const startedAt = Date.now();
  const watch = async (): Promise<void> => {
    opening.failure = await buckets.opened(bucket, {
      signal: new AbortController().signal,
      until: startedAt + withinMs,
    });
    opening.at = Date.now() - startedAt;
  };
  void watch();
  return opening;
}

it('a closed bucket holds every worker back, and no other bucket', async () => {
  const buckets = new Buckets();
  buckets.close('upload', Date.now() + 60_000, LIMIT);
  const workers = Array.from({ length: 5 }, () => openingOf(buckets, 'upload'));
  const others = (['submission_write', 'submission_read', 'sandbox'] as const).map((name) => openingOf(buckets, name));

  await vi.advanceTimersByTimeAsync(59_999);
  expect(workers.map(({ at }) => at)).toEqual(Array(5).fill(undefined));
  expect(others.map(({ at, failure }) => [at, failure])).toEqual(others.map(() => [0, undefined]));

  await vi.advanceTimersByTimeAsync(1000);
  expect(workers.every(({ at }) => at !== undefined && at >= 60_000)).toBe(true);
  // They do not all knock at once.
  expect(new Set(workers.map(({ at }) => at)).size).toBeGreaterThan(1);
});

it('a second limit makes the wait longer, never shorter', async () => {
  const buckets = new Buckets();
  const now = Date.now();
  expect(buckets.close('upload', now + 60_000, LIMIT)).toBe(true);
  const worker = openingOf(buckets, 'upload');
  await vi.advanceTimersByTimeAsync(30_000);
  expect(buckets.close('upload', now + 40_000, LIMIT)).toBe(false);
  expect(buckets.close('upload', now + 90_000, LIMIT)).toBe(false);

  await vi.advanceTimersByTimeAsync(59_000);
  expect(worker.at).toBeUndefined();
  await vi.advanceTimersByTimeAsync(2000);
  expect(worker.at).toBeGreaterThanOrEqual(90_000);
  expect(buckets.close('upload', Date.now() + 1, LIMIT)).toBe(true);
});

it('who has not that much time is told at once what closed it', async () => {
  const buckets = new Buckets();
  buckets.close('submission_read', Date.now() + 60_000, LIMIT);
  const worker = openingOf(buckets, 'submission_read', 10_000);
  await vi.advanceTimersByTimeAsync(0);
  expect(worker).toEqual({ at: 0, failure: LIMIT });
});
