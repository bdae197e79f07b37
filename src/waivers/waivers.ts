import { formatWaiver, type Waiver } from './file.ts';

/** The issues that a run found in one content. */
export interface SeenContent {
  readonly paths: readonly string[];
  readonly issues: readonly { readonly ruleCode: string }[];
  /** `issues` is complete only if the outcome is `judged`. */
  readonly outcome: 'judged' | 'failed' | 'unjudged';
}

/** The waivers of a waivers file. The day decides which of them have expired. */
export class Waivers {
  readonly #expired: readonly Waiver[];
  readonly #valid: readonly Waiver[];
  readonly #byRule: ReadonlyMap<string, readonly Waiver[]>;
  /** Caches the decision for each list of paths and each rule, because a content can have many issues of one rule. */
  readonly #decisions = new WeakMap<readonly string[], Map<string, readonly Waiver[]>>();

  constructor(waivers: readonly Waiver[], now: Date) {
    const today = now.toISOString().slice(0, 10);
    this.#expired = waivers.filter(({ expires }) => expires < today);
    this.#valid = waivers.filter(({ expires }) => expires >= today);
    this.#byRule = Map.groupBy(this.#valid, ({ rule }) => rule);
  }

  /** A waiver covers only the paths that it matches. An issue is waived if waivers cover every path of its content. */
  waiverFor(ruleCode: string, paths: readonly string[]): Waiver | undefined {
    return this.#covering(ruleCode, paths)[0];
  }

  /** Notices for the people who maintain the file: expired and unused waivers. */
  notices(seen: readonly SeenContent[]): readonly string[] {
    const used = new Set(
      seen.flatMap(({ paths, issues }) =>
        [...new Set(issues.map(({ ruleCode }) => this.#covering(ruleCode, paths)))].flat(),
      ),
    );
    // A waiver is reported as unused only if all issues of a file could be read: otherwise it may still be needed.
    const judged = seen.filter(({ outcome }) => outcome === 'judged').flatMap(({ paths }) => paths);
    const unused = this.#valid.filter(
      (waiver) => !used.has(waiver) && judged.some((path) => waiver.path.matches(path)),
    );
    return [
      ...this.#expired.map(
        (waiver) => `Expired on ${waiver.expires}: ${formatWaiver(waiver)}. It is no longer applied.`,
      ),
      ...unused.map(
        (waiver) =>
          `Not applied: ${formatWaiver(waiver)}. Either there is no such issue, and it can be removed, or the same file is also at a path that no waiver covers.`,
      ),
    ];
  }

  /** The waivers that together cover every path. Empty if a path is not covered. */
  #covering(ruleCode: string, paths: readonly string[]): readonly Waiver[] {
    const decisions = this.#decisions.get(paths) ?? new Map<string, readonly Waiver[]>();
    this.#decisions.set(paths, decisions);
    const covering = decisions.get(ruleCode) ?? cover(paths, this.#byRule.get(ruleCode) ?? []);
    decisions.set(ruleCode, covering);
    return covering;
  }
}

function cover(paths: readonly string[], waivers: readonly Waiver[]): readonly Waiver[] {
  const covering = new Set<Waiver>();
  for (const path of paths) {
    const waiver = waivers.find((each) => each.path.matches(path));
    if (!waiver) return [];
    covering.add(waiver);
  }
  return [...covering];
}
