import type { Cause } from './cause.ts';
import type { Inputs } from './inputs/inputs.ts';
import type { Discovery } from './media/file.ts';
import type { Inspection } from './media/inspect.ts';
import type { ContentResult } from './service/collect.ts';
import type { OpenSubmission } from './service/submit.ts';
import type { WaitedSubmission } from './service/wait.ts';
import type { Plan } from './state/plan.ts';

/** How far a run came. Each step leaves what it found, so that a run that stops half-way can still be told and judged. */
export interface Trail {
  inputs?: Inputs;
  discovery?: Discovery;
  inspection?: Inspection;
  plan?: Plan;
  submission?: OpenSubmission;
  waited?: WaitedSubmission;
  results?: readonly ContentResult[];
  /** Why nothing was to be judged. */
  skipped?: Cause;
  /** Why the run stopped before its end. */
  stoppedBy?: readonly Cause[];
  /** A signal stopped it, not a fault. */
  wasStopped: boolean;
  readonly notices: string[];
}
