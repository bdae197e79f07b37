import { GitHubError } from './github/github-error.ts';
import { type Cause, GateError, Interruption, rerun, workflowOwner } from './lib/cause.ts';
import { messageOf } from './lib/format.ts';
import type { Discovery } from './media/discover.ts';
import type { Inspection } from './media/inspect.ts';
import { NO_PLAN, type Plan, type Statuses } from './plan/plan.ts';
import { explain } from './service/advice.ts';
import type { Analysis } from './service/analysis.ts';
import { ServiceError } from './service/service-error.ts';
import type { CreatedSubmission, OpenSubmission } from './service/submit.ts';
import type { WaitedSubmission } from './service/wait.ts';
import { type History, NO_HISTORY } from './state/earlier-state.ts';
import type { Waivers } from './waivers/waivers.ts';

/** Everything the run has found so far, so that an interrupted run can still be judged and reported. The steps in `run.ts` fill it. */
export interface Findings {
  /** What a reader should know about the run, whatever its verdict. */
  notices: readonly string[];
  discovery: Discovery;
  /** The paths that the pull request changes, or why they are not known; undefined if GitHub was not asked. */
  changedPaths: readonly string[] | string | undefined;
  /** Undefined without the input `waivers-file`. */
  waivers: Waivers | undefined;
  inspection: Inspection;
  /** What earlier runs left. */
  history: History;
  plan: Plan;
  /** What the service says about earlier analyses. */
  statuses: Statuses;
  /** Reused ones with the issue statuses that the service has now, then those that this run waited for. */
  analyses: readonly Analysis[];
  /** Why some of them are what earlier runs read: the service did not respond. */
  lastKnownCause: Cause | undefined;
  /** Undefined if nothing had to be sent. */
  created: CreatedSubmission | undefined;
  /** Every submission that this run created or waits for. */
  open: readonly OpenSubmission[];
  waited: readonly WaitedSubmission[];
  /** Where the state was saved last; empty if it was not, so that a later run cannot find the submission. */
  stateFile: string;
  /** Why nothing had to be checked. */
  skipped: Skip | undefined;
  /** Why the run ended early. */
  causes: readonly Cause[];
  /** The runner stopped the job: there are only seconds left to report. */
  isCancelled: boolean;
}

export interface Skip {
  readonly cause: Cause;
  /** What would stop a real run, if this is a dry run. */
  readonly problems?: readonly Cause[];
  /** The workflow asked for it, or it is the usual case: no annotation is needed. */
  readonly isExpected: boolean;
}

export function nothingFound(): Findings {
  return {
    notices: [],
    discovery: { files: [], notices: [] },
    changedPaths: undefined,
    waivers: undefined,
    inspection: { files: [], pointers: [], problems: [], warnings: [] },
    history: NO_HISTORY,
    plan: NO_PLAN,
    statuses: new Map(),
    analyses: [],
    lastKnownCause: undefined,
    created: undefined,
    open: [],
    waited: [],
    stateFile: '',
    skipped: undefined,
    causes: [],
    isCancelled: false,
  };
}

/** Why a run ended early. Any error type that is not ours is a defect of the action. */
export function causesOf(error: unknown, { open }: Pick<Findings, 'open'>): readonly Cause[] {
  if (error instanceof GateError) return error.causes;
  if (error instanceof ServiceError) return [explain(error)];
  if (error instanceof GitHubError) return [explainGitHub(error)];
  if (error instanceof Interruption) return [cancelledCause(error, open[0]?.submissionId)];
  return [
    {
      reason: 'internal',
      message: `The action itself failed: ${messageOf(error)}`,
      steps: [
        workflowOwner(
          'This is a defect of the action, not of your files. Please report it with this message and the end of the log.',
        ),
      ],
    },
  ];
}

function explainGitHub({ message, fix, isOutage }: GitHubError): Cause {
  return { reason: 'github', message, steps: [isOutage ? rerun(fix) : workflowOwner(fix)] };
}

function cancelledCause({ signalName }: Interruption, submissionId: string | undefined): Cause {
  const isOpen = submissionId !== undefined;
  const when = isOpen
    ? 'while the service was analysing the submission. The analysis goes on there.'
    : 'before anything was submitted. Nothing was billed.';
  return {
    reason: 'cancelled',
    message: `The run was cancelled (${signalName}) ${when}`,
    steps: [rerun()],
    ...(isOpen && { submissionId, submission: 'open' }),
  };
}
