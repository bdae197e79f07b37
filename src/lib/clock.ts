import { plural } from './format.ts';

/** The only module that reads the time. Durations have a clock of their own: a machine may correct its calendar. */

/** Milliseconds on a clock that never jumps. All durations and deadlines use it. */
export function monotonicMs(): number {
  return performance.now();
}

/** The present, by the machine's clock and by a server's. They differ only if one of them is wrong. */
export interface Now {
  /** For dates in states and reports: the server's clock. */
  readonly date: Date;
  /** For ages: a wrong clock must not make a result old, because a file would be billed again. */
  readonly earliest: Date;
  /** For waivers: a wrong clock must not make an expired waiver valid. */
  readonly latest: Date;
}

/** A smaller difference between the machine's clock and a server's is ignored. */
const MAX_DIFFERENCE_MS = 3_600_000;
/** A date that differs by more is an error of the server. Later runs could not read a state with such a date. */
const MAX_BELIEVED_MS = 3_653 * 86_400_000;

/** The machine's calendar, read once. Then it advances with the monotonic clock. */
export class Calendar {
  readonly #startMs = Date.now() - monotonicMs();
  readonly #warn: (text: string) => void;
  #serverAheadMs: number | undefined;

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  now(): Now {
    const machineMs = this.#machineMs();
    const serverMs = machineMs + (this.#serverAheadMs ?? 0);
    return {
      date: new Date(serverMs),
      earliest: new Date(Math.min(machineMs, serverMs)),
      latest: new Date(Math.max(machineMs, serverMs)),
    };
  }

  /**
   * Compares the machine's clock with that of the first server whose response has a valid date.
   *
   * @param date the header `Date` of a 2xx response that comes from no cache
   */
  compare(server: string, date: string | undefined): void {
    const aheadMs = Date.parse(date ?? '') - this.#machineMs();
    // The comparison is also false for NaN: the header is missing or is no date.
    if (this.#serverAheadMs !== undefined || !(Math.abs(aheadMs) <= MAX_BELIEVED_MS)) return;
    const isWrong = Math.abs(aheadMs) > MAX_DIFFERENCE_MS;
    this.#serverAheadMs = isWrong ? aheadMs : 0;
    if (!isWrong) return;
    const hours = plural(Math.round(Math.abs(aheadMs) / 3_600_000), 'hour');
    this.#warn(
      `The clock of this machine is ${hours} ${aheadMs > 0 ? 'behind' : 'ahead of'} the clock of ${server}. Correct it: until then, a waiver counts only if it is valid by both clocks.`,
    );
  }

  #machineMs(): number {
    return this.#startMs + monotonicMs();
  }
}
