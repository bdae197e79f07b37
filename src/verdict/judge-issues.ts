import type { Policy } from '../inputs/parse.ts';
import { type Issue, isAtLeast } from '../service/issue.ts';
import type { Waiver } from '../waivers/file.ts';
import type { Waivers } from '../waivers/waivers.ts';
import { bySeverity, type ComparedContent, type IndexedBaseline } from './baseline.ts';

/** Whether an issue counts (`active`), or why not. With `fail-on-issues: new`, an issue of the baseline is `known`. */
export type Standing = 'active' | 'known' | 'ignored' | 'waived';

export interface IssueRules extends Omit<Policy, 'onServiceError'> {
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
