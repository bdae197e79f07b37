import { count, formatList } from '../lib/format.ts';
import { FilePatterns } from '../media/patterns.ts';
import { formatWaiver, type Waiver } from './file.ts';

/** The issues that a run found in one content. */
export interface SeenContent {
  readonly paths: readonly string[];
  readonly issues: readonly { readonly ruleCode: string }[];
  /** `issues` is complete only if the outcome is `judged`. */
  readonly outcome: 'judged' | 'failed' | 'unjudged';
}

/** Waivers that people may expect to count, and that do not. */
export interface UncountedWaivers {
  /** Waivers that only the checkout has. They count once they are merged. */
  readonly proposed?: readonly Waiver[];
  /** Why no waiver counts in this run, as a clause, and what to do about it. */
  readonly problem?: { readonly why: string; readonly fix: string } | undefined;
}

/** The owner of a waiver that expires within this time is reminded. */
const REMINDER_DAYS = 14;
const DAY_MS = 24 * 60 * 60 * 1000;

interface Decision {
  /** The waivers that together cover every path. Empty if a path is not covered. */
  readonly covering: readonly Waiver[];
  readonly whyNot: string | undefined;
}

/** The waivers of a waivers file. The day decides which of them have expired. */
export class Waivers {
  readonly #all: readonly Waiver[];
  readonly #expired: readonly Waiver[];
  readonly #valid: readonly Waiver[];
  readonly #expiring: readonly Waiver[];
  readonly #uncounted: UncountedWaivers;
  readonly #byRule: ReadonlyMap<string, Partial<Record<'valid' | 'expired' | 'proposed', readonly Waiver[]>>>;
  /** Caches the decision for each list of paths and each rule, because a content can have many issues of one rule. */
  readonly #decisions = new WeakMap<readonly string[], Map<string, Decision>>();

  constructor(waivers: readonly Waiver[], now: Date, uncounted: UncountedWaivers = {}) {
    this.#all = waivers;
    const today = dayOf(now.getTime());
    const lastDay = dayOf(now.getTime() + REMINDER_DAYS * DAY_MS);
    const isValid = ({ expires }: Waiver): boolean => expires >= today;
    this.#expired = waivers.filter((waiver) => !isValid(waiver));
    this.#valid = waivers.filter(isValid);
    this.#expiring = this.#valid.filter(({ expires }) => expires <= lastDay);
    this.#uncounted = uncounted;
    const proposed = new Set(uncounted.proposed?.filter(isValid));
    const rules = Map.groupBy([...waivers, ...proposed], ({ rule }) => rule);
    const kindOf = (waiver: Waiver) => (proposed.has(waiver) ? 'proposed' : isValid(waiver) ? 'valid' : 'expired');
    this.#byRule = new Map([...rules].map(([rule, all]) => [rule, Object.groupBy(all, kindOf)]));
  }

  /** The same waivers on another day. */
  at(now: Date): Waivers {
    return new Waivers(this.#all, now, this.#uncounted);
  }

  /** A waiver covers only the paths that it matches. An issue is waived if waivers cover every path of its content. */
  waiverFor(ruleCode: string, paths: readonly string[]): Waiver | undefined {
    return this.#decide(ruleCode, paths).covering[0];
  }

  /** Why no waiver counts in this run, and what to do about it. Undefined if waivers count. */
  get problem(): string | undefined {
    const { problem } = this.#uncounted;
    return problem && `No waiver counts in this run: ${problem.why}. ${problem.fix}`;
  }

  /** Why an issue is not waived although somebody may expect that. Undefined if there is nothing to say. */
  whyNotWaived(ruleCode: string, paths: readonly string[]): string | undefined {
    return this.#decide(ruleCode, paths).whyNot;
  }

  /**
   * Notices for the people who maintain the file.
   *
   * @param matched the paths of all files that the input `files` selects, before `only-changed`
   */
  notices(seen: readonly SeenContent[], matched: readonly string[]): readonly string[] {
    const used = new Set(
      seen.flatMap(({ paths, issues }) =>
        [...new Set(issues.map(({ ruleCode }) => this.#decide(ruleCode, paths).covering))].flat(),
      ),
    );
    // A waiver is reported as not applied only if all issues of a file could be read: otherwise it may be needed.
    const judged = seen.filter(({ outcome }) => outcome === 'judged').flatMap(({ paths }) => paths);
    const unused = this.#valid.filter((waiver) => !used.has(waiver));
    const patterns = new FilePatterns(unused.map(({ path }) => path));
    const useful = patterns.matching(matched);
    const applicable = patterns.matching(judged);
    return [
      ...(this.problem === undefined ? [] : [this.problem]),
      ...listOf('Waivers proposed here, which count once they are merged', this.#uncounted.proposed ?? []),
      ...listOf('Expired waivers, which are no longer applied', this.#expired),
      ...listOf(`Waivers that expire within ${REMINDER_DAYS} days`, this.#expiring),
      ...listOf(
        'Waivers whose path matches no file',
        unused.filter(({ path }) => !useful.has(path)),
      ),
      ...listOf(
        'Waivers that were not applied, because there is no such issue or the same file is also at a path without a waiver',
        unused.filter(({ path }) => applicable.has(path)),
      ),
    ];
  }

  #decide(ruleCode: string, paths: readonly string[]): Decision {
    const decisions = this.#decisions.get(paths) ?? new Map<string, Decision>();
    this.#decisions.set(paths, decisions);
    const { valid = [], expired = [], proposed = [] } = this.#byRule.get(ruleCode) ?? {};
    const decision = decisions.get(ruleCode) ?? {
      covering: cover(paths, valid),
      whyNot: this.#describeUncounted(paths, expired, proposed),
    };
    decisions.set(ruleCode, decision);
    return decision;
  }

  #describeUncounted(paths: readonly string[], expired: readonly Waiver[], proposed: readonly Waiver[]) {
    const { problem } = this.#uncounted;
    if (problem) return `No waiver counts in this run: ${problem.why}.`;
    const matches = ({ path }: Waiver): boolean => paths.some(path.matches);
    const last = expired
      .filter(matches)
      .toSorted((one, other) => one.expires.localeCompare(other.expires))
      .at(-1);
    const next = proposed.find(matches);
    const texts = [
      ...(last ? [`The waiver of ${last.owner} expired on ${last.expires}.`] : []),
      ...(next ? [`A waiver is proposed here (owner ${next.owner}). It counts once it is merged.`] : []),
    ];
    return texts.join(' ') || undefined;
  }
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** "Expired waivers (2): …". Empty if there are none. */
function listOf(what: string, waivers: readonly Waiver[]): readonly string[] {
  if (waivers.length === 0) return [];
  return [`${what} (${count(waivers.length)}): ${formatList(waivers.map(formatWaiver))}.`];
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
