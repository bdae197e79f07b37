import { sleep } from '../lib/async.ts';
import type { Failure } from './failure.ts';
import { type Operation, ServiceError } from './service-error.ts';
import type { Deadline } from './tries.ts';

/**
 * Limits the requests of one bucket. The service does not publish its limit, but refuses requests. A refusal closes the
 * bucket until its retry time has passed. After that, half as many requests (at least one) may be in flight at once.
 */
export class RateLimiter {
  #inFlight = 0;
  #maxInFlight = Number.POSITIVE_INFINITY;
  #closedUntil = 0;
  #refusedAt = 0;
  #failure: Failure | undefined;
  #waiting: (() => void)[] = [];

  /** Resolves when a request may be sent, which counts until `leave`. Throws if the bucket opens after the deadline. */
  async enter(operation: Operation, { signal, until }: Deadline): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const waitMs = this.#closedUntil - Date.now();
      if (waitMs > 0) {
        if (this.#failure && this.#closedUntil > until) throw new ServiceError(operation, this.#failure);
        await sleep(waitMs, signal);
      } else if (this.#inFlight >= this.#maxInFlight) {
        await new Promise<void>((resolve) => void this.#waiting.push(resolve));
      } else {
        this.#inFlight += 1;
        return;
      }
    }
  }

  leave(): void {
    this.#inFlight -= 1;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** @param sentAt when the request was sent: if that was before the last refusal, the limit is not halved again */
  close(refusal: ServiceError, sentAt: number): void {
    const now = Date.now();
    if (sentAt > this.#refusedAt) {
      this.#maxInFlight = Math.max(1, Math.floor(Math.min(this.#inFlight, this.#maxInFlight) / 2));
      this.#refusedAt = now;
    }
    const closedUntil = now + (refusal.retryAfterMs ?? 0);
    if (closedUntil <= this.#closedUntil) return;
    this.#closedUntil = closedUntil;
    this.#failure = refusal.failure;
  }
}
