import { type Cause, forOwner, GateError, Interruption, rerun, workflowOwner } from './causes/cause.ts';
import { GitHubError } from './github/connect.ts';
import type { ChangedFiles } from './github/pull-request.ts';
import { messageOf } from './lib/format.ts';
import type { Discovery } from './media/discover.ts';
import type { Inspection } from './media/inspect.ts';
import { NO_PLAN, type Plan } from './plan/plan.ts';
import { explain } from './service/advice.ts';
import type { Analysis } from './service/analysis.ts';
import type { SubmissionResponse } from './service/responses.ts';
import { ServiceError } from './service/service-error.ts';
import type { CreatedSubmission } from './service/submit.ts';
import type { OpenRecord } from './state/document.ts';
import { type History, NO_HISTORY } from './state/store.ts';
import type { Waivers } from './waivers/waivers.ts';

/** Everything that the steps in `run.ts` have found so far, so that an interrupted run can be judged and reported. */
export interface Findings {
  /** Messages about the run that are reported with every verdict. */
  notices: readonly string[];
  discovery: Discovery;
  /** The paths of all selected files, before `only-changed`. */
  pathsBeforeOnlyChanged: readonly string[];
  /** What the pull request changes, if that was read. */
  changedFiles?: ChangedFiles | undefined;
  /** Undefined without the input `waivers-file`. */
  waivers?: Waivers | undefined;
  inspection: Inspection;
  history: History;
  plan: Plan;
  /** What this run has read about each content in each submission. */
  analyses: readonly Analysis[];
  /** Undefined if no file had to be sent, or if the run ended before the service confirmed the submission. */
  created?: CreatedSubmission | undefined;
  /** What this run has sent: in the submission that it created, and in those to which the service moved a retry. */
  sent: readonly OpenRecord[];
  /** The ids of the submissions that this run created or waits for, the created one first. */
  submissionIds: readonly string[];
  /** What the service reported last about the first of them. Undefined if this run has not read it. */
  response?: SubmissionResponse | undefined;
  /** The file of the state that this run saved last. Empty if it saved none: later runs may not find its submission. */
  stateFile: string;
  /** Why nothing was checked, so that the verdict is `skipped`. */
  skipped?:
    | {
        readonly cause: Cause;
        /** True if the skip needs no annotation: no file was changed, or `if-no-files-found` is `ignore`. */
        readonly isExpected: boolean;
      }
    | undefined;
  /** Why the run ended early: the causes of the error that a step has thrown. In a dry run, it would stop a real one. */
  causes: readonly Cause[];
  /** Whether the runner stopped the job, which leaves only seconds to report. */
  isCancelled: boolean;
}

export function nothingFound(): Findings {
  return {
    notices: [],
    discovery: { files: [], unchecked: [], leftOut: 0, notices: [] },
    pathsBeforeOnlyChanged: [],
    inspection: { files: [], pointers: [], problems: [], warnings: [] },
    history: NO_HISTORY,
    plan: NO_PLAN,
    analyses: [],
    sent: [],
    submissionIds: [],
    stateFile: '',
    causes: [],
    isCancelled: false,
  };
}

/** Why a run ended early. An error of a type that is not named below is a defect of the action. */
export function causesOf(error: unknown, { submissionIds }: Pick<Findings, 'submissionIds'>): readonly Cause[] {
  if (error instanceof GateError) return error.causes;
  if (error instanceof ServiceError) return [explain(error)];
  if (error instanceof GitHubError) {
    const { message, fix, trouble } = error;
    return [{ reason: 'github', message, steps: [trouble === 'outage' ? rerun(fix) : workflowOwner(fix)] }];
  }
  if (error instanceof Interruption) return [cancelledCause(error, submissionIds.length > 0)];
  const fix =
    'This is a defect of the action, not of your files. Please report it with this message and the end of the log.';
  return [forOwner('internal', `The action itself failed: ${messageOf(error)}`, fix)];
}

function cancelledCause({ message: signal }: Interruption, isOpen: boolean): Cause {
  const when = isOpen
    ? 'while the service was analysing the submission. The analysis goes on there.'
    : 'before anything was submitted.';
  return {
    reason: 'cancelled',
    message: `The run was cancelled (${signal}) ${when}`,
    steps: [rerun()],
    ...(isOpen && { submission: 'open' }),
  };
}
