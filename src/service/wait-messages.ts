import type { Cause } from '../lib/cause.ts';
import { plural } from '../lib/format.ts';
import type { Log } from '../lib/log.ts';
import { explain } from './advice.ts';
import type { ServiceError } from './service-error.ts';
import type { OpenSubmission } from './submit.ts';

/** How far a submission is. */
export interface Snapshot {
  readonly status: string;
  readonly percent: number | null | undefined;
  readonly finished: number;
  /** Of those that are finished. */
  readonly failed: number;
  /** Of those that are not finished. */
  readonly retried: number;
  readonly assets: number;
}

/** A log without a line for longer looks dead. */
const MAX_SILENCE_MS = 60_000;

/** Logs the progress of a wait: each change, and the same line again from time to time. */
export class ProgressLog {
  readonly #submissionId: string;
  readonly #log: Log;
  readonly #startedAt: number;
  #shown = '';
  #shownAt = 0;

  constructor(submissionId: string, startedAt: number, log: Log) {
    this.#submissionId = submissionId;
    this.#startedAt = startedAt;
    this.#log = log;
  }

  /** The text logged last. */
  get last(): string {
    return this.#shown;
  }

  report(snapshot: Snapshot, now: number = Date.now()): void {
    const text = describeSnapshot(snapshot);
    if (text === this.#shown && now - this.#shownAt < MAX_SILENCE_MS) return;
    this.#shown = text;
    this.#shownAt = now;
    this.#log.info(`Submission ${this.#submissionId}: ${text} (after ${formatDuration(now - this.#startedAt)})`);
  }
}

function describeSnapshot({ status, percent, finished, failed, retried, assets }: Snapshot): string {
  // The service calls a submission failed if one of its assets is; the others may still have been analysed.
  const parts = [status === 'failed' && failed > 0 ? 'ended' : status];
  if (typeof percent === 'number' && status !== 'complete' && status !== 'failed') parts.push(`${percent} %`);
  if (assets > 0) parts.push(`${finished - failed} of ${assets} assets finished`);
  if (failed > 0) parts.push(`${failed} failed`);
  if (retried > 0) parts.push(`${retried} being retried`);
  return parts.join(', ');
}

function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

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
  if (!error.stopsReading) return cause;
  const message = `${cause.message} The service may still be analysing submission ${submissionId}.`;
  return { ...cause, message, isSubmissionOpen: true };
}

/** @param progress what the service said last; empty if it never answered */
export function explainTimeout({ submissionId }: OpenSubmission, waitedMs: number, progress: string): Cause {
  const minutes = Math.max(1, Math.round(waitedMs / 60_000));
  return {
    reason: 'timeout',
    message: `The analysis was not finished after ${plural(minutes, 'minute')}: ${progress || 'the service gave no status'} (submission ${submissionId}).`,
    fix: 'The service is still analysing.',
    isSubmissionOpen: true,
  };
}
