import { describeWaiver, type Waiver } from '../inputs/waivers-file.ts';
import type { Issue } from '../service/issue.ts';

/** What a run found in one content. */
export interface SeenContent {
  readonly paths: readonly string[];
  readonly issues: readonly Pick<Issue, 'ruleCode'>[];
  /** Only a `judged` content has all its issues. */
  readonly outcome: 'judged' | 'failed' | 'unjudged';
}

/** The waivers of a file, on one day. */
export class Waivers {
  readonly #expired: readonly Waiver[];
  readonly #byRule: ReadonlyMap<string, readonly Waiver[]>;

  constructor(waivers: readonly Waiver[], now: Date) {
    const today = now.toISOString().slice(0, 10);
    this.#expired = waivers.filter(({ expires }) => expires < today);
    this.#byRule = Map.groupBy(
      waivers.filter(({ expires }) => expires >= today),
      ({ rule }) => rule,
    );
  }

  /** Every path of the content must be covered, because a waiver accepts an issue only at its own path. */
  waiverFor(issue: Pick<Issue, 'ruleCode'>, paths: readonly string[]): Waiver | undefined {
    const { covering, uncovered } = this.#coverageOf(issue, paths);
    return uncovered === undefined ? covering[0] : undefined;
  }

  /** Notices for the people who maintain the file: expired and unused waivers. */
  notices(seen: readonly SeenContent[]): readonly string[] {
    const used = new Set<Waiver>();
    /** Waivers that cover only some paths of an issue, each with a path that is not covered. */
    const partial = new Map<Waiver, string>();
    for (const { paths, issues } of seen) {
      for (const { covering, uncovered } of issues.map((issue) => this.#coverageOf(issue, paths))) {
        for (const waiver of covering) {
          if (uncovered === undefined) used.add(waiver);
          else partial.set(waiver, uncovered);
        }
      }
    }
    const valid = [...this.#byRule.values()].flat().toSorted((a, b) => a.line - b.line);
    const unused = valid.filter((waiver) => !used.has(waiver));
    // A waiver for a file without all its issues may still be needed.
    const judged = seen.filter(({ outcome }) => outcome === 'judged').flatMap(({ paths }) => paths);
    const idle = unused.filter(({ path }) => judged.some((file) => path.matches(file)));
    return [
      ...this.#expired.map(
        (waiver) => `Expired on ${waiver.expires}: ${describeWaiver(waiver)}. It is no longer applied.`,
      ),
      ...idle.map((waiver) => {
        const uncovered = partial.get(waiver);
        return uncovered === undefined
          ? `No issue matches ${describeWaiver(waiver)}. Remove it if it is no longer needed.`
          : `The same file is also at ${uncovered}, which ${describeWaiver(waiver)} does not cover. The waiver is not applied.`;
      }),
    ];
  }

  #coverageOf({ ruleCode }: Pick<Issue, 'ruleCode'>, paths: readonly string[]): Coverage {
    const forRule = this.#byRule.get(ruleCode) ?? [];
    const covering: Waiver[] = [];
    let uncovered: string | undefined;
    for (const path of paths) {
      const waiver = forRule.find((each) => each.path.matches(path));
      if (waiver) covering.push(waiver);
      else uncovered ??= path;
    }
    return { covering, uncovered };
  }
}

interface Coverage {
  readonly covering: readonly Waiver[];
  /** The first path that no waiver covers. */
  readonly uncovered: string | undefined;
}
