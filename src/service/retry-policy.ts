import type { Failure } from './failure.ts';

/** Which failures of a request are worth another try, and for how long. */
export interface RetryPolicy {
  /** Statuses; `transient` stands for 408, 429 and everything from 500 on. */
  readonly statuses: 'transient' | readonly number[];
  /** `unsent`: only where the service cannot have seen the request. */
  readonly connection: 'always' | 'unsent';
  /** How often there may be something else in place of the answer, such as a proxy's page. */
  readonly unreadableTries: number;
  /** A service that does not answer is given up after this long. Being told to wait is an answer. */
  readonly giveUpMs: number;
  /** What a try counts at most against that time, where a large body may well take longer than it. */
  readonly mostPerTryMs: number;
}

const GIVE_UP_MS = 120_000;

/** A service that breaks its contract will most likely go on to do so. */
const CONTRACT_TRIES = 3;

/**
 * Uploading under a name that means one content: doing it twice changes nothing. It is also the first thing that a run
 * asks for, and an answer that is no answer then most often means a wrong address: that should be told soon.
 */
export const UPLOAD: RetryPolicy = {
  statuses: 'transient',
  connection: 'always',
  unreadableTries: 3,
  giveUpMs: GIVE_UP_MS,
  mostPerTryMs: GIVE_UP_MS,
};

/** Sending a file: the time in which its bytes moved is not the service's silence. */
export const TRANSFER: RetryPolicy = { ...UPLOAD, mostPerTryMs: 20_000 };

/** Reading. Something paid for hangs on it, so a proxy's error page is waited out like any other outage. */
export const READ: RetryPolicy = { ...UPLOAD, unreadableTries: Number.POSITIVE_INFINITY };

/** Reading what only helps a person: not worth much time. */
export const READ_EXTRA: RetryPolicy = { ...READ, giveUpMs: 15_000 };

/** Asking for a retry twice is no harm: while one is in flight, the second is refused (409). */
export const RETRY_ASSET: RetryPolicy = { ...UPLOAD };

/** Creating costs credits, and a second one is a second bill. After 503 and 504 the first may have arrived. */
export const ONCE: RetryPolicy = {
  statuses: [429, 500, 502],
  connection: 'unsent',
  unreadableTries: 1,
  giveUpMs: GIVE_UP_MS,
  mostPerTryMs: GIVE_UP_MS,
};

/** @param tries how many there were so far */
export function isWorthAnotherTry(policy: RetryPolicy, failure: Failure, tries: number): boolean {
  switch (failure.kind) {
    case 'status':
      return policy.statuses === 'transient' ? isTransient(failure.status) : policy.statuses.includes(failure.status);
    case 'connection':
      return !failure.error.isLasting && (policy.connection === 'always' || !failure.error.maybeReceived);
    case 'unreadable':
      return tries < Math.min(policy.unreadableTries, failure.isJson ? CONTRACT_TRIES : Number.POSITIVE_INFINITY);
  }
}

function isTransient(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}
