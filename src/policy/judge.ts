import { type Issue, SEVERITIES, type Severity } from '../service/issue.ts';
import type { Knowledge } from '../state/knowledge.ts';
import { compare } from './compare.ts';
import type { Waiver, Waivers } from './waivers.ts';

/** Why an issue counts, or why it does not. */
export type Standing = 'active' | 'known' | 'ignored' | 'waived';

export interface GateRules {
  readonly failOnSeverity: Severity | 'never';
  readonly failOnIssues: 'all' | 'new';
  readonly ignoreStatuses: readonly string[];
  /** What the base branch's own analysis had; undefined where there is nothing to compare with. */
  readonly baseline: Knowledge | undefined;
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
export function judge(issues: readonly Issue[], place: Place, rules: GateRules): readonly JudgedIssue[] {
  const added = rules.baseline && addedTo(rules.baseline, issues, place);
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
    .toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

function acceptanceOf(waiver: Waiver | undefined): JudgedIssue['waiver'] {
  return waiver && { owner: waiver.owner, reason: waiver.reason, expires: waiver.expires };
}

/** A status that we do not know is active: a gate fails closed. */
function standingOf(
  issue: Issue,
  isNew: boolean | undefined,
  waiver: JudgedIssue['waiver'],
  rules: GateRules,
): Standing {
  if (rules.ignoreStatuses.includes(issue.status.toUpperCase())) return 'ignored';
  if (waiver) return 'waived';
  return rules.failOnIssues === 'new' && isNew === false ? 'known' : 'active';
}

function reaches(severity: Severity, threshold: Severity | 'never'): boolean {
  return threshold !== 'never' && SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(threshold);
}

/** An issue is new where it is new on any of the paths. A path that the base does not have may be a renamed one. */
function addedTo(baseline: Knowledge, issues: readonly Issue[], { sha256, paths }: Place): ReadonlySet<Issue> {
  return paths.reduce((added, path) => {
    const earlier = baseline.content(baseline.path(path)?.sha256 ?? sha256);
    return added.union(compare(issues, earlier?.issues ?? []).added);
  }, new Set<Issue>());
}
