import { backoff, retryAfterMs, type Timeouts } from '../http/http.ts';
import { sleep } from '../lib/clock.ts';
import { failure as failed, type Result } from '../lib/result.ts';
import { type Failure, isRateLimit } from './failure.ts';
import { isWorthAnotherTry, type RetryPolicy } from './retry-policy.ts';

/** How long a request may take, retries and rate limits included. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Epoch milliseconds. One try is made even after it, with `MIN_TRY_MS` for its answer. */
  readonly until: number;
}

export interface RetryOptions<T> {
  readonly policy: RetryPolicy;
  readonly timeouts: Timeouts;
  readonly deadline: Deadline;
  /** Resolves when a try may start, or with the reason why none will. */
  readonly ready?: () => Promise<Failure | undefined>;
  /** One try, within the time that is left. */
  readonly attempt: (timeouts: Timeouts) => Promise<Result<T, Failure>>;
  /** Called before each pause. */
  readonly onRetry: (failure: Failure, delayMs: number) => void;
}

/** A try with less time than this would fail for lack of time alone. */
const MIN_TRY_MS = 5_000;

/**
 * Tries until it works or is not worth another try. What counts against the time after which a service is given up is
 * the time without an answer, pauses included.
 */
export async function withRetries<T>(options: RetryOptions<T>): Promise<Result<T, Failure>> {
  const { policy, deadline } = options;
  let lostMs = 0;
  for (let tries = 1; ; tries += 1) {
    const refusal = await options.ready?.();
    if (refusal) return failed(refusal);
    const startedAt = Date.now();
    const result = await options.attempt(timeoutsWithin(options, lostMs));
    if (result.ok) return result;

    const failure = result.error;
    if (!isWorthAnotherTry(policy, failure, tries)) return result;
    const delayMs = delayAfter(failure, tries);
    const isLimited = isRateLimit(failure);
    if (isLimited && !policy.waitsForRateLimit) return result;
    if ((isLimited || policy.isCutByDeadline) && Date.now() + delayMs > deadline.until) return result;
    if (isLimited) {
      // A 429 is an answer, so the time until the service is given up starts again.
      lostMs = 0;
    } else {
      // A clock that was set back meanwhile does not give time back.
      lostMs += silenceOf(failure, Math.max(0, Date.now() - startedAt), policy) + delayMs;
      if (lostMs + MIN_TRY_MS > policy.giveUpMs) return result;
    }
    options.onRetry(failure, delayMs);
    await sleep(delayMs, deadline.signal);
  }
}

function delayAfter(failure: Failure, tries: number): number {
  const requested = failure.kind === 'status' && isRateLimit(failure) ? retryAfterMs(failure.retryAfter) : undefined;
  return requested ?? backoff(tries);
}

/** A stall counts with the time that it lasted; before it, data moved. */
function silenceOf(failure: Failure, durationMs: number, { maxCountedMs }: RetryPolicy): number {
  const silentMs = failure.kind === 'connection' ? failure.error.silentMs : undefined;
  return Math.min(durationMs, silentMs ?? maxCountedMs);
}

/** No limit is longer than the time that is left. */
function timeoutsWithin<T>({ policy, timeouts, deadline }: RetryOptions<T>, lostMs: number): Timeouts {
  const untilDeadlineMs = policy.isCutByDeadline
    ? Math.max(MIN_TRY_MS, deadline.until - Date.now())
    : Number.POSITIVE_INFINITY;
  const leftMs = Math.min(policy.giveUpMs - lostMs, untilDeadlineMs);
  const connectMs = Math.min(timeouts.connectMs, leftMs);
  const stallMs = Math.min(timeouts.stallMs, leftMs);
  const answerMs = Math.min(timeouts.answerMs, leftMs);
  const isClose = untilDeadlineMs < connectMs + answerMs;
  return { connectMs, stallMs, answerMs, ...(isClose && { totalMs: untilDeadlineMs }) };
}
