import { count, formatList } from '../lib/format.ts';
import type { LoadedWaivers, Waiver } from './waivers-file.ts';

/** A notice names the waivers that expire within this time, with their owners. */
const REMINDER_DAYS = 14;

/** Whether the issues of one rule in a content are waived. */
interface Decision {
  /** The waiver of the first path. Undefined if a path is not covered. */
  readonly waiver: Waiver | undefined;
  /** Why an issue is not waived although somebody may expect that. Undefined if there is nothing to say. */
  readonly whyNotWaived: string | undefined;
}

/** The waivers of a waivers file on one day, which decides which of them have expired. */
export class Waivers {
  readonly #valid: readonly Waiver[];
  readonly #expired: readonly Waiver[];
  readonly #proposed: readonly Waiver[];
  readonly #lastReminderDay: string;
  /** Why no waiver counts in this run, and what to do about it. Undefined if waivers count. */
  readonly whyNoneCounts: string | undefined;

  constructor({ waivers, proposed = [], whyNoneCounts }: LoadedWaivers, now: Date) {
    const isValid = ({ expires }: Waiver): boolean => expires >= dayOf(now.getTime());
    this.#valid = waivers.filter(isValid);
    this.#expired = waivers.filter((waiver) => !isValid(waiver));
    this.#proposed = proposed.filter(isValid);
    this.#lastReminderDay = dayOf(now.getTime() + REMINDER_DAYS * 24 * 60 * 60 * 1000);
    this.whyNoneCounts = whyNoneCounts && `No waiver counts in this run: ${whyNoneCounts}`;
  }

  /** A decision for each rule, however many issues the content has. A waiver covers only the paths that it matches. */
  decide(paths: readonly string[], issues: readonly { readonly ruleCode: string }[]): ReadonlyMap<string, Decision> {
    const rules = new Set(issues.map(({ ruleCode }) => ruleCode));
    return new Map([...rules].map((rule) => [rule, this.#decideRule(rule, paths)]));
  }

  #decideRule(rule: string, paths: readonly string[]): Decision {
    const find = (waivers: readonly Waiver[], ...places: readonly string[]): readonly Waiver[] =>
      waivers.filter((each) => each.rule === rule && places.some(each.matches));
    const covering = paths.map((path) => find(this.#valid, path)[0]);
    const waiver = covering.includes(undefined) ? undefined : covering[0];
    const [last] = find(this.#expired, ...paths).toSorted((one, other) => other.expires.localeCompare(one.expires));
    const [next] = find(this.#proposed, ...paths);
    const texts = [
      ...(last ? [`The waiver of ${last.owner} expired on ${last.expires}.`] : []),
      ...(next ? [`A waiver is proposed here (owner ${next.owner}). It counts once it is merged.`] : []),
    ];
    return { waiver, whyNotWaived: waiver ? undefined : (this.whyNoneCounts ?? (texts.join(' ') || undefined)) };
  }

  notices(pathsBeforeOnlyChanged: readonly string[]): readonly string[] {
    const soon = this.#valid.filter(({ expires }) => expires <= this.#lastReminderDay);
    const idle = this.#valid.filter(({ matches }) => !pathsBeforeOnlyChanged.some(matches));
    const lists: readonly (readonly [string, readonly Waiver[]])[] = [
      ['Waivers proposed here, which count once they are merged', this.#proposed],
      ['Expired waivers, which are no longer applied', this.#expired],
      [`Waivers that expire within ${REMINDER_DAYS} days`, soon],
      ['Waivers whose path matches no file', idle],
    ];
    const texts = lists
      .filter(([, found]) => found.length > 0)
      .map(([what, found]) => `${what} (${count(found.length)}): ${formatList(found.map(formatWaiver))}.`);
    return this.whyNoneCounts === undefined ? texts : [this.whyNoneCounts, ...texts];
  }
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** "AD-17 for media/*.mp4 (line 7, owner legal@example.com, until 2027-01-31)" */
function formatWaiver({ rule, path, owner, line, expires }: Waiver): string {
  return `${rule} for ${path} (line ${line}, owner ${owner}, until ${expires})`;
}
