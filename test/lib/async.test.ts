import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { abortedLater, backoff, concurrently, createQueue, sleep } from '../../src/lib/async.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('a sleep ends after its time', async () => {
  const ended = vi.fn();
  const { signal } = new AbortController();
  void sleep(1_000, signal).then(ended);
  await vi.advanceTimersByTimeAsync(999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalledOnce();
  // A run sleeps often with the same signal, so listeners must not pile up.
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('a sleep is broken off with the reason of its signal, also before it begins', async () => {
  const stop = new AbortController();
  const broken = expect(sleep(1_000, stop.signal)).rejects.toThrow('Stopped.');
  stop.abort(new Error('Stopped.'));
  await broken;
  await expect(sleep(1_000, stop.signal)).rejects.toThrow('Stopped.');
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  [1, 250, 500],
  [2, 500, 1000],
  [60, 7500, 15_000],
])('the pause after %d tries: %d to %d ms', (tries, least, most) => {
  const random = vi.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValueOnce(1);
  expect([backoff(tries), backoff(tries)]).toEqual([least, most]);
  random.mockRestore();
});

it.each([true, false])('a signal follows a signal that was aborted before: %s', async (isEarly) => {
  const first = new AbortController();
  if (isEarly) first.abort('why');
  const later = abortedLater(first.signal, 1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(later.aborted).toBe(isEarly);
  first.abort('why');
  await vi.advanceTimersByTimeAsync(999);
  expect(later.aborted).toBe(isEarly);
  await vi.advanceTimersByTimeAsync(1);
  expect([later.aborted, later.reason]).toEqual([true, 'why']);
});

const later = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

it('processes all items in order, never more at a time than the limit', async () => {
  let running = 0;
  const seen = new Set<number>();
  const results = await concurrently([5, 3, 1, 4], 2, async (item) => {
    running += 1;
    seen.add(running);
    for (let turn = 0; turn < item; turn += 1) await later();
    running -= 1;
    return item * 2;
  });
  expect(results).toEqual([10, 6, 2, 8]);
  expect(seen).toEqual(new Set([1, 2]));
});

it('a queue starts urgent work first, never more at a time than its limit, and goes on after a failure', async () => {
  const inTurn = createQueue(1);
  const started: string[] = [];
  let running = 0;
  const work = (name: string) => async (): Promise<void> => {
    started.push(`${name} ${++running}`);
    await later();
    running -= 1;
    throw new Error(name);
  };
  const ends = await Promise.allSettled([inTurn(work('a')), inTurn(work('b')), inTurn(work('urgent'), true)]);
  expect(started).toEqual(['urgent 1', 'a 1', 'b 1']);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
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
