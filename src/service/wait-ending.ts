import type { Cause } from '../lib/cause.ts';
import { plural } from '../lib/format.ts';
import { explain } from './advice.ts';
import type { ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';

/** Why a wait ended without a result for every file. */

/** A submission that failed without a failed asset: then its other answers cannot be trusted either. */
export function explainContradiction({ submissionId }: OpenSubmission): Cause {
  return {
    reason: 'results',
    message: `Submission ${submissionId} has failed, but the service names no asset that has.`,
    fix: `At least one file may not have been analysed, so the check fails. Re-run the job. If it happens again, contact the service's support and give them submission ID ${submissionId}.`,
  };
}

/** The submission could not be read. */
export function explainEnd(error: ServiceError, { submissionId }: OpenSubmission): Cause {
  const cause = explain(error);
  if (!error.isOutage && !error.endsRun) return cause;
  const resumes = `The service may still be analysing submission ${submissionId}: with saved state, a re-run resumes waiting for it and uploads nothing.`;
  return { ...cause, message: `${cause.message} ${resumes}` };
}

/** @param progress what the service said last; empty if it never answered */
export function explainTimeout({ submissionId }: OpenSubmission, minutes: number, progress: string): Cause {
  return {
    reason: 'timeout',
    message: `The analysis was not finished after ${plural(minutes, 'minute')}: ${progress || 'the service gave no status'} (submission ${submissionId}).`,
    fix: 'The service is still analysing. Re-run the job later: with saved state, it resumes waiting for this submission and uploads nothing. If analyses usually take this long, raise `wait-timeout-minutes`.',
  };
}
