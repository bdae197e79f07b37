import { sleep } from '../lib/clock.ts';
import type { Deadline } from './retries.ts';
import type { Failure } from './service-error.ts';

/** The service counts the requests of each bucket separately. */
export type Bucket = 'upload' | 'submission_write' | 'submission_read' | 'sandbox';

/** A bucket that has answered 429. */
interface Limit {
  readonly closedUntil: number;
  /** What closed it, for requests that cannot wait that long. */
  readonly failure: Failure;
}

/** Keeps to limits that are known only by their 429s: each closes its bucket for every worker, and no other bucket. */
export class Buckets {
  readonly #limits = new Map<Bucket, Limit>();

  close(bucket: Bucket, closedUntil: number, failure: Failure): void {
    if (closedUntil > (this.#limits.get(bucket)?.closedUntil ?? 0)) this.#limits.set(bucket, { closedUntil, failure });
  }

  /** Resolves when a request may begin, or with what closed the bucket for longer than the deadline allows. */
  async opened(bucket: Bucket, { signal, until }: Deadline): Promise<Failure | undefined> {
    for (;;) {
      const limit = this.#limits.get(bucket);
      const now = Date.now();
      if (!limit || limit.closedUntil <= now) return undefined;
      if (limit.closedUntil > until) return limit.failure;
      // Another 429 may close it again meanwhile.
      await sleep(limit.closedUntil - now, signal);
    }
  }
}
