import type { Inputs } from '../inputs/inputs.ts';
import type { Cause } from '../lib/cause.ts';
import type { Discovery } from '../media/file.ts';
import type { Plan } from '../plan/plan.ts';
import type { ContentResult } from '../service/content-result.ts';
import type { OpenSubmission } from '../service/submit.ts';
import type { WaitedSubmission } from '../service/wait.ts';
import { type History, NO_HISTORY } from './baseline.ts';
import type { Waivers } from './waivers.ts';

/** How far a run came. Each step leaves what it found, so that a run that stops half-way can still be told and judged. */
export interface Trail {
  inputs?: Inputs;
  discovery?: Discovery;
  history: History;
  waivers?: Waivers;
  plan?: Plan;
  /** What earlier runs had analysed, with the statuses of this moment. */
  reused: readonly ContentResult[];
  /** The one that this run created. */
  submission?: OpenSubmission & { readonly createdAt: string };
  waited: readonly WaitedSubmission[];
  /** What this run waited for. */
  analysed: readonly ContentResult[];
  /** The service did not answer, and everything is told as it was known last. */
  outage?: Cause;
  /** Why nothing was to be judged. */
  skipped?: Cause;
  /** Nobody has to be told: it was asked for, or it is the usual case. */
  skipIsExpected: boolean;
  /** Why the run stopped before its end. */
  stoppedBy: readonly Cause[];
  /** A signal stopped it, not a fault. */
  wasStopped: boolean;
  /** The state that this run saved. */
  stateFile: string;
  readonly notices: string[];
}

export function newTrail(): Trail {
  return {
    history: NO_HISTORY,
    reused: [],
    waited: [],
    analysed: [],
    skipIsExpected: false,
    stoppedBy: [],
    wasStopped: false,
    stateFile: '',
    notices: [],
  };
}
