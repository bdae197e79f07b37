/** Which failures of a request are worth another try. */
export interface RetryPolicy {
  readonly statuses: readonly number[];
  /** `unsent`: only where the service cannot have seen the request. */
  readonly connection: 'always' | 'unsent';
}

/** Reading, and uploading under a name that means one content: doing it twice changes nothing. */
export const REPEATABLE: RetryPolicy = { statuses: [429, 500, 502, 503, 504], connection: 'always' };

/** Creating costs credits, and a second one is a second bill. After 503 and 504 the first may have arrived. */
export const ONCE: RetryPolicy = { statuses: [429, 500, 502], connection: 'unsent' };

/** A service that does not answer is given up after this long; only waiting for an analysis may last. */
export const GIVE_UP_MS = 120_000;

/** A proxy's error page in place of an answer passes; a service that breaks its contract stays. */
export const UNREADABLE_ATTEMPTS = 3;

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;

/** Exponential with equal jitter: at least half of the step, so that a retry is never immediate. */
export function backoff(attempt: number, random: () => number = Math.random): number {
  const step = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  return step / 2 + (step / 2) * random();
}

const SHORTEST_RETRY_AFTER_S = 1;
const LONGEST_RETRY_AFTER_S = 3600;

/**
 * Seconds of a `Retry-After` header as milliseconds, undefined where there is none to go by. The service sends seconds;
 * anything else, and a negative number, is nonsense. A huge number is cut to an hour: whoever waits has a deadline of its own.
 */
export function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(header)) return undefined;
  return Math.min(LONGEST_RETRY_AFTER_S, Math.max(SHORTEST_RETRY_AFTER_S, Number(header))) * 1000;
}
