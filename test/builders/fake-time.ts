import { test, vi } from 'vitest';

/** Vitest's `it` with a fake clock. The pauses between tries are not random: 250 ms, 500 ms, 1000 ms, … */
export const it = test.extend('clock', { auto: true }, ({}, { onCleanup }) => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  onCleanup(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
});

/**
 * Advances the fake clock until the work is done, which takes `ms`. The calendar jumps on the way, as on a machine whose
 * date is corrected.
 */
export async function inFakeTime<T>(work: () => Promise<T>, minutes = 120): Promise<{ value: T; ms: number }> {
  const startedAt = performance.now();
  const ended = (async () => ({ value: await work(), ms: performance.now() - startedAt }))();
  // `await ended` reports a rejection. Without this line, Node would call it unhandled before that.
  ended.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(1_000);
  vi.setSystemTime(Date.now() - 20 * 86_400_000);
  await vi.advanceTimersByTimeAsync(minutes * 60_000);
  const tooLate = Promise.reject(new Error(`The work has not ended after ${minutes} minutes.`));
  return await Promise.race([ended, tooLate]);
}
