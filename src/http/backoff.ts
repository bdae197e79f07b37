const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/** Exponential with jitter: at least half of the step, so that a retry is never immediate. */
export function backoff(tries: number, random: () => number = Math.random): number {
  const step = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
  return step / 2 + (step / 2) * random();
}

const MIN_RETRY_AFTER_S = 1;
const MAX_RETRY_AFTER_S = 3600;

/**
 * The seconds of a `Retry-After` header in milliseconds; undefined if the header is missing, is not a number or is
 * negative. A huge number is cut to an hour: the deadline of the request limits the wait anyway.
 */
export function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(header)) return undefined;
  return Math.min(MAX_RETRY_AFTER_S, Math.max(MIN_RETRY_AFTER_S, Number(header))) * 1000;
}
