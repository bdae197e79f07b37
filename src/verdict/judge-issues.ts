import type { Policy } from '../inputs/parse.ts';
import type { Content } from '../media/content.ts';
import { type Issue, isAtLeast, severityRank } from '../service/issue.ts';
import { idKey } from '../service/responses.ts';
import type { Baseline, BaselineFile, BaselineIssue } from '../state/document.ts';
import type { Waivers } from '../waivers/waivers.ts';
import type { Waiver } from '../waivers/waivers-file.ts';

/** Whether an issue counts (`active`), or why not. With `fail-on-issues: new`, an issue of the baseline is `known`. */
export type Standing = 'active' | 'known' | 'ignored' | 'waived';

interface IssueRules extends Omit<Policy, 'onServiceError'> {
  /** Undefined if the run is compared with nothing. */
  readonly baseline: IndexedBaseline | undefined;
  /** Whether the run checks what its branch holds. Then an issue is new if its waiver no longer counts. */
  readonly isBranchRun: boolean;
  readonly waivers: Waivers | undefined;
}

export interface JudgedIssue extends Issue {
  readonly standing: Standing;
  /** Whether the baseline does not have this issue. Undefined if the run has no baseline. */
  readonly isNew: boolean | undefined;
  /** Whether the issue is active and at or above the threshold, so that it fails the check. */
  readonly failsGate: boolean;
  readonly waiver: Pick<Waiver, 'owner' | 'reason' | 'expires'> | undefined;
  /** Why an active issue is not waived: its waiver is expired or only proposed, or the waivers cannot be used. */
  readonly whyNotWaived: string | undefined;
}

/** Judges the issues of one content, worst first. */
export function judgeIssues(content: ComparedContent, rules: IssueRules): readonly JudgedIssue[] {
  const { issues, paths } = content;
  const { baseline, isBranchRun, failOnSeverity } = rules;
  const decisions = rules.waivers?.decide(paths, issues);
  const added = baseline?.newIssues(content, {
    isCounted: (issue) => !isIgnored(issue, rules) && !(isBranchRun && decisions?.get(issue.ruleCode)?.waiver),
    wasCounted: (issue) => !isIgnored(issue, rules) && !(isBranchRun && issue.isWaived),
  });
  return issues
    .map((issue): JudgedIssue => {
      const isNew = added?.has(issue);
      const { waiver, whyNotWaived } = decisions?.get(issue.ruleCode) ?? {};
      const standing = standingOf({ ...issue, isNew, waiver }, rules);
      const isActive = standing === 'active';
      return {
        ...issue,
        standing,
        isNew,
        waiver: waiver && { owner: waiver.owner, reason: waiver.reason, expires: waiver.expires },
        whyNotWaived: isActive ? whyNotWaived : undefined,
        failsGate: isActive && isAtLeast(issue.severity, failOnSeverity),
      };
    })
    .toSorted(bySeverity);
}

/** An issue with an unknown status is active: the gate fails closed. */
function standingOf(issue: Pick<JudgedIssue, 'status' | 'isNew' | 'waiver'>, rules: IssueRules): Standing {
  if (isIgnored(issue, rules)) return 'ignored';
  if (issue.waiver) return 'waived';
  return rules.failOnIssues === 'new' && issue.isNew === false ? 'known' : 'active';
}

function isIgnored({ status }: Pick<Issue, 'status'>, { ignoreStatuses }: Pick<IssueRules, 'ignoreStatuses'>): boolean {
  return ignoreStatuses.includes(status.toUpperCase());
}

type Comparable = Pick<Issue, 'id' | 'ruleCode' | 'severity'>;

/** The analysis that an issue was read from. */
interface Origin {
  readonly submissionId: string;
  readonly assetId?: string | undefined;
}

interface ComparedContent extends Pick<Content, 'sha256' | 'paths'> {
  readonly issues: readonly Issue[];
  readonly originOf: (issue: Issue) => Origin | undefined;
}

interface ComparisonRules {
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
 * not count are matched first, so that the surplus counts: with those that did not count, then with the others. If the
 * bytes changed, an issue that did not count does not make one known that counts: a dismissal applies only to its bytes.
 */
function newByRule(
  issues: readonly Issue[],
  earlier: readonly BaselineIssue[],
  { isCounted, wasCounted }: ComparisonRules,
  isSameBytes: boolean,
): readonly Issue[] {
  const now = Map.groupBy(issues, isCounted);
  const before = Map.groupBy(earlier, wasCounted);
  const uncounted = compare(now.get(false) ?? [], before.get(false) ?? []);
  const unmatched = compare([...uncounted.added], before.get(true) ?? []);
  const dismissed = uncounted.removed.filter(({ isWaived }) => !isWaived);
  const known = isSameBytes ? [...unmatched.removed, ...dismissed] : unmatched.removed;
  return [...unmatched.added, ...compare(now.get(true) ?? [], known).added];
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
function bySeverity(a: Pick<Issue, 'severity'>, b: Pick<Issue, 'severity'>): number {
  return severityRank(a.severity) - severityRank(b.severity);
}
