/** The progress that one poll of a submission showed. */
export interface PollSample {
  /** Since the wait began. */
  readonly atMs: number;
  readonly percent: number | undefined;
}

const MIN_INTERVAL_MS = 1_000;
/** Progress is steady if no recent sample is further off a straight line than this, in percent points. */
const STEADY_WITHIN = 2.5;
/** Older samples are left out: many analyses begin slowly. */
const RECENT_FRACTION = 0.3;

/**
 * How long to wait before the next poll.
 *
 * Without progress to go by, ½·t^0.65 seconds after t seconds, at least 1 s: 1 s at first, 2 s after 10 s, 7 s after a
 * minute, 33 s after ten, 64 s after half an hour. If progress has been steady, half the time to the expected end, and
 * just after that end once it is close. Measured by `npm run bench` over 1,000 analyses of 1 s to 30 min: half the
 * requests of a poll every 5 s, a sixth if progress is steady, and an end is noticed 3 % late on average.
 */
export function nextPoll(sinceMs: number, samples: readonly PollSample[]): number {
  // The clock may have been set back since then.
  const waitedMs = Math.max(0, sinceMs);
  const usual = Math.max(MIN_INTERVAL_MS, 500 * (waitedMs / 1000) ** 0.65);
  const percent = samples.at(-1)?.percent;
  if (percent === undefined || percent <= 0 || percent >= 100) return usual;
  const remaining = (waitedMs * (100 - percent)) / percent;
  if (!isSteady(samples, percent / waitedMs, waitedMs)) return Math.max(MIN_INTERVAL_MS, Math.min(usual, remaining));
  const isClose = remaining <= waitedMs / 8;
  return Math.max(MIN_INTERVAL_MS, isClose ? remaining + waitedMs / 100 : remaining / 2);
}

function isSteady(samples: readonly PollSample[], percentPerMs: number, waitedMs: number): boolean {
  const earlier = samples.slice(0, -1).filter(({ atMs }) => atMs > waitedMs * RECENT_FRACTION);
  return (
    earlier.length > 0 &&
    earlier.every(
      ({ atMs, percent }) => percent !== undefined && Math.abs(percent - atMs * percentPerMs) <= STEADY_WITHIN,
    )
  );
}
