import { backoff, retryAfterMs } from '../http/http.ts';
import { sleep } from '../lib/clock.ts';
import { type Failure, isTransient, ServiceError } from './service-error.ts';

/** Which failures of a request are worth another try, and for how long. */
export interface TryPolicy {
  /**
   * False if a second request costs money or notifies others. Then it is repeated only if the service refused it (429),
   * after 500 and 502, for which the contract allows it, and if no connection was made: otherwise it may have arrived.
   */
  readonly isRepeatable: boolean;
  /** False for what comes before the deadline of the run (uploading, creating): it cuts only the wait for a rate limit. */
  readonly isCutByDeadline: boolean;
  /** The limit of one try: see `HttpRequest`. */
  readonly timeoutMs: number;
}

/** A service that does not respond is given up after this long, pauses included. A 429 is a response. */
const GIVE_UP_MS = 120_000;
/** A try counts at most this much against that time, because bytes may have moved; a stall counts as long as it lasted. */
const MAX_COUNTED_MS = 30_000;
/** A try with less time than this would fail for lack of time alone. */
const MIN_TRY_MS = 5_000;
/** For a host name that does not exist and a response against the contract: both will most likely come again. */
const MAX_SAME_TRIES = 3;

/** @param tries how many there were so far */
export function isWorthAnotherTry({ isRepeatable }: TryPolicy, failure: Failure, tries: number): boolean {
  switch (failure.kind) {
    case 'status':
      return isRepeatable ? isTransient(failure.status) : [429, 500, 502].includes(failure.status);
    case 'connection': {
      const { isLasting, maybeReceived, unknownHost } = failure.error.facts;
      if (isLasting || (unknownHost !== undefined && tries >= MAX_SAME_TRIES)) return false;
      return isRepeatable || !maybeReceived;
    }
    case 'unreadable':
      return isRepeatable && tries < MAX_SAME_TRIES;
  }
}

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

/** Tries until it works or is not worth another try; then the last `ServiceError` is thrown. */
export async function withTries<T>({ policy, deadline, ready, attempt, onPause }: TryOptions<T>): Promise<T> {
  let lostMs = 0;
  for (let tries = 1; ; tries += 1) {
    await ready?.();
    const startedAt = Date.now();
    const untilDeadlineMs = Math.max(MIN_TRY_MS, deadline.until - startedAt);
    const leftMs = Math.min(GIVE_UP_MS - lostMs, policy.isCutByDeadline ? untilDeadlineMs : Number.POSITIVE_INFINITY);
    try {
      return await attempt(Math.min(policy.timeoutMs, leftMs));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { failure } = error;
      const isLimited = error.status === 429;
      const delayMs = (isLimited ? retryAfterOf(failure) : undefined) ?? backoff(tries);
      if (!isWorthAnotherTry(policy, failure, tries)) throw error;
      if ((isLimited || policy.isCutByDeadline) && Date.now() + delayMs > deadline.until) throw error;
      // A clock that was set back meanwhile does not give time back.
      lostMs = isLimited ? 0 : lostMs + silenceOf(failure, Math.max(0, Date.now() - startedAt)) + delayMs;
      if (lostMs + MIN_TRY_MS > GIVE_UP_MS) throw error;
      onPause(error, delayMs);
      await sleep(delayMs, deadline.signal);
    }
  }
}

function retryAfterOf(failure: Failure): number | undefined {
  return failure.kind === 'status' ? retryAfterMs(failure.retryAfter) : undefined;
}

function silenceOf(failure: Failure, durationMs: number): number {
  const silentMs = failure.kind === 'connection' ? failure.error.facts.silentMs : undefined;
  return Math.min(durationMs, silentMs ?? MAX_COUNTED_MS);
}
