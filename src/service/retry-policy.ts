import type { Failure } from './failure.ts';

/** Which failures of a request are worth another try, and for how long. */
export interface RetryPolicy {
  /** Statuses; `transient` stands for 408, 429 and everything from 500 on. */
  readonly statuses: 'transient' | readonly number[];
  /** `unsent`: only if the service cannot have received the request. */
  readonly connection: 'always' | 'unsent';
  /** How often something that is not JSON, such as the page of a proxy, may take the place of the answer. */
  readonly unreadableTries: number;
  /** A service that does not answer is given up after this long. A 429 is an answer. */
  readonly giveUpMs: number;
  /** A try counts at most this much against that time: sending a large body may take longer. */
  readonly maxCountedMs: number;
  /**
   * The deadline of the run cuts the tries. False for what comes before it (uploading, creating): only the wait for a
   * rate limit is then cut.
   */
  readonly isCutByDeadline: boolean;
  /** False if the caller has other work to do until the rate limit ends. */
  readonly waitsForRateLimit: boolean;
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
  waitsForRateLimit: true,
};

/** Sending a file: the time in which its bytes moved does not count as silence. */
export const TRANSFER: RetryPolicy = { ...UPLOAD, maxCountedMs: 20_000 };

/** Reading the results of a paid analysis: an error page of a proxy is waited out like any other outage. */
export const READ: RetryPolicy = { ...UPLOAD, unreadableTries: Number.POSITIVE_INFINITY, isCutByDeadline: true };

/** Reading what only helps a person is not worth much time. */
export const READ_EXTRA: RetryPolicy = { ...READ, giveUpMs: 15_000 };

/** Asking for a retry twice does no harm: while one is in flight, the second is refused (409). */
export const RETRY_ASSET: RetryPolicy = { ...UPLOAD, isCutByDeadline: true, waitsForRateLimit: false };

/** Creating costs credits, and a second submission is a second bill. After 503 and 504 the first may have arrived. */
export const ONCE: RetryPolicy = {
  statuses: [429, 500, 502],
  connection: 'unsent',
  unreadableTries: 1,
  giveUpMs: GIVE_UP_MS,
  maxCountedMs: GIVE_UP_MS,
  isCutByDeadline: false,
  waitsForRateLimit: true,
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

function isTransient(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}
