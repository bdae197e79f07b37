import { backoff } from '../http/http.ts';
import { sleep } from '../lib/async.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { TryPolicy } from './endpoints.ts';
import { FAILURES, type Failure, type FailureClass, type Operation, ServiceError } from './service-error.ts';

/** A request is given up if the service has not responded for this long, pauses included. A 429 is a response. */
const GIVE_UP_MS = 120_000;
/** A try that takes longer than this was transferring data, so `GIVE_UP_MS` starts again. */
const MAX_SILENT_MS = 90_000;
/** A long try is repeated only if its request has had fewer tries than this, because it may take as long again. */
const MAX_TRIES_IF_LONG = 4;
/** Every try gets at least this time, because a shorter try would only time out. */
const MIN_TRY_MS = 5_000;

/** How long a request may take, including all tries and waits for rate limits. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The deadline by `monotonicMs`. A request that begins later still gets one try of `MIN_TRY_MS`. */
  readonly until: number;
}

/** How long the service may lag behind: after a 404, with a missing fact, and until a retry takes effect. */
export const CATCH_UP_MS = 20_000;
const READ_AGAIN_MS = 2_000;

/** Begins a window of 20 s for further reads. The returned function returns true after a pause, or false at the end. */
export function catchUpWindow({ signal, until }: Deadline): () => Promise<boolean> {
  const endsAt = Math.min(monotonicMs() + CATCH_UP_MS, until);
  return async () => {
    if (monotonicMs() >= endsAt) return false;
    await sleep(READ_AGAIN_MS, signal);
    return true;
  };
}

/** Repeats a request until it succeeds. Throws the last `ServiceError` when no tries or no time are left. */
export async function withTries<T>(options: {
  readonly policy: TryPolicy;
  readonly deadline: Deadline;
  /** Resolves when a try may start. */
  readonly ready?: () => Promise<void>;
  readonly attempt: (timeoutMs: number) => Promise<T>;
  readonly onPause: (error: ServiceError, delayMs: number) => void;
}): Promise<T> {
  const { deadline, ready, attempt, onPause } = options;
  const { repeats, timeoutMs, isCutByDeadline } = options.policy;
  const failures = new Map<FailureClass, number>();
  let givenUpAt = Number.POSITIVE_INFINITY;
  for (let tries = 1; ; tries += 1) {
    await ready?.();
    const startedAt = monotonicMs();
    const until = Math.min(givenUpAt, isCutByDeadline ? deadline.until : givenUpAt);
    try {
      return await attempt(Math.max(MIN_TRY_MS, Math.min(timeoutMs, until - startedAt)));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const now = monotonicMs();
      const isLimited = error.failureClass === 'rate limit';
      const isLong = now - startedAt > MAX_SILENT_MS;
      const count = (failures.get(error.failureClass) ?? 0) + 1;
      failures.set(error.failureClass, count);
      if (isLimited) givenUpAt = Number.POSITIVE_INFINITY;
      else givenUpAt = isLong ? now + GIVE_UP_MS : Math.min(givenUpAt, startedAt + GIVE_UP_MS);
      const delayMs = (isLimited ? error.retryAfterMs : undefined) ?? backoff(tries);
      const isLastTry =
        count >= FAILURES[error.failureClass].maxTries[repeats] || (isLong && tries >= MAX_TRIES_IF_LONG);
      const isSilentTooLong = now + delayMs + MIN_TRY_MS > givenUpAt;
      const isTooLate = (isLimited || isCutByDeadline) && now + delayMs > deadline.until;
      if (isLastTry || isSilentTooLong || isTooLate) throw error;
      onPause(error, delayMs);
      await sleep(delayMs, deadline.signal);
    }
  }
}

/**
 * Limits the requests of one bucket. The service does not publish its limit, but refuses requests. A refusal closes the
 * bucket until its retry time has passed. After that, half as many requests as before (at least one) may be in flight.
 * Each time that this number of requests has succeeded, one more may be in flight.
 */
export class RateLimiter {
  #inFlight = 0;
  #maxInFlight = Number.POSITIVE_INFINITY;
  #closedUntil = Number.NEGATIVE_INFINITY;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #failure: Failure | undefined;
  #waiting: (() => void)[] = [];

  /** Waits until a request may be sent, and counts it until `leave`. Throws if the bucket opens after the deadline. */
  async enter(operation: Operation, { signal, until }: Deadline): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const waitMs = this.#closedUntil - monotonicMs();
      if (waitMs > 0) {
        if (this.#failure && this.#closedUntil > until) throw new ServiceError(operation, this.#failure);
        await sleep(waitMs, signal);
      } else if (this.#inFlight >= Math.floor(this.#maxInFlight)) {
        await new Promise<void>((resolve) => void this.#waiting.push(resolve));
      } else {
        this.#inFlight += 1;
        return;
      }
    }
  }

  leave(hasSucceeded: boolean): void {
    this.#inFlight -= 1;
    if (hasSucceeded) this.#maxInFlight += 1 / Math.floor(this.#maxInFlight);
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** @param sentAt a request that was sent before the previous refusal does not halve the limit once more */
  close(refusal: ServiceError, sentAt: number): void {
    const now = monotonicMs();
    if (sentAt > this.#refusedAt) {
      this.#maxInFlight = Math.max(1, Math.floor(this.#inFlight / 2));
      this.#refusedAt = now;
    }
    const closedUntil = now + (refusal.retryAfterMs ?? 0);
    if (closedUntil <= this.#closedUntil) return;
    this.#closedUntil = closedUntil;
    this.#failure = refusal.failure;
  }
}
