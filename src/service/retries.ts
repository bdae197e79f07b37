import { backoff, retryAfterMs, type Timeouts } from '../http/http.ts';
import { sleep } from '../lib/clock.ts';
import { type Failure, isRateLimit, isTransient, RequestError } from './service-error.ts';

/** Which failures of a request are worth another try, and for how long. */
export interface RetryPolicy {
  /** Statuses; `transient` stands for 408, 429 and everything from 500 on. */
  readonly statuses: 'transient' | readonly number[];
  /** `unsent`: only if the service cannot have received the request. */
  readonly connection: 'always' | 'unsent';
  /** How often something that is not JSON, such as the page of a proxy, may take the place of the response. */
  readonly unreadableTries: number;
  /** A service that does not respond is given up after this long. A 429 is a response. */
  readonly giveUpMs: number;
  /** A try counts at most this much against that time: sending a large body may take longer. */
  readonly maxCountedMs: number;
  /**
   * The deadline of the run cuts the tries. False for what comes before it (uploading, creating): only the wait for a
   * rate limit is then cut.
   */
  readonly isCutByDeadline: boolean;
}

const GIVE_UP_MS = 120_000;

/** A service that breaks its contract will most likely do it again. */
const MAX_CONTRACT_TRIES = 3;

/** Covers a short failure of the name server, and still reports a misspelt host within seconds. */
const MAX_UNKNOWN_HOST_TRIES = 3;

/**
 * Uploading twice under one name changes nothing, because a name means one content. It is also the first request of most
 * runs, and anything but JSON then most often means a wrong address, which should be reported soon.
 */
export const UPLOAD: RetryPolicy = {
  statuses: 'transient',
  connection: 'always',
  unreadableTries: 3,
  giveUpMs: GIVE_UP_MS,
  maxCountedMs: GIVE_UP_MS,
  isCutByDeadline: false,
};

/** Sending a file: the time in which its bytes moved does not count as silence. */
export const TRANSFER: RetryPolicy = { ...UPLOAD, maxCountedMs: 20_000 };

/** Reading the results of a paid analysis: an error page of a proxy is waited out like any other outage. */
export const READ: RetryPolicy = { ...UPLOAD, unreadableTries: Number.POSITIVE_INFINITY, isCutByDeadline: true };

/** Reading what only helps a person is not worth much time. */
export const READ_EXTRA: RetryPolicy = { ...READ, giveUpMs: 15_000 };

/** Asking for a retry twice does no harm: while one is in flight, the second is refused (409). */
export const RETRY_ASSET: RetryPolicy = { ...UPLOAD, isCutByDeadline: true };

/**
 * Creating costs credits, and a second submission is a second bill. It is repeated only if the service refused it (429),
 * after 500 and 502, for which the contract allows it, and if no connection was made. In any other case it may have arrived.
 */
export const CREATE: RetryPolicy = {
  statuses: [429, 500, 502],
  connection: 'unsent',
  unreadableTries: 1,
  giveUpMs: GIVE_UP_MS,
  maxCountedMs: GIVE_UP_MS,
  isCutByDeadline: false,
};

/** @param tries how many there were so far */
export function isWorthAnotherTry(policy: RetryPolicy, failure: Failure, tries: number): boolean {
  switch (failure.kind) {
    case 'status':
      return policy.statuses === 'transient' ? isTransient(failure.status) : policy.statuses.includes(failure.status);
    case 'connection': {
      const { isLasting, maybeReceived, unknownHost } = failure.error;
      if (isLasting || (unknownHost !== undefined && tries >= MAX_UNKNOWN_HOST_TRIES)) return false;
      return policy.connection === 'always' || !maybeReceived;
    }
    case 'unreadable':
      return tries < Math.min(policy.unreadableTries, failure.isJson ? MAX_CONTRACT_TRIES : Number.POSITIVE_INFINITY);
  }
}

/** How long a request may take, retries and rate limits included. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Epoch milliseconds. One try is made even after it, with `MIN_TRY_MS` for its response. */
  readonly until: number;
}

export interface RetryOptions<T> {
  readonly policy: RetryPolicy;
  readonly timeouts: Timeouts;
  readonly deadline: Deadline;
  /** Resolves when a try may start; throws if none will. */
  readonly ready?: () => Promise<void>;
  /** One try, within the time that is left. Throws a `RequestError` if it failed. */
  readonly attempt: (timeouts: Timeouts) => Promise<T>;
  /** Called before each pause. */
  readonly onRetry: (failure: Failure, delayMs: number) => void;
}

/** A try with less time than this would fail for lack of time alone. */
const MIN_TRY_MS = 5_000;

/**
 * Tries until it works or is not worth another try; then the last `RequestError` is thrown. What counts against the time
 * after which a service is given up is the time without a response, pauses included.
 */
export async function withRetries<T>(options: RetryOptions<T>): Promise<T> {
  const { policy, deadline } = options;
  let lostMs = 0;
  for (let tries = 1; ; tries += 1) {
    await options.ready?.();
    const startedAt = Date.now();
    try {
      return await options.attempt(timeoutsWithin(options, lostMs));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const { failure } = error;
      const delayMs = delayAfter(failure, tries);
      const isLimited = isRateLimit(failure);
      if (!isWorthAnotherTry(policy, failure, tries)) throw error;
      if ((isLimited || policy.isCutByDeadline) && Date.now() + delayMs > deadline.until) throw error;
      if (isLimited) {
        // A 429 is a response, so the time until the service is given up starts again.
        lostMs = 0;
      } else {
        // A clock that was set back meanwhile does not give time back.
        lostMs += silenceOf(failure, Math.max(0, Date.now() - startedAt), policy) + delayMs;
        if (lostMs + MIN_TRY_MS > policy.giveUpMs) throw error;
      }
      options.onRetry(failure, delayMs);
      await sleep(delayMs, deadline.signal);
    }
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
  const responseMs = Math.min(timeouts.responseMs, leftMs);
  const isClose = untilDeadlineMs < connectMs + responseMs;
  return { connectMs, responseMs, ...(isClose && { totalMs: untilDeadlineMs }) };
}
