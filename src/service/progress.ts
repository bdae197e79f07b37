import type { Log } from '../lib/log.ts';

/** How far a submission is. */
export interface Snapshot {
  readonly status: string;
  readonly percent: number | null | undefined;
  readonly finished: number;
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

function describeSnapshot({ status, percent, finished, retried, assets }: Snapshot): string {
  const parts = [status];
  if (typeof percent === 'number' && status !== 'complete' && status !== 'failed') parts.push(`${percent} %`);
  if (assets > 0) parts.push(`${finished} of ${assets} assets finished`);
  if (retried > 0) parts.push(`${retried} being retried`);
  return parts.join(', ');
}

function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
