import { GitHubError } from '../github/github-error.ts';
import { type Cause, GateError, Interruption } from '../lib/cause.ts';
import { explain } from '../service/advice.ts';
import { ServiceError } from '../service/service-error.ts';
import { type Collected, type Discovered, factsOf, type Planned, type Progress, type Started } from './progress.ts';

interface Complete {
  readonly kind: 'complete';
}

export interface Skipped {
  readonly kind: 'skipped';
  readonly cause: Cause;
  /** The workflow asked for it, or it is the usual case: no annotation is needed. */
  readonly isExpected: boolean;
}

export function skip(cause: Cause, isExpected = false): Skipped {
  return { kind: 'skipped', cause, isExpected };
}

/** A step failed, so the steps after it did not run. */
interface Failed {
  readonly kind: 'failed';
  readonly causes: readonly Cause[];
}

/** The runner stopped the job: there are only seconds left to report. */
interface Cancelled {
  readonly kind: 'cancelled';
  readonly causes: readonly Cause[];
}

/** The last stage that a run reached, and how it ended. */
export type Outcome =
  | { readonly progress: Collected; readonly ending: Complete }
  | { readonly progress: Started | Discovered | Planned; readonly ending: Skipped }
  | { readonly progress: Progress; readonly ending: Failed | Cancelled };

/** How a run ends after an error. Any error type that is not ours is a defect of the action. */
export function endingAfter(error: unknown, progress: Progress, isCancelled = false): Failed | Cancelled {
  const kind = isCancelled ? 'cancelled' : 'failed';
  if (error instanceof GateError) return { kind, causes: error.causes };
  if (error instanceof ServiceError) return { kind, causes: [explain(error)] };
  if (error instanceof GitHubError) {
    return { kind, causes: [{ reason: 'github', message: error.message, fix: error.fix }] };
  }
  if (error instanceof Interruption) return { kind: 'cancelled', causes: [cancelledCause(error, progress)] };
  return { kind, causes: [defectCause(error)] };
}

export function isDefect({ ending }: Outcome): boolean {
  return 'causes' in ending && ending.causes.some(({ reason }) => reason === 'internal');
}

function defectCause(error: unknown): Cause {
  return {
    reason: 'internal',
    message: `The action itself failed: ${error instanceof Error ? error.message : String(error)}`,
    fix: 'This is a defect of the action, not of your files. Please report it with this message and the end of the log.',
  };
}

function cancelledCause({ signalName }: Interruption, progress: Progress): Cause {
  const { submission, plan } = factsOf(progress);
  const id = submission?.submissionId ?? plan?.toAwait[0]?.submissionId;
  if (id === undefined) {
    return {
      reason: 'cancelled',
      message: `The run was cancelled (${signalName}) before anything was submitted.`,
      fix: 'Nothing was billed. Re-run the job.',
    };
  }
  return {
    reason: 'cancelled',
    message: `The run was cancelled (${signalName}) while the service was analysing submission ${id}.`,
    fix: 'The analysis goes on at the service.',
    isSubmissionOpen: true,
  };
}
