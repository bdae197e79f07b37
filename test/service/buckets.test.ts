import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bucket, Buckets } from '../../src/service/buckets.ts';
import type { Failure } from '../../src/service/service-error.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const LIMIT: Failure = { kind: 'status', status: 429, message: 'slow down', location: undefined, retryAfter: '60' };

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

it('a closed bucket stops every worker, and no other bucket', async () => {
  const buckets = new Buckets();
  buckets.close('upload', Date.now() + 60_000, LIMIT);
  const workers = Array.from({ length: 5 }, () => openingOf(buckets, 'upload'));
  const others = (['submission_write', 'submission_read', 'sandbox'] as const).map((name) => openingOf(buckets, name));

  await vi.advanceTimersByTimeAsync(59_999);
  expect(workers.map(({ at }) => at)).toEqual(Array(5).fill(undefined));
  expect(others.map(({ at, failure }) => [at, failure])).toEqual(others.map(() => [0, undefined]));

  await vi.advanceTimersByTimeAsync(1000);
  expect(workers.every(({ at }) => at !== undefined && at >= 60_000)).toBe(true);
  // They do not all send at once.
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
  await vi.advanceTimersByTimeAsync(1);
  expect(buckets.close('upload', Date.now() + 1, LIMIT)).toBe(true);
});

it('a request with less time gets the failure that closed the bucket at once', async () => {
  const buckets = new Buckets();
  buckets.close('submission_read', Date.now() + 60_000, LIMIT);
  const worker = openingOf(buckets, 'submission_read', 10_000);
  await vi.advanceTimersByTimeAsync(0);
  expect(worker).toEqual({ at: 0, failure: LIMIT });
});

/** Accepts so many requests in any span of that length, and answers the others with the time until the next one. */
class LimitedService {
  readonly #limit: number;
  readonly #spanMs: number;
  readonly #taken: number[] = [];
  refusals = 0;

  constructor(limit: number, spanMs: number) {
    this.#limit = limit;
    this.#spanMs = spanMs;
  }

  /** @returns the seconds of `Retry-After` if it refuses */
  ask(): number | undefined {
    const now = Date.now();
    const counting = this.#taken.filter((at) => at > now - this.#spanMs);
    if (counting.length < this.#limit) {
      this.#taken.push(now);
      return undefined;
    }
    this.refusals += 1;
    return Math.max(1, Math.ceil(((counting[0] ?? now) + this.#spanMs - now) / 1000));
  }
}

/** Eight workers ask as soon as they may; every answer takes 40 ms. */
async function workOff(requests: number, service: LimitedService): Promise<number> {
  const buckets = new Buckets();
  const startedAt = Date.now();
  const deadline = { signal: new AbortController().signal, until: startedAt + 86_400_000 };
  let begun = 0;
  let endedAt = startedAt;
  const worker = async (): Promise<void> => {
    while (begun < requests) {
      begun += 1;
      for (;;) {
        await buckets.opened('submission_read', deadline);
        await new Promise((resolve) => setTimeout(resolve, 40));
        const retryAfter = service.ask();
        if (retryAfter === undefined) break;
        buckets.close('submission_read', Date.now() + retryAfter * 1000, LIMIT);
      }
      buckets.accepted('submission_read');
    }
    endedAt = Date.now();
  };
  const workers = Promise.all(Array.from({ length: 8 }, worker));
  await vi.advanceTimersByTimeAsync(86_400_000);
  await workers;
  return endedAt - startedAt;
}

describe('under an unknown limit', () => {
  it.each([
    { requests: 2_000, limit: 600, spanMs: 60_000 },
    { requests: 500, limit: 60, spanMs: 60_000 },
    { requests: 100, limit: 10, spanMs: 60_000 },
    { requests: 2_000, limit: 50, spanMs: 1_000 },
  ])('$requests requests, $limit in $spanMs ms: no slower than the limit requires', async (given) => {
    const service = new LimitedService(given.limit, given.spanMs);
    const took = await workOff(given.requests, service);
    const least = Math.floor((given.requests - 1) / given.limit) * given.spanMs;
    expect(took / least).toBeLessThan(1.35);
    expect(service.refusals / given.requests).toBeLessThan(0.2);
  });

  it('requests follow each other at the rate that was accepted', async () => {
    const buckets = new Buckets();
    const now = Date.now();
    for (let count = 0; count < 300; count += 1) buckets.accepted('upload');
    buckets.close('upload', now + 60_000, LIMIT);
    const workers = Array.from({ length: 4 }, () => openingOf(buckets, 'upload'));
    await vi.advanceTimersByTimeAsync(61_000);
    expect(workers.map(({ at }) => at)).toEqual([60_000, 60_200, 60_400, 60_600]);
  });

  it('even at a very slow rate, requests are at most a second apart', async () => {
    const buckets = new Buckets();
    buckets.accepted('upload');
    buckets.close('upload', Date.now() + 30_000, LIMIT);
    const workers = Array.from({ length: 3 }, () => openingOf(buckets, 'upload'));
    await vi.advanceTimersByTimeAsync(40_000);
    expect(workers.map(({ at }) => at)).toEqual([30_000, 31_000, 32_000]);
  });

  it('if nothing was accepted, they are a tenth of a second apart', async () => {
    const buckets = new Buckets();
    // One is too old to count, the other is of another bucket.
    buckets.accepted('upload');
    await vi.advanceTimersByTimeAsync(60_000);
    buckets.accepted('sandbox');
    buckets.close('upload', Date.now() + 5_000, LIMIT);
    const workers = Array.from({ length: 3 }, () => openingOf(buckets, 'upload'));
    await vi.advanceTimersByTimeAsync(6_000);
    expect(workers.map(({ at }) => at)).toEqual([5_000, 5_100, 5_200]);
  });

  it('requests before the clock was set back do not count for the rate', async () => {
    const buckets = new Buckets();
    buckets.accepted('upload');
    vi.setSystemTime(Date.now() - 3_600_000);
    buckets.close('upload', Date.now() + 5_000, LIMIT);
    const workers = Array.from({ length: 3 }, () => openingOf(buckets, 'upload'));
    await vi.advanceTimersByTimeAsync(6_000);
    expect(workers.map(({ at }) => at)).toEqual([5_000, 5_100, 5_200]);
  });

  it('requests within the last minute count for the rate', async () => {
    const buckets = new Buckets();
    buckets.accepted('upload');
    await vi.advanceTimersByTimeAsync(59_999);
    for (let count = 0; count < 99; count += 1) buckets.accepted('upload');
    buckets.close('upload', Date.now() + 1, LIMIT);
    const workers = Array.from({ length: 3 }, () => openingOf(buckets, 'upload'));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(workers.map(({ at }) => at)).toEqual([1, 601, 1_201]);
  });

  it.each([
    ['up to five minutes after it opened', 310_000 - 1, [0, 100]],
    ['and no longer', 310_000, [0, 0]],
  ])('the learned rate is kept %s', async (_, afterMs, expected) => {
    const buckets = new Buckets();
    buckets.close('upload', Date.now() + 10_000, LIMIT);
    await vi.advanceTimersByTimeAsync(afterMs);
    const workers = Array.from({ length: 2 }, () => openingOf(buckets, 'upload'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(workers.map(({ at }) => at)).toEqual(expected);
  });

  it('a request with exactly that much time waits', async () => {
    const buckets = new Buckets();
    buckets.close('upload', Date.now() + 10_000, LIMIT);
    const [just, short] = [openingOf(buckets, 'upload', 10_000), openingOf(buckets, 'upload', 10_000)];
    await vi.advanceTimersByTimeAsync(10_000);
    expect(just).toEqual({ at: 10_000, failure: undefined });
    expect(short).toEqual({ at: 0, failure: LIMIT });
  });

  it('a run that is stopped does not wait for a bucket', async () => {
    const buckets = new Buckets();
    const stop = new AbortController();
    buckets.close('upload', Date.now() + 10_000, LIMIT);
    const waiting = buckets.opened('upload', { signal: stop.signal, until: Date.now() + 60_000 });
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
  });

  it('the learned rate is dropped some minutes after the last refusal', async () => {
    const buckets = new Buckets();
    buckets.accepted('upload');
    buckets.close('upload', Date.now() + 10_000, LIMIT);
    await vi.advanceTimersByTimeAsync(11 * 60_000);
    const workers = Array.from({ length: 3 }, () => openingOf(buckets, 'upload'));
    await vi.advanceTimersByTimeAsync(0);
    expect(workers.map(({ at }) => at)).toEqual([0, 0, 0]);
  });
});
