import type { Log } from '../lib/log.ts';

/** How far a submission is, as far as a person cares. */
export interface Snapshot {
  readonly status: string;
  readonly percent: number | null | undefined;
  readonly settled: number;
  /** Of those that are not settled. */
  readonly retried: number;
  readonly assets: number;
}

/** A log that says nothing for longer looks dead. */
const MAX_SILENCE_MS = 60_000;

/** Tells how a wait goes: each change, and a sign of life now and then. */
export class Progress {
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

  /** What was told last. */
  get last(): string {
    return this.#shown;
  }

  tell(snapshot: Snapshot, now: number = Date.now()): void {
    const words = inWords(snapshot);
    if (words === this.#shown && now - this.#shownAt < MAX_SILENCE_MS) return;
    this.#shown = words;
    this.#shownAt = now;
    this.#log.info(`Submission ${this.#submissionId}: ${words} (after ${duration(now - this.#startedAt)})`);
  }
}

function inWords({ status, percent, settled, retried, assets }: Snapshot): string {
  const parts = [status];
  if (typeof percent === 'number' && status !== 'complete' && status !== 'failed') parts.push(`${percent} %`);
  if (assets > 0) parts.push(`${settled} of ${assets} assets finished`);
  if (retried > 0) parts.push(`${retried} being retried`);
  return parts.join(', ');
}

function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
