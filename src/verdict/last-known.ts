import type { Cause } from '../lib/cause.ts';
import { isAllReused, type Plan, withSource } from '../plan/plan.ts';

/** Why a report shows earlier results: the service did not answer. */
export interface LastKnown {
  /** When the oldest of the analyses was made, ISO 8601. */
  readonly since: string;
  /** One or more sentences. Plain text, may hold text from outside. */
  readonly message: string;
}

/** Undefined if no earlier result is shown. */
export function lastKnownOf(outage: Cause, plan: Plan): LastKnown | undefined {
  const [since] = withSource(plan, 'reuse')
    .map(({ source }) => source.known.analysedAt)
    .toSorted();
  if (since === undefined) return undefined;
  const stands = isAllReused(plan)
    ? 'No file has changed, so the last known verdict stands'
    : 'Earlier analyses are shown as last known';
  return {
    since,
    message: `${outage.message} ${stands}; the oldest analysis is from ${since.slice(0, 10)}. Issues that were dismissed or re-opened since then are not taken into account.`,
  };
}
