import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Buckets } from '../../src/service/buckets.ts';
import type { Failure } from '../../src/service/service-error.ts';

const LIMIT: Failure = { kind: 'status', status: 429, message: 'slow down', location: undefined, retryAfter: '5' };
const { signal } = new AbortController();

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('closes its bucket for every request until the limit has passed, and no other bucket', async () => {
  const buckets = new Buckets();
  buckets.close('upload', Date.now() + 5_000, LIMIT);
  const until = Date.now() + 60_000;
  const opened: string[] = [];
  const waiting = (['upload', 'upload', 'submission_read'] as const).map(async (bucket) => {
    expect(await buckets.opened(bucket, { signal, until })).toBeUndefined();
    opened.push(bucket);
  });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(opened).toEqual(['submission_read']);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all(waiting);
  expect(opened).toEqual(['submission_read', 'upload', 'upload']);
});

it('stays closed for the longest limit, also for requests that wait already', async () => {
  const buckets = new Buckets();
  buckets.close('upload', Date.now() + 5_000, LIMIT);
  const opened = vi.fn<() => void>();
  const waiting = buckets.opened('upload', { signal, until: Date.now() + 60_000 }).then(opened);
  buckets.close('upload', Date.now() + 10_000, LIMIT);
  buckets.close('upload', Date.now() + 1_000, LIMIT);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(opened).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
});

it('names what closed it to a request that cannot wait that long', async () => {
  const buckets = new Buckets();
  buckets.close('upload', Date.now() + 5_000, LIMIT);
  expect(await buckets.opened('upload', { signal, until: Date.now() + 4_000 })).toBe(LIMIT);
});
