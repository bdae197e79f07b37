import { sleep } from '../clock.ts';
import type { Failure } from './failure.ts';
import type { Effort } from './persevere.ts';

/** The service counts requests in these buckets, each for itself. */
export type Bucket = 'upload' | 'submission_write' | 'submission_read' | 'sandbox';

/** Spreads the workers that waited for the same bucket, so that they do not all knock at once. */
const STAGGER_MS = 250;

interface Closing {
  readonly until: number;
  /** What closed it, to be told to whoever cannot wait that long. */
  readonly failure: Failure;
}

/** Which buckets are closed, and until when. A 429 closes its bucket for every worker, and no other bucket. */
export class Buckets {
  readonly #closings = new Map<Bucket, Closing>();

  /** @returns true where it was open before, so that its closing is news */
  close(bucket: Bucket, until: number, failure: Failure): boolean {
    const before = this.#closings.get(bucket)?.until ?? 0;
    if (until > before) this.#closings.set(bucket, { until, failure });
    return before <= Date.now();
  }

  /** Resolves once the bucket is open, or with what closed it for longer than there is time. */
  async opened(bucket: Bucket, { signal, until }: Effort): Promise<Failure | undefined> {
    for (;;) {
      const closing = this.#closings.get(bucket);
      const wait = (closing?.until ?? 0) - Date.now();
      if (!closing || wait <= 0) return undefined;
      if (closing.until > until) return closing.failure;
      await sleep(wait + Math.random() * STAGGER_MS, signal);
    }
  }
}
