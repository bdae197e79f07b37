import type { Cause, Reason } from '../lib/cause.ts';

export type VerdictName = 'pass' | 'fail' | 'error' | 'skipped';

export interface Verdict {
  readonly name: VerdictName;
  /** Empty on a pass. */
  readonly reason: Reason | '';
  /** Whether the check is green. */
  readonly green: boolean;
}

/** What a verdict rests on. */
export interface Facts {
  /** Active issues at or above the threshold. */
  readonly failing: number;
  /** Why something could not be judged. */
  readonly causes: readonly Cause[];
  /** Why nothing was to be judged at all. */
  readonly skipped: Cause | undefined;
  /** The run was told to stop before it came to its end. */
  readonly wasStopped: boolean;
  readonly onServiceError: 'error' | 'warn';
}

/** `fail` beats `error` beats `pass`: what could be read is judged, whatever else went wrong. */
export function decide(facts: Facts): Verdict {
  if (facts.failing > 0) return { name: 'fail', reason: 'issues', green: false };
  const [first] = facts.causes;
  if (first) {
    const own = facts.causes.find((cause) => !isServiceFault(cause));
    const isForgiven = facts.onServiceError === 'warn' && !own && !facts.wasStopped;
    return { name: 'error', reason: (own ?? first).reason, green: isForgiven };
  }
  if (facts.skipped) return { name: 'skipped', reason: facts.skipped.reason, green: true };
  return { name: 'pass', reason: '', green: true };
}

/** The only causes that nobody who opens a pull request can bring about. */
function isServiceFault({ reason }: Cause): boolean {
  return reason === 'service' || reason === 'timeout';
}
