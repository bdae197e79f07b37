export const BUCKETS = [
  'upload',
  'submission_write',
  'submission_read',
  'webhook_write',
  'webhook_read',
  'sandbox',
] as const;

export type Bucket = (typeof BUCKETS)[number];

export interface RateLimit {
  readonly limit: number;
  readonly perSeconds: number;
  /** The value of `Retry-After`, true or not; default: the seconds until there is room. */
  readonly retryAfter?: number | string;
}

/** Counts the requests of one workspace in sliding windows, one per bucket. Refused requests do not count. */
export class Buckets {
  readonly #limits: Readonly<Partial<Record<Bucket, RateLimit>>>;
  readonly #taken = new Map<Bucket, readonly number[]>();

  constructor(limits: Readonly<Partial<Record<Bucket, RateLimit>>>) {
    this.#limits = limits;
  }

  /** Counts one request at `now` (milliseconds). Returns the value of `Retry-After` if it is refused. */
  take(bucket: Bucket, now: number): string | undefined {
    const rate = this.#limits[bucket];
    if (rate === undefined) return undefined;
    const window = rate.perSeconds * 1000;
    const recent = (this.#taken.get(bucket) ?? []).filter((at) => at > now - window);
    if (recent.length < rate.limit) {
      this.#taken.set(bucket, [...recent, now]);
      return undefined;
    }
    const free = (recent[0] ?? now) + window;
    return String(rate.retryAfter ?? Math.max(1, Math.ceil((free - now) / 1000)));
  }
}
