import type { Cause } from '../lib/cause.ts';
import type { Discovery } from '../media/discover.ts';
import type { Inspection } from '../media/inspect.ts';
import type { Plan, PlanRules } from '../plan/plan.ts';
import type { ContentResult } from '../service/asset-outcome.ts';
import type { OpenSubmission } from '../service/submit.ts';
import type { WaitedSubmission } from '../service/wait.ts';
import type { Waivers } from '../waivers/waivers.ts';
import { type History, NO_HISTORY } from './baseline.ts';

/** How far a run got. Each stage has everything that the stages before it found. */
export type Progress =
  | Started
  | Discovered
  | WaiversLoaded
  | Inspected
  | HistoryLoaded
  | Planned
  | Confirmed
  | Submitted
  | Waited
  | Collected;

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

export interface WaiversLoaded extends Omit<Discovered, 'stage'> {
  readonly stage: 'waivers-loaded';
  /** Undefined without the input `waivers-file`. */
  readonly waivers: Waivers | undefined;
}

export interface Inspected extends Omit<WaiversLoaded, 'stage'> {
  readonly stage: 'inspected';
  readonly inspection: Inspection;
}

export interface HistoryLoaded extends Omit<Inspected, 'stage'> {
  readonly stage: 'history-loaded';
  readonly history: History;
  /** What decides which analyses in the history can be reused. */
  readonly rules: PlanRules;
}

export interface Planned extends Omit<HistoryLoaded, 'stage'> {
  readonly stage: 'planned';
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
  /** Whether a later run can find it. */
  readonly isSubmissionSaved: boolean;
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
  readonly isSubmissionSaved: boolean;
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
  isSubmissionSaved: false,
  waited: [],
  analysed: [],
};

export function factsOf(progress: Progress): Facts {
  return { ...NO_FACTS, ...progress };
}
