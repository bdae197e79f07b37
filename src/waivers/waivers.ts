import { count, formatList } from '../lib/format.ts';
import type { LoadedWaivers, Waiver } from './waivers-file.ts';

/** A notice names the waivers that expire within this time, with their owners. */
const REMINDER_DAYS = 14;

/** What the waivers say about the issues of one rule in a content. */
interface Decision {
  /** The waiver of the first path. Undefined if a path is not covered. */
  readonly waiver: Waiver | undefined;
  /** Why an issue is not waived although somebody may expect that. Undefined if there is nothing to say. */
  readonly whyNotWaived: string | undefined;
}

/** The waivers of a waivers file. The day decides which of them have expired. */
export class Waivers {
  readonly #loaded: LoadedWaivers;
  readonly #today: string;
  readonly #byRule: ReadonlyMap<string, readonly Waiver[]>;
  readonly #proposedByRule: ReadonlyMap<string, readonly Waiver[]>;

  constructor(loaded: LoadedWaivers, now: Date) {
    this.#loaded = loaded;
    this.#today = dayOf(now.getTime());
    this.#byRule = Map.groupBy(loaded.waivers, ({ rule }) => rule);
    this.#proposedByRule = Map.groupBy(loaded.proposed ?? [], ({ rule }) => rule);
  }

  /** A decision for each rule, however many issues the content has. A waiver covers only the paths that it matches. */
  decide(paths: readonly string[], issues: readonly { readonly ruleCode: string }[]): ReadonlyMap<string, Decision> {
    const rules = new Set(issues.map(({ ruleCode }) => ruleCode));
    return new Map(
      [...rules].map((rule) => {
        const { valid = [], expired = [] } = this.#byValidity(this.#byRule.get(rule));
        const { valid: proposed = [] } = this.#byValidity(this.#proposedByRule.get(rule));
        return [rule, { waiver: coveringWaiver(paths, valid), whyNotWaived: this.#explain(paths, expired, proposed) }];
      }),
    );
  }

  /** Why no waiver counts in this run, and what to do about it. Undefined if waivers count. */
  get problem(): string | undefined {
    const { problem } = this.#loaded;
    return problem && `No waiver counts in this run: ${problem.why}. ${problem.fix}`;
  }

  /** Notices about the waivers file. `matched` are the paths that `files` selects, before `only-changed` is applied. */
  notices(matched: readonly string[]): readonly string[] {
    const { waivers, proposed = [] } = this.#loaded;
    const { valid = [], expired = [] } = this.#byValidity(waivers);
    const lastReminderDay = dayOf(Date.parse(this.#today) + REMINDER_DAYS * 24 * 60 * 60 * 1000);
    const lists: readonly (readonly [string, readonly Waiver[]])[] = [
      ['Waivers proposed here, which count once they are merged', proposed],
      ['Expired waivers, which are no longer applied', expired],
      [`Waivers that expire within ${REMINDER_DAYS} days`, valid.filter(({ expires }) => expires <= lastReminderDay)],
      ['Waivers whose path matches no file', valid.filter(({ path }) => !matched.some(path.matches))],
    ];
    const texts = lists
      .filter(([, found]) => found.length > 0)
      .map(([what, found]) => `${what} (${count(found.length)}): ${formatList(found.map(formatWaiver))}.`);
    return this.problem === undefined ? texts : [this.problem, ...texts];
  }

  #byValidity(waivers: readonly Waiver[] = []) {
    return Object.groupBy(waivers, ({ expires }) => (expires >= this.#today ? 'valid' : 'expired'));
  }

  #explain(paths: readonly string[], expired: readonly Waiver[], proposed: readonly Waiver[]): string | undefined {
    if (this.problem !== undefined) return this.problem;
    const matches = ({ path }: Waiver): boolean => paths.some(path.matches);
    const [last] = expired.filter(matches).toSorted((one, other) => other.expires.localeCompare(one.expires));
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

function coveringWaiver(paths: readonly string[], waivers: readonly Waiver[]): Waiver | undefined {
  const found = paths.map((path) => waivers.find((each) => each.path.matches(path)));
  return found.includes(undefined) ? undefined : found[0];
}

/** "AD-17 for media/*.mp4 (line 7, owner legal@example.com, until 2027-01-31)" */
function formatWaiver({ rule, path, owner, line, expires }: Waiver): string {
  return `${rule} for ${path.text} (line ${line}, owner ${owner}, until ${expires})`;
}
