import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { abortedLater, sleep } from '../../src/lib/clock.ts';

beforeEach(() => {
  vi.useFakeTimers();
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
  // A run sleeps often with one signal.
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

it.each([true, false])(
  'a signal follows another one after some time, if that is aborted already: %s',
  async (isEarly) => {
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
  },
);
