import type { Waiver } from '../inputs/waivers-file.ts';
import { type Issue, type Severity, severityRank } from '../service/issue.ts';
import { type Comparable, compare } from './compare.ts';
import type { Waivers } from './waivers.ts';

/** Why an issue counts, or why it does not. */
export type Standing = 'active' | 'known' | 'ignored' | 'waived';

/** What the base branch holds. */
export interface Baseline {
  /** The file at this path; where the base has none, the same content elsewhere: it may have been renamed. */
  fileAt(path: string, sha256: string): BaseFile | undefined;
}

interface BaseFile {
  readonly sha256: string;
  readonly issues: readonly (Comparable & Pick<Issue, 'status'>)[];
}

export interface IssueRules {
  readonly failOnSeverity: Severity | 'never';
  readonly failOnIssues: 'all' | 'new';
  readonly ignoreStatuses: readonly string[];
  /** Undefined where there is nothing to compare with. */
  readonly baseline: Baseline | undefined;
  readonly waivers: Waivers | undefined;
}

export interface JudgedIssue extends Issue {
  readonly standing: Standing;
  /** True where the baseline did not have it; undefined where nothing was compared. */
  readonly isNew: boolean | undefined;
  /** Active and at or above the threshold: this is what turns the check red. */
  readonly failsGate: boolean;
  /** Who answers for it, where it is waived. */
  readonly waiver: Pick<Waiver, 'owner' | 'reason' | 'expires'> | undefined;
}

/** What a content is, to the baseline and the waivers. */
interface Place {
  readonly sha256: string;
  readonly paths: readonly string[];
}

/** Judges the issues of one content, worst first. */
export function judgeIssues(issues: readonly Issue[], place: Place, rules: IssueRules): readonly JudgedIssue[] {
  const added = rules.baseline && addedTo(rules.baseline, issues, place, rules);
  return issues
    .map((issue): JudgedIssue => {
      const isNew = added?.has(issue);
      const waiver = acceptanceOf(rules.waivers?.waiverFor(issue, place.paths));
      const standing = standingOf(issue, isNew, waiver, rules);
      return {
        ...issue,
        standing,
        isNew,
        waiver,
        failsGate: standing === 'active' && reaches(issue.severity, rules.failOnSeverity),
      };
    })
    .toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity));
}

function acceptanceOf(waiver: Waiver | undefined): JudgedIssue['waiver'] {
  return waiver && { owner: waiver.owner, reason: waiver.reason, expires: waiver.expires };
}

/** A status that we do not know is active: a gate fails closed. */
function standingOf(
  issue: Issue,
  isNew: boolean | undefined,
  waiver: JudgedIssue['waiver'],
  rules: IssueRules,
): Standing {
  if (isIgnored(issue, rules)) return 'ignored';
  if (waiver) return 'waived';
  return rules.failOnIssues === 'new' && isNew === false ? 'known' : 'active';
}

function reaches(severity: Severity, threshold: Severity | 'never'): boolean {
  return threshold !== 'never' && severityRank(severity) <= severityRank(threshold);
}

function isIgnored({ status }: Pick<Issue, 'status'>, { ignoreStatuses }: Pick<IssueRules, 'ignoreStatuses'>): boolean {
  return ignoreStatuses.includes(status.toUpperCase());
}

/** An issue is new where it is new on any of the paths. */
function addedTo(
  baseline: Baseline,
  issues: readonly Issue[],
  { sha256, paths }: Place,
  rules: IssueRules,
): ReadonlySet<Issue> {
  const isOpen = (issue: Pick<Issue, 'status'>): boolean => !isIgnored(issue, rules);
  const { open = [], ignored = [] } = Object.groupBy(issues, (issue) => (isOpen(issue) ? 'open' : 'ignored'));
  return paths.reduce((added, path) => {
    const file = baseline.fileAt(path, sha256);
    if (!file || file.sha256 === sha256) return added.union(compare(issues, file?.issues ?? []).added);
    // That an issue may be ignored was said of the old bytes: in others only an open one makes an open one known.
    return added.union(compare(open, file.issues.filter(isOpen)).added).union(compare(ignored, file.issues).added);
  }, new Set<Issue>());
}
