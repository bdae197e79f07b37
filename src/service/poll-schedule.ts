const SHORTEST_MS = 1_000;
const LONGEST_MS = 30_000;
/** Of the time waited so far: a long analysis may be noticed a little later than a short one. */
const SHARE = 0.05;

/** How long to wait before the next look: 1 s at first, then 5 % of the time waited so far, at most 30 s. */
export function nextPoll(waitedMs: number): number {
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, waitedMs * SHARE));
}
