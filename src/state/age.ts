/** A path that is gone may come back with a revert, and a content with its path. */
export const KEEP_DAYS = 90;
/** After that, an analysis that never ended is not waited for any more. */
export const KEEP_OPEN_DAYS = 7;

const DAY_MS = 86_400_000;

/** @param time ISO 8601 */
export function isYounger(time: string, days: number, now: Date): boolean {
  return now.getTime() - Date.parse(time) < days * DAY_MS;
}
