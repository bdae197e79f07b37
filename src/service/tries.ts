import { backoff, sleep } from '../lib/async.ts';
import type { Endpoint } from './endpoints.ts';
import { ServiceError } from './service-error.ts';

/** A request is given up after this time, pauses included, without a response that can be used. */
const GIVE_UP_MS = 120_000;
/** But if the first try was long, because it was transferring data, there is still time to begin another one. */
const BEGIN_AGAIN_MS = 60_000;
/** Every try gets at least this time, because a shorter try would only time out. */
const MIN_TRY_MS = 5_000;

/** The time limit of a step. Of uploads and creations it ends only the waits for rate limits. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The deadline by `performance.now`. A request that begins later still gets one try of `MIN_TRY_MS`. */
  readonly until: number;
}

/** Repeats a request until it succeeds. Throws the last `ServiceError` if no other try may succeed, or no time is left. */
export async function withTries<T>(options: {
  readonly endpoint: Endpoint;
  readonly deadline: Deadline;
  /** Resolves when a try may start. */
  readonly ready?: () => Promise<void>;
  readonly attempt: (timeoutMs: number) => Promise<T>;
  readonly log: (line: string) => void;
}): Promise<T> {
  const { deadline, ready, attempt, log } = options;
  const { isRepeatable, timeoutMs, isCutByDeadline } = options.endpoint;
  let giveUpAt = Number.POSITIVE_INFINITY;
  for (let tries = 1; ; tries += 1) {
    await ready?.();
    const startedAt = performance.now();
    const until = isCutByDeadline ? Math.min(giveUpAt, deadline.until) : giveUpAt;
    // What cannot be repeated has its whole time, so that it is not given up while the service carries it out.
    const limitMs = isRepeatable ? Math.min(timeoutMs, until - startedAt) : timeoutMs;
    try {
      return await attempt(Math.max(MIN_TRY_MS, limitMs));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const now = performance.now();
      const isLimited = error.failureClass === 'rate limit';
      const limit = Math.max(startedAt + GIVE_UP_MS, now + BEGIN_AGAIN_MS);
      giveUpAt = isLimited ? Number.POSITIVE_INFINITY : Math.min(giveUpAt, limit);
      const delayMs = (isLimited ? error.retryAfterMs : undefined) ?? backoff(tries);
      const isGivenUp = now + delayMs + MIN_TRY_MS > giveUpAt;
      const isTooLate = (isLimited || isCutByDeadline) && now + delayMs > deadline.until;
      if (!error.canBeRepeated || isGivenUp || isTooLate) throw error;
      deadline.signal.throwIfAborted();
      log(`${error.message}; trying again in ${Math.ceil(delayMs / 1000)} s`);
      await sleep(delayMs, deadline.signal);
    }
  }
}
