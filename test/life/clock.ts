import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/**
 * A clock that stands still while anything works, and jumps to the next timer when everything waits. Loading this
 * module replaces the clock and the random numbers of the process.
 */

/** Turns of the event loop without work after which everything waits for the clock. */
const IDLE_TURNS = 20;
/** Turns without any timer after which the waiting can never end. */
const MAX_TURNS = 10_000;
const { Date: RealDate } = globalThis;

let nowMs = RealDate.parse('2026-03-02T08:00:00Z');
const startMs = nowMs;
/** When the present world began. Its dates start on the same day as those of every world: a ZIP file ends in 2099. */
let worldMs = nowMs;
const dateMs = (): number => startMs + nowMs - worldMs;
const timers = new Set<Timer>();

class Timer {
  due = 0;
  readonly #call: () => void;
  readonly #ms: number;

  constructor(call: () => void, ms: number) {
    [this.#call, this.#ms] = [call, Math.max(ms || 0, 1)];
    this.refresh();
  }

  refresh(): this {
    this.due = nowMs + this.#ms;
    timers.add(this);
    return this;
  }

  fire(): void {
    this.close();
    this.#call();
  }

  close(): this {
    timers.delete(this);
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** The timer behind all others. */
const NEVER = new Timer(() => {}, Number.MAX_SAFE_INTEGER).close();

Object.assign(globalThis, {
  setTimeout: (call: (...values: readonly unknown[]) => void, ms: number, ...values: readonly unknown[]) =>
    new Timer(() => call(...values), ms),
  clearTimeout: (timer: unknown) => void (timer instanceof Timer && timer.close()),
  Date: class extends RealDate {
    constructor(...values: [number | string | Date] | []) {
      super(values[0] ?? dateMs());
    }

    static override now(): number {
      return dateMs();
    }
  },
});
performance.now = () => nowMs - startMs;
// Pauses between two tries are random.
Math.random = () => 0.5;
// Node does not show that it reads a blob of a file.
Object.assign(fs, { openAsBlob: async (file: string) => new Blob([await readFile(file)]) });
syncBuiltinESMExports();

/** Moves the clock from timer to timer until the work has ended. Other work that has begun before goes on meanwhile. */
export async function until<T>(work: Promise<T>): Promise<T> {
  const state = { hasEnded: false };
  const end = (): void => void (state.hasEnded = true);
  work.then(end, end);
  for (let turns = 0; !state.hasEnded; turns++) {
    for (let idle = 0; idle < IDLE_TURNS; idle++) {
      await new Promise(setImmediate);
      // Whatever opens, reads, writes or closes a file is at work.
      if (process.getActiveResourcesInfo().some((name) => /Req/.test(name))) idle = -1;
    }
    const next = state.hasEnded ? undefined : timers.values().reduce((a, b) => (b.due < a.due ? b : a), NEVER);
    if (!next || next === NEVER) {
      if (turns > MAX_TURNS) throw new Error('Everything waits, and nothing will ever happen.');
      continue;
    }
    turns = 0;
    nowMs = Math.max(nowMs, next.due);
    next.fire();
  }
  return await work;
}

/** Lets this time pass. */
export async function pass(seconds: number): Promise<void> {
  await until(later(seconds));
}

export async function later(seconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

/** The date, in seconds. */
export function now(): number {
  return dateMs() / 1000;
}

export function startDates(): void {
  worldMs = nowMs;
}

export const MINUTE = 60;
export const DAY = 86_400;
