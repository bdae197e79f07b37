import type { Content } from '../media/content.ts';
import { type Issue, severityRank } from '../service/issue.ts';
import { idKey } from '../service/responses.ts';
import type { Baseline, BaselineFile, BaselineIssue } from '../state/document.ts';

type Comparable = Pick<Issue, 'id' | 'ruleCode' | 'severity'>;

/** The analysis that an issue was read from. */
export interface Origin {
  readonly submissionId: string;
  readonly assetId?: string | undefined;
}

export interface ComparedContent extends Pick<Content, 'sha256' | 'paths'> {
  readonly issues: readonly Issue[];
  readonly originOf: (issue: Issue) => Origin | undefined;
}

export interface ComparisonRules {
  /** Whether the issue counts now, or did in the baseline. */
  readonly isCounted: (issue: Issue) => boolean;
  readonly wasCounted: (issue: BaselineIssue) => boolean;
}

/** A baseline that can be searched: there can be thousands of files. */
export class IndexedBaseline {
  readonly #byPath: ReadonlyMap<string, BaselineFile>;
  readonly #bySha: ReadonlyMap<string, BaselineFile>;
  readonly #byId: ReadonlyMap<string, BaselineIssue>;

  constructor({ files }: Baseline) {
    this.#byPath = new Map(files.map((file) => [file.path, file]));
    this.#bySha = new Map(files.map((file) => [file.sha256, file]));
    this.#byId = new Map(files.flatMap((file) => file.issues.map((issue) => [issueKey(issue, file), issue])));
  }

  /**
   * The issues of a content that the baseline does not have. In the same analysis an issue keeps its id, so ids are
   * matched first, whatever the path is, and such an issue is matched with nothing else. The others are matched by path.
   */
  newIssues(content: ComparedContent, rules: ComparisonRules): ReadonlySet<Issue> {
    const added = new Set<Issue>();
    const matched = new Set<string>();
    const others = content.issues.filter((issue) => {
      const origin = content.originOf(issue);
      const key = origin && issueKey(issue, origin);
      const before = key === undefined ? undefined : this.#byId.get(key);
      if (!before || key === undefined) return true;
      matched.add(key);
      const isWorse = severityRank(issue.severity) < severityRank(before.severity);
      if (isWorse || (rules.isCounted(issue) && !rules.wasCounted(before))) added.add(issue);
      return false;
    });
    for (const path of content.paths) {
      // A file with the same bytes may have been renamed.
      const file = this.#byPath.get(path) ?? this.#bySha.get(content.sha256);
      const earlier = file?.issues.filter((issue) => !matched.has(issueKey(issue, file))) ?? [];
      for (const issue of newByRule(others, earlier, rules, file?.sha256 === content.sha256)) added.add(issue);
    }
    return added;
  }
}

function issueKey({ id }: Pick<Issue, 'id'>, { submissionId, assetId = '' }: Origin): string {
  return [submissionId, assetId, id].map(idKey).join(' ');
}

/**
 * The new issues of a file at one path. If it has more issues of a rule than before, the surplus is new. Issues that do
 * not count are matched first, so that the surplus counts. If the bytes changed, an issue that did not count does not
 * make one known that counts: a dismissal applies only to its bytes.
 */
function newByRule(
  issues: readonly Issue[],
  earlier: readonly BaselineIssue[],
  { isCounted, wasCounted }: ComparisonRules,
  isSameBytes: boolean,
): readonly Issue[] {
  const { now = [], ignored = [] } = Object.groupBy(issues, (issue) => (isCounted(issue) ? 'now' : 'ignored'));
  const { then = [], dismissed = [] } = Object.groupBy(earlier, (issue) => (wasCounted(issue) ? 'then' : 'dismissed'));
  const first = compare(ignored, dismissed);
  const second = compare([...first.added], then);
  const usable = isSameBytes
    ? [...second.removed, ...first.removed.filter(({ isWaived }) => !isWaived)]
    : second.removed;
  return [...second.added, ...compare(now, usable).added];
}

/**
 * Compares two analyses of a file. Issues get new ids in every analysis, so they are matched as a multiset of rule
 * codes. The sidekick is not compared, because a response may leave it out.
 *
 * @returns `added`: issues that the earlier analysis did not have, or had with a lower severity; `removed`: issues that
 *   only the earlier analysis had
 */
export function compare<Now extends Comparable, Before extends Comparable>(
  current: readonly Now[],
  earlier: readonly Before[],
): { readonly added: ReadonlySet<Now>; readonly removed: readonly Before[] } {
  // An issue without a rule code cannot be recognised, so it is always new.
  const comparable = earlier.filter(({ ruleCode }) => ruleCode !== '');
  const pool = Map.groupBy(comparable.toSorted(bySeverity), ({ ruleCode }) => ruleCode);
  const added = new Set<Now>();
  for (const issue of current.toSorted(bySeverity)) {
    const same = pool.get(issue.ruleCode) ?? [];
    // Match the mildest earlier issue that is at least as severe, and leave more severe ones for the other issues.
    const index = same.findLastIndex(({ severity }) => severityRank(severity) <= severityRank(issue.severity));
    if (index === -1) added.add(issue);
    else same.splice(index, 1);
  }
  return { added, removed: [...pool.values()].flat() };
}

/** Worst first. */
export function bySeverity(a: Pick<Issue, 'severity'>, b: Pick<Issue, 'severity'>): number {
  return severityRank(a.severity) - severityRank(b.severity);
}
