const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/** Exponential with equal jitter: at least half of the step, so that a retry is never immediate. */
export function backoff(tries: number, random: () => number = Math.random): number {
  const step = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
  return step / 2 + (step / 2) * random();
}

const MIN_RETRY_AFTER_S = 1;
const MAX_RETRY_AFTER_S = 3600;

/**
 * Seconds of a `Retry-After` header as milliseconds, undefined where there is none to go by. The service sends seconds;
 * anything else, and a negative number, is nonsense. A huge number is cut to an hour: whoever waits has a deadline of its own.
 */
export function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(header)) return undefined;
  return Math.min(MAX_RETRY_AFTER_S, Math.max(MIN_RETRY_AFTER_S, Number(header))) * 1000;
}
