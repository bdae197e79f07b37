import { type Cause, GateError, Interruption } from '../lib/cause.ts';
import type { Discovery } from '../media/file.ts';
import type { Plan } from '../plan/plan.ts';
import { explain } from '../service/advice.ts';
import type { ContentResult } from '../service/asset-outcome.ts';
import { ServiceError } from '../service/service-error.ts';
import type { OpenSubmission } from '../service/submit.ts';
import type { WaitedSubmission } from '../service/wait.ts';
import { type History, NO_HISTORY } from './baseline.ts';
import type { Waivers } from './waivers.ts';

/** How far a run got. Each stage has everything that the stages before it found. */
export type Progress = Started | Discovered | Planned | Confirmed | Submitted | Waited | Collected;

export interface Started {
  readonly stage: 'started';
  /** What a reader should know about the run, whatever its verdict. */
  readonly notices: readonly string[];
}

export const STARTED: Started = { stage: 'started', notices: [] };

export interface Discovered extends Omit<Started, 'stage'> {
  readonly stage: 'discovered';
  readonly discovery: Discovery;
}

export interface Planned extends Omit<Discovered, 'stage'> {
  readonly stage: 'planned';
  readonly history: History;
  readonly waivers: Waivers | undefined;
  readonly plan: Plan;
}

export interface Confirmed extends Omit<Planned, 'stage'> {
  readonly stage: 'confirmed';
  /** Analyses of earlier runs, with the issue statuses that the service has now. */
  readonly reused: readonly ContentResult[];
  /** Set if the service did not answer: `reused` then holds what earlier runs read. */
  readonly outage: Cause | undefined;
}

/** The submission that this run created. */
export type CreatedSubmission = OpenSubmission & { readonly createdAt: string };

export interface Submitted extends Omit<Confirmed, 'stage'> {
  readonly stage: 'submitted';
  /** Undefined if nothing had to be sent. */
  readonly submission: CreatedSubmission | undefined;
}

export interface Waited extends Omit<Submitted, 'stage'> {
  readonly stage: 'waited';
  readonly waited: readonly WaitedSubmission[];
}

export interface Collected extends Omit<Waited, 'stage'> {
  readonly stage: 'collected';
  /** Results of the submissions that this run waited for. */
  readonly analysed: readonly ContentResult[];
}

interface Complete {
  readonly kind: 'complete';
}

export interface Skipped {
  readonly kind: 'skipped';
  readonly cause: Cause;
  /** The workflow asked for it, or it is the usual case: no annotation is needed. */
  readonly isExpected: boolean;
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

/** What a run found, with an empty value for each stage that it did not reach. */
export interface Facts {
  readonly notices: readonly string[];
  readonly discovery: Discovery | undefined;
  readonly history: History;
  readonly waivers: Waivers | undefined;
  readonly plan: Plan | undefined;
  readonly reused: readonly ContentResult[];
  readonly outage: Cause | undefined;
  readonly submission: CreatedSubmission | undefined;
  readonly waited: readonly WaitedSubmission[];
  readonly analysed: readonly ContentResult[];
}

const NO_FACTS: Facts = {
  notices: [],
  discovery: undefined,
  history: NO_HISTORY,
  waivers: undefined,
  plan: undefined,
  reused: [],
  outage: undefined,
  submission: undefined,
  waited: [],
  analysed: [],
};

export function factsOf(progress: Progress): Facts {
  return { ...NO_FACTS, ...progress };
}

/** How a run ends after an error. Any error type that is not ours is a defect of the action. */
export function endingAfter(error: unknown, progress: Progress, isCancelled = false): Failed | Cancelled {
  const kind = isCancelled ? 'cancelled' : 'failed';
  if (error instanceof GateError) return { kind, causes: error.causes };
  if (error instanceof ServiceError) return { kind, causes: [explain(error)] };
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
  const id = submission?.submissionId ?? plan?.await[0]?.submissionId;
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
    fix: 'Re-run the job: with saved state, it resumes waiting for this submission and uploads nothing.',
  };
}
