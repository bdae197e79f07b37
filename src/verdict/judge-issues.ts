import type { Policy } from '../inputs/inputs.ts';
import type { Content } from '../media/content.ts';
import { type Issue, severityRank } from '../service/issue.ts';
import type { Waiver } from '../waivers/file.ts';
import type { Waivers } from '../waivers/waivers.ts';
import { type Baseline, bySeverity, compare } from './baseline.ts';

/** Whether an issue counts (`active`), or why not. With `fail-on-issues: new`, an issue of the baseline is `known`. */
export type Standing = 'active' | 'known' | 'ignored' | 'waived';

export interface IssueRules extends Omit<Policy, 'onServiceError'> {
  /** Undefined unless `fail-on-issues` is `new` and an analysis of the base branch was found. */
  readonly baseline: Baseline | undefined;
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
export function judgeIssues(
  issues: readonly Issue[],
  content: Pick<Content, 'sha256' | 'paths'>,
  rules: IssueRules,
): readonly JudgedIssue[] {
  const added = addedIssues(issues, content, rules);
  const decisions = rules.waivers?.decide(content.paths, issues);
  const { failOnSeverity } = rules;
  return issues
    .map((issue): JudgedIssue => {
      const isNew = added?.has(issue);
      const { waiver, whyNotWaived } = decisions?.get(issue.ruleCode) ?? {};
      const standing = standingOf({ ...issue, isNew, waiver }, rules);
      const isActive = standing === 'active';
      const isSevere = failOnSeverity !== 'never' && severityRank(issue.severity) <= severityRank(failOnSeverity);
      return {
        ...issue,
        standing,
        isNew,
        waiver: waiver && { owner: waiver.owner, reason: waiver.reason, expires: waiver.expires },
        whyNotWaived: isActive ? whyNotWaived : undefined,
        failsGate: isActive && isSevere,
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

/**
 * The new issues: those that the baseline does not have for at least one of the paths. If a file has more issues of a
 * rule than the baseline, the surplus is new. Ignored issues are matched first, so that the surplus counts. Undefined
 * if the run has no baseline.
 */
function addedIssues(
  issues: readonly Issue[],
  { sha256, paths }: Pick<Content, 'sha256' | 'paths'>,
  rules: IssueRules,
): ReadonlySet<Issue> | undefined {
  const { baseline } = rules;
  if (!baseline) return undefined;
  const split = (all: readonly Issue[]) =>
    Object.groupBy(all, (issue) => (isIgnored(issue, rules) ? 'ignored' : 'counted'));
  const { ignored = [], counted = [] } = split(issues);
  return paths.reduce((added, path) => {
    const file = baseline(path, sha256);
    const earlier = split(file?.issues ?? []);
    const { added: surplus, removed: dismissed } = compare(ignored, earlier.ignored ?? []);
    const { added: addedIgnored, removed: known } = compare([...surplus], earlier.counted ?? []);
    // A dismissal applies only to its bytes: if these changed, dismissed issues of the base match no `counted` issue.
    const usable = file?.sha256 === sha256 ? [...known, ...dismissed] : known;
    return added.union(addedIgnored).union(compare(counted, usable).added);
  }, new Set<Issue>());
}
