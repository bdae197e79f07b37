import { sleep } from '../lib/clock.ts';
import type { Failure } from './failure.ts';
import type { Deadline } from './with-retries.ts';

/** The service counts requests in these buckets, each for itself. */
export type Bucket = 'upload' | 'submission_write' | 'submission_read' | 'sandbox';

/** The service counts by the minute. */
const WINDOW_MS = 60_000;
/** What was learned is held to be true for so long after the last 429: others may share the limit, and stop. */
const LIMIT_MEMORY_MS = 5 * WINDOW_MS;
/** Where nothing was accepted there is no rate to go by: only not all at once. */
const DEFAULT_GAP_MS = 100;
/** A rate learned by mistake may not cost more than this; a bucket that is slower still says so itself, with a 429. */
const MAX_GAP_MS = 1_000;

/** A bucket that has answered 429. */
interface Limit {
  readonly closedUntil: number;
  /** What closed it, to be told to whoever cannot wait that long. */
  readonly failure: Failure;
  /** Between two requests, once it is open again. */
  readonly gapMs: number;
  /** When the next request may begin. */
  nextAt: number;
}

/**
 * Keeps to limits that are only known by their 429s. One closes its bucket for every worker, and no other bucket. Once it
 * is open again, requests follow each other at the rate at which they were accepted, instead of all at once.
 */
export class Buckets {
  readonly #limits = new Map<Bucket, Limit>();
  /** When. A run makes thousands of requests, not millions: nothing has to be forgotten. */
  readonly #accepted = new Map<Bucket, number[]>();

  /** @returns true where it was open before, so that its closing is news */
  close(bucket: Bucket, until: number, failure: Failure): boolean {
    const before = this.#limits.get(bucket)?.closedUntil ?? 0;
    if (until > before) {
      this.#limits.set(bucket, { closedUntil: until, failure, gapMs: this.#gap(bucket, until), nextAt: until });
    }
    return before <= Date.now();
  }

  /** A request was answered, and not with 429. */
  accepted(bucket: Bucket): void {
    const times = this.#accepted.get(bucket) ?? [];
    this.#accepted.set(bucket, times);
    times.push(Date.now());
  }

  /** Resolves when a request may begin, or with what closed the bucket for longer than there is time. */
  async opened(bucket: Bucket, { signal, until }: Deadline): Promise<Failure | undefined> {
    for (;;) {
      const now = Date.now();
      const limit = this.#limits.get(bucket);
      if (!limit || limit.closedUntil + LIMIT_MEMORY_MS <= now) return undefined;
      const startsAt = Math.max(now, limit.nextAt);
      if (startsAt > until) return limit.failure;
      limit.nextAt = startsAt + limit.gapMs;
      if (startsAt > now) await sleep(startsAt - now, signal);
      // It may have been closed again meanwhile.
      if ((this.#limits.get(bucket)?.closedUntil ?? 0) <= Date.now()) return undefined;
    }
  }

  /** From the first request of the last minute until the bucket opens again, it took this many: that is its rate. */
  #gap(bucket: Bucket, opensAt: number): number {
    const now = Date.now();
    // After now is what came before the clock was set back.
    const recent = (this.#accepted.get(bucket) ?? []).filter((at) => at > now - WINDOW_MS && at <= now);
    const [first] = recent;
    if (first === undefined) return DEFAULT_GAP_MS;
    return Math.min(MAX_GAP_MS, (opensAt - first) / recent.length);
  }
}
