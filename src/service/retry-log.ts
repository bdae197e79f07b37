import type { Log } from '../lib/log.ts';

/** How long one line speaks for all that fail in the same way. */
const QUIET_MS = 15_000;

/** Tells that something is tried again. In an outage many requests fail alike, and a hundred lines say no more than one. */
export class RetryLog {
  readonly #log: Log;
  readonly #toldAt = new Map<string, number>();

  constructor(log: Log) {
    this.#log = log;
  }

  tell(message: string, delayMs: number, now: number = Date.now()): void {
    const before = this.#toldAt.get(message);
    if (before !== undefined && now - before < QUIET_MS) return;
    this.#toldAt.set(message, now);
    this.#log.info(`${message}; trying again in ${Math.ceil(delayMs / 1000)} s`);
  }
}
