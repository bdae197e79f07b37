import { sleep } from '../lib/async.ts';
import { monotonicMs } from '../lib/clock.ts';
import { type Failure, type Operation, ServiceError } from './service-error.ts';
import type { Deadline } from './tries.ts';

/**
 * Limits the requests of one bucket. The service does not publish its limit, but refuses requests. A refusal closes the
 * bucket until its retry time has passed. Then one request goes first. When it is answered, half as many requests as
 * before (at least one) may be in flight, and each time that this number has succeeded, one more.
 */
export class RateLimiter {
  #inFlight = 0;
  #maxInFlight = Number.POSITIVE_INFINITY;
  #closedUntil = Number.NEGATIVE_INFINITY;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #failure: Failure | undefined;
  /** Whether a request after the last refusal is still to be sent, is being sent, or was answered. */
  #test: 'due' | 'running' | 'done' = 'done';
  #waiting: (() => void)[] = [];

  /** Waits until a request may be sent, and counts it until `leave`. Throws if the bucket opens after the deadline. */
  async enter(operation: Operation, { signal, until }: Deadline): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const waitMs = this.#closedUntil - monotonicMs();
      if (waitMs > 0) {
        if (this.#failure && this.#closedUntil > until) throw new ServiceError(operation, this.#failure);
        await sleep(waitMs, signal);
      } else if (this.#test === 'due') {
        this.#test = 'running';
        break;
      } else if (this.#test === 'running' || this.#inFlight >= Math.floor(this.#maxInFlight)) {
        await new Promise<void>((resolve) => void this.#waiting.push(resolve));
      } else break;
    }
    this.#inFlight += 1;
  }

  /** Lets the others follow a request that was sent after the last refusal. */
  follow(sentAt: number): void {
    if (this.#test === 'running' && sentAt >= this.#refusedAt) this.#test = 'done';
    for (const resume of this.#waiting.splice(0)) resume();
  }

  leave(sentAt: number, hasSucceeded: boolean): void {
    this.#inFlight -= 1;
    if (hasSucceeded) this.#maxInFlight += 1 / Math.floor(this.#maxInFlight);
    this.follow(sentAt);
  }

  /** @param sentAt a request that was sent before the previous refusal does not halve the limit once more */
  close(refusal: ServiceError, sentAt: number): void {
    const now = monotonicMs();
    if (sentAt > this.#refusedAt) {
      this.#maxInFlight = Math.max(1, Math.floor(this.#inFlight / 2));
      this.#refusedAt = now;
      this.#test = 'due';
    }
    const closedUntil = now + (refusal.retryAfterMs ?? 0);
    if (closedUntil <= this.#closedUntil) return;
    this.#closedUntil = closedUntil;
    this.#failure = refusal.failure;
  }
}
