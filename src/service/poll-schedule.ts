/** What one look at a submission told. */
export interface PollSample {
  /** Since the wait began. */
  readonly atMs: number;
  readonly percent: number | undefined;
}

const MIN_INTERVAL_MS = 1_000;
/** A line through the looks is believed where none of the newer ones is further off than this, in percent points. */
const STEADY_WITHIN = 2.5;
/** Older looks say little: many analyses begin slowly. */
const RECENT_FRACTION = 0.3;

/**
 * How long to wait before the next look.
 *
 * Without progress to go by, ½·t^0.65 seconds after t seconds, at least 1 s: 1 s at first, 2 s after 10 s, 7 s after a
 * minute, 33 s after ten, 64 s after half an hour. Where progress has been steady, half-way to the end that it points
 * to, and just behind that end once it is near. Measured by `npm run bench` over 1,000 analyses of 1 s to 30 min: half
 * the requests of a look every 5 s, a sixth where progress is steady, and an end is noticed 3 % late on average.
 */
export function nextPoll(sinceMs: number, looks: readonly PollSample[]): number {
  // A clock that was set back since then says that it has not begun.
  const waitedMs = Math.max(0, sinceMs);
  const usual = Math.max(MIN_INTERVAL_MS, 500 * (waitedMs / 1000) ** 0.65);
  const percent = looks.at(-1)?.percent;
  if (percent === undefined || percent <= 0 || percent >= 100) return usual;
  const remaining = (waitedMs * (100 - percent)) / percent;
  if (!isSteady(looks, percent / waitedMs, waitedMs)) return Math.max(MIN_INTERVAL_MS, Math.min(usual, remaining));
  const isNear = remaining <= waitedMs / 8;
  return Math.max(MIN_INTERVAL_MS, isNear ? remaining + waitedMs / 100 : remaining / 2);
}

function isSteady(looks: readonly PollSample[], percentPerMs: number, waitedMs: number): boolean {
  const earlier = looks.slice(0, -1).filter(({ atMs }) => atMs > waitedMs * RECENT_FRACTION);
  return (
    earlier.length > 0 &&
    earlier.every(
      ({ atMs, percent }) => percent !== undefined && Math.abs(percent - atMs * percentPerMs) <= STEADY_WITHIN,
    )
  );
}
