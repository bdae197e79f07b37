import { sleep } from '../lib/clock.ts';
import type { Deadline } from './retries.ts';
import type { Failure } from './service-error.ts';

/** The service counts the requests of each bucket separately. */
export type Bucket = 'upload' | 'submission_write' | 'submission_read' | 'sandbox';

/** The service counts requests per minute. */
const WINDOW_MS = 60_000;
/** How long a learned rate is kept after the last 429: others may share the limit, and stop. */
const LIMIT_MEMORY_MS = 5 * WINDOW_MS;
/** Used if nothing was accepted yet, so that there is no rate to learn from. */
const DEFAULT_GAP_MS = 100;
/** Limits the cost of a wrong rate; a bucket that is slower responds with another 429. */
const MAX_GAP_MS = 1_000;

/** A bucket that has responded with 429. */
interface Limit {
  readonly closedUntil: number;
  /** What closed it, for requests that cannot wait that long. */
  readonly failure: Failure;
  /** Time between two requests once it is open again. */
  readonly gapMs: number;
  /** When the next request may begin. */
  nextAt: number;
}

/**
 * Keeps to limits that are known only by their 429s. A 429 closes its bucket for every worker, and no other bucket. Once
 * it is open again, requests are sent at the rate at which they were accepted before, instead of all at once.
 */
export class Buckets {
  readonly #limits = new Map<Bucket, Limit>();
  /** The times of accepted requests. A run makes thousands of requests, so all of them can be kept. */
  readonly #accepted = new Map<Bucket, number[]>();

  close(bucket: Bucket, until: number, failure: Failure): void {
    if (until <= (this.#limits.get(bucket)?.closedUntil ?? 0)) return;
    this.#limits.set(bucket, { closedUntil: until, failure, gapMs: this.#gap(bucket, until), nextAt: until });
  }

  /** A response came, and it was not a 429. */
  accepted(bucket: Bucket): void {
    const times = this.#accepted.get(bucket) ?? [];
    this.#accepted.set(bucket, times);
    times.push(Date.now());
  }

  /** Resolves when a request may begin, or with what closed the bucket for longer than the deadline allows. */
  async opened(bucket: Bucket, { signal, until }: Deadline): Promise<Failure | undefined> {
    for (;;) {
      const now = Date.now();
      const limit = this.#limits.get(bucket);
      if (!limit || limit.closedUntil + LIMIT_MEMORY_MS <= now) return undefined;
      const startsAt = Math.max(now, limit.nextAt);
      if (startsAt > until) return limit.failure;
      limit.nextAt = startsAt + limit.gapMs;
      if (startsAt > now) await sleep(startsAt - now, signal);
      // Another 429 may have closed it again.
      if ((this.#limits.get(bucket)?.closedUntil ?? 0) <= Date.now()) return undefined;
    }
  }

  /** The rate is the number of requests accepted between the first of the last minute and the next opening. */
  #gap(bucket: Bucket, opensAt: number): number {
    const now = Date.now();
    // Later times are from before the clock was set back.
    const recent = (this.#accepted.get(bucket) ?? []).filter((at) => at > now - WINDOW_MS && at <= now);
    const [first] = recent;
    if (first === undefined) return DEFAULT_GAP_MS;
    return Math.min(MAX_GAP_MS, (opensAt - first) / recent.length);
  }
}
