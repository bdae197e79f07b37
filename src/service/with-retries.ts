import { backoff, retryAfterMs } from '../http/backoff.ts';
import type { Timeouts } from '../http/http.ts';
import { sleep } from '../lib/clock.ts';
import { type Failure, isRateLimit } from './failure.ts';
import { isWorthAnotherTry, type RetryPolicy } from './retry-policy.ts';

/** How long a request may try. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Epoch milliseconds. A rate limit that lasts longer than this is not waited for. */
  readonly until: number;
}

/** How one try ended. */
export type Attempt<T> = { readonly value: T } | { readonly failure: Failure };

export interface RetryOptions<T> {
  readonly policy: RetryPolicy;
  readonly timeouts: Timeouts;
  readonly deadline: Deadline;
  /** Resolves when a try may start, or with the reason why none will. */
  readonly ready?: () => Promise<Failure | undefined>;
  /** One try, with the patience that is left. */
  readonly attempt: (timeouts: Timeouts) => Promise<Attempt<T>>;
  /** Told before each pause. */
  readonly onRetry: (failure: Failure, delayMs: number) => void;
}

/** With less time than this left, another try could only fail for the lack of it. */
const MIN_TRY_MS = 5_000;

/**
 * Tries until it works or is not worth another try. What counts against the time after which a service is given up is
 * the time in which nothing came of it, pauses included.
 */
export async function withRetries<T>(options: RetryOptions<T>): Promise<Attempt<T>> {
  const { policy, timeouts, deadline } = options;
  let lostMs = 0;
  for (let tries = 1; ; tries += 1) {
    const refusal = await options.ready?.();
    if (refusal) return { failure: refusal };
    const startedAt = Date.now();
    const result = await options.attempt(cut(timeouts, policy.giveUpMs - lostMs));
    if ('value' in result) return result;

    const { failure } = result;
    if (!isWorthAnotherTry(policy, failure, tries)) return result;
    const delayMs = delayAfter(failure, tries);
    if (isRateLimit(failure)) {
      if (Date.now() + delayMs > deadline.until) return result;
      // It is an answer: the service lives, and our patience with an outage starts afresh.
      lostMs = 0;
    } else {
      // A clock that was set back meanwhile does not give time back.
      lostMs += lostBy(failure, Math.max(0, Date.now() - startedAt), policy) + delayMs;
      if (lostMs + MIN_TRY_MS > policy.giveUpMs) return result;
    }
    options.onRetry(failure, delayMs);
    await sleep(delayMs, deadline.signal);
  }
}

function delayAfter(failure: Failure, tries: number): number {
  const told = failure.kind === 'status' && isRateLimit(failure) ? retryAfterMs(failure.retryAfter) : undefined;
  return told ?? backoff(tries);
}

/** A stall is silence for as long as it lasted; what went before it was not. */
function lostBy(failure: Failure, durationMs: number, { mostPerTryMs }: RetryPolicy): number {
  const silentMs = failure.kind === 'connection' ? failure.error.silentMs : undefined;
  return Math.min(durationMs, silentMs ?? mostPerTryMs);
}

function cut({ answerMs, stallMs }: Timeouts, leftMs: number): Timeouts {
  return { answerMs: Math.min(answerMs, leftMs), stallMs: Math.min(stallMs, leftMs) };
}
