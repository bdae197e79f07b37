import { selects } from '../media/match.ts';
import type { PatternLine } from '../media/patterns.ts';
import type { Issue } from '../service/issue.ts';

/** An issue that somebody answers for. */
export interface Waiver {
  readonly rule: string;
  /** A path, or a pattern as in the input `files`. */
  readonly path: PatternLine;
  readonly owner: string;
  readonly reason: string;
  /** YYYY-MM-DD; it holds through that day (UTC). */
  readonly expires: string;
  /** Where it stands in the file, from 1. */
  readonly line: number;
}

/** Finds the waiver of an issue, and remembers which waivers were of any use. */
export class Waivers {
  readonly #valid: readonly Waiver[];
  readonly #used = new Set<Waiver>();
  readonly expired: readonly Waiver[];

  constructor(waivers: readonly Waiver[], now: Date) {
    const today = now.toISOString().slice(0, 10);
    this.expired = waivers.filter(({ expires }) => expires < today);
    this.#valid = waivers.filter(({ expires }) => expires >= today);
  }

  /** Every path of the content must be covered: a copy in another place is a finding in another place. */
  waiverFor(issue: Pick<Issue, 'ruleCode'>, paths: readonly string[]): Waiver | undefined {
    const forRule = this.#valid.filter(({ rule }) => rule === issue.ruleCode);
    const found = paths.map((path) => forRule.find((waiver) => selects([waiver.path], path)));
    const covering = found.filter((waiver) => waiver !== undefined);
    if (covering.length === 0 || covering.length < found.length) return undefined;
    for (const waiver of covering) this.#used.add(waiver);
    return covering[0];
  }

  /** Valid ones that no issue needed, as far as it was asked for. */
  get unused(): readonly Waiver[] {
    return this.#valid.filter((waiver) => !this.#used.has(waiver));
  }
}
