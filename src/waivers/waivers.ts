import { describeWaiver, type Waiver } from './file.ts';

interface Finding {
  readonly ruleCode: string;
}

/** What a run found in one content. */
export interface SeenContent {
  readonly paths: readonly string[];
  readonly issues: readonly Finding[];
  /** Only a `judged` content has all its issues. */
  readonly outcome: 'judged' | 'failed' | 'unjudged';
}

/** Which paths of a content the waivers of one rule cover. */
interface Coverage {
  readonly covering: readonly Waiver[];
  /** The first path that no waiver covers. */
  readonly uncovered: string | undefined;
}

/** The waivers of a file, on one day. */
export class Waivers {
  readonly #expired: readonly Waiver[];
  readonly #valid: readonly Waiver[];
  readonly #byRule: ReadonlyMap<string, readonly Waiver[]>;
  /** By the paths of a content and by rule: a content can have many paths, and many issues of one rule. */
  readonly #decisions = new WeakMap<readonly string[], Map<string, Coverage>>();

  constructor(waivers: readonly Waiver[], now: Date) {
    const today = now.toISOString().slice(0, 10);
    this.#expired = waivers.filter(({ expires }) => expires < today);
    this.#valid = waivers.filter(({ expires }) => expires >= today);
    this.#byRule = Map.groupBy(this.#valid, ({ rule }) => rule);
  }

  /** Every path of the content must be covered, because a waiver accepts an issue only at its own path. */
  waiverFor(issue: Finding, paths: readonly string[]): Waiver | undefined {
    const { covering, uncovered } = this.#coverageOf(issue, paths);
    return uncovered === undefined ? covering[0] : undefined;
  }

  /** Notices for the people who maintain the file: expired and unused waivers. */
  notices(seen: readonly SeenContent[]): readonly string[] {
    const used = new Set<Waiver>();
    /** Waivers that cover only some paths of an issue, each with a path that is not covered. */
    const partial = new Map<Waiver, string>();
    for (const { paths, issues } of seen) {
      for (const coverage of new Set(issues.map((issue) => this.#coverageOf(issue, paths)))) {
        for (const waiver of coverage.covering) {
          if (coverage.uncovered === undefined) used.add(waiver);
          else partial.set(waiver, coverage.uncovered);
        }
      }
    }
    // A waiver for a file without all its issues may still be needed.
    const judged = seen.filter(({ outcome }) => outcome === 'judged').flatMap(({ paths }) => paths);
    const idle = this.#valid.filter((waiver) => !used.has(waiver) && judged.some((path) => waiver.path.matches(path)));
    return [
      ...this.#expired.map(
        (waiver) => `Expired on ${waiver.expires}: ${describeWaiver(waiver)}. It is no longer applied.`,
      ),
      ...idle.map((waiver) => describeIdle(waiver, partial.get(waiver))),
    ];
  }

  #coverageOf({ ruleCode }: Finding, paths: readonly string[]): Coverage {
    const decisions = this.#decisions.get(paths) ?? new Map<string, Coverage>();
    this.#decisions.set(paths, decisions);
    const coverage = decisions.get(ruleCode) ?? cover(paths, this.#byRule.get(ruleCode) ?? []);
    decisions.set(ruleCode, coverage);
    return coverage;
  }
}

function cover(paths: readonly string[], waivers: readonly Waiver[]): Coverage {
  const covering = new Set<Waiver>();
  let uncovered: string | undefined;
  for (const path of paths) {
    const waiver = waivers.find((each) => each.path.matches(path));
    if (waiver) covering.add(waiver);
    else uncovered ??= path;
  }
  return { covering: [...covering], uncovered };
}

function describeIdle(waiver: Waiver, uncovered: string | undefined): string {
  return uncovered === undefined
    ? `No issue matches ${describeWaiver(waiver)}. Remove it if it is no longer needed.`
    : `The same file is also at ${uncovered}, which ${describeWaiver(waiver)} does not cover. The waiver is not applied.`;
}
