import type { RunContext } from '../github/context.ts';
import { type Cause, GateError } from '../lib/cause.ts';
import { Interruption } from '../lib/interruption.ts';
import type { Log } from '../lib/log.ts';
import type { Plan } from '../plan/plan.ts';
import { explain, ServiceError } from '../service/service-error.ts';
import { lastKnownOf } from './last-known.ts';
import type { Trail } from './trail.ts';

/** Why runs end otherwise than with an analysis, in words for whoever reads the check. */

export const DRY_RUN: Cause = {
  reason: 'dry-run',
  message: 'This was a dry run: nothing was sent, and nothing was judged.',
  fix: 'Remove `dry-run: true` to send the files and gate on what is found.',
};

/** What a dry run is for: to find this out before it costs a red check. */
export function wouldBeRefused({ path, message, fix }: Cause): string {
  return `The check would be red: ${path === undefined ? '' : `${path}: `}${message} ${fix}`;
}

export const NOTHING_MATCHES: Cause = {
  reason: 'no-files',
  message: 'No file matches the input `files`, so nothing was checked.',
  fix: 'If there should be media here, check the patterns in `files`; if not, set `if-no-files-found: ignore`.',
};

/** What a person is told about whatever was thrown. */
export function causesOf(error: unknown, trail: Trail, log: Log): readonly Cause[] {
  if (error instanceof GateError) return error.causes;
  if (error instanceof ServiceError) return [explain(error)];
  if (error instanceof Interruption) return [interrupted(error, trail)];
  return [defect(error, log)];
}

/** Something that we did not foresee. Where it happened is for the log: it says nothing to whoever reads the check. */
export function defect(error: unknown, log: Log): Cause {
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  for (const line of stack.split('\n')) log.info(line);
  return {
    reason: 'results',
    message: `The gate itself broke: ${message}`,
    fix: 'This is a defect of the action, not of your files. Please report it with this message and the end of the log.',
  };
}

function interrupted({ signalName }: Interruption, { submission, plan }: Trail): Cause {
  const id = submission?.submissionId ?? plan?.await[0]?.submissionId;
  if (id === undefined) {
    return {
      reason: 'timeout',
      message: `The run was stopped (${signalName}) before anything was submitted.`,
      fix: 'Nothing was billed. Re-run the job.',
    };
  }
  return {
    reason: 'timeout',
    message: `The run was stopped (${signalName}) while submission ${id} was being analysed.`,
    fix: 'The analysis goes on at the service. Re-run the job: where state is kept, it goes on waiting for this submission and sends nothing again.',
  };
}

/** For a run in an outage that has nothing to send: everything is known, only not from today. */
export function lastKnown(outage: Cause, plan: Plan): string {
  return lastKnownOf(outage, plan)?.message ?? outage.message;
}

export function noBaseline({ baseBranch }: Pick<RunContext, 'baseBranch'>): string {
  return baseBranch === undefined
    ? '`fail-on-issues: new` compares with a base branch, and this run has none: every issue counts as new.'
    : `\`fail-on-issues: new\` found no analysis of the base branch ${baseBranch}, so every issue counts as new. Let this gate run on \`push\` to ${baseBranch} too.`;
}
