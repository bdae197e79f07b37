import { sleep } from '../clock.ts';

/** The service counts requests in these buckets, each for itself. */
export type Bucket = 'upload' | 'submission_write' | 'submission_read' | 'sandbox';

/** Spreads the workers that waited for the same bucket, so that they do not all knock at once. */
const STAGGER_MS = 250;

/** Which buckets are closed, and until when. A 429 closes its bucket for every worker, and no other bucket. */
export class Buckets {
  readonly #closedUntil = new Map<Bucket, number>();

  close(bucket: Bucket, until: number): void {
    this.#closedUntil.set(bucket, Math.max(until, this.#closedUntil.get(bucket) ?? 0));
  }

  /** Resolves once the bucket is open. */
  async open(bucket: Bucket, signal: AbortSignal): Promise<void> {
    for (;;) {
      const wait = (this.#closedUntil.get(bucket) ?? 0) - Date.now();
      if (wait <= 0) return;
      await sleep(wait + Math.random() * STAGGER_MS, signal);
    }
  }
}
