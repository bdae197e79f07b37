import { backoff } from '../http/http.ts';
import { sleep } from '../lib/clock.ts';
import type { TryPolicy } from './endpoints.ts';
import { FAILURES } from './failure.ts';
import { ServiceError } from './service-error.ts';

/** A service that does not respond is given up after this long, pauses included. A rate limit is a response. */
const GIVE_UP_MS = 120_000;
/** A try that takes longer was transferring data, so the give-up time starts again, for at most this many tries. */
const MAX_SILENT_MS = 90_000;
const MAX_LONG_TRIES = 4;
/** A try with less time than this would fail for lack of time alone. */
const MIN_TRY_MS = 5_000;

/** How long a request may take, all its tries and rate limits included. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Epoch milliseconds. One try is made even after it, with `MIN_TRY_MS` for its response. */
  readonly until: number;
}

export interface TryOptions<T> {
  readonly policy: TryPolicy;
  readonly deadline: Deadline;
  /** Resolves when a try may start; throws if none will. */
  readonly ready?: () => Promise<void>;
  /** One try. Throws a `ServiceError` if it failed. */
  readonly attempt: (timeoutMs: number) => Promise<T>;
  /** Called before each pause. */
  readonly onPause: (error: ServiceError, delayMs: number) => void;
}

/** Tries until it works, or until tries or time are used up; then the last `ServiceError` is thrown. */
export async function withTries<T>({ policy, deadline, ready, attempt, onPause }: TryOptions<T>): Promise<T> {
  const { repeats, timeoutMs, isCutByDeadline } = policy;
  let givenUpAt = Number.POSITIVE_INFINITY;
  for (let tries = 1; ; tries += 1) {
    await ready?.();
    const startedAt = Date.now();
    const until = Math.min(givenUpAt, isCutByDeadline ? deadline.until : givenUpAt);
    try {
      return await attempt(Math.max(MIN_TRY_MS, Math.min(timeoutMs, until - startedAt)));
    } catch (error) {
      if (!(error instanceof ServiceError) || tries >= FAILURES[error.failureClass].maxTries[repeats]) throw error;
      const isLimited = error.failureClass === 'rate limit';
      const now = Date.now();
      const isLong = now - startedAt > MAX_SILENT_MS;
      if (isLong && tries >= MAX_LONG_TRIES) throw error;
      if (isLimited) givenUpAt = Number.POSITIVE_INFINITY;
      else givenUpAt = isLong ? now + GIVE_UP_MS : Math.min(givenUpAt, startedAt + GIVE_UP_MS);
      const delayMs = (isLimited ? error.retryAfterMs : undefined) ?? backoff(tries);
      if (now + delayMs + MIN_TRY_MS > givenUpAt) throw error;
      if ((isLimited || isCutByDeadline) && now + delayMs > deadline.until) throw error;
      onPause(error, delayMs);
      await sleep(delayMs, deadline.signal);
    }
  }
}
