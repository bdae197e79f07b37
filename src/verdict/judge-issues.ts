import type { Policy } from '../inputs/parse.ts';
import type { Content } from '../media/content.ts';
import type { Analysis } from '../service/analysis.ts';
import { bySeverity, type Issue, isAtLeast } from '../service/issue.ts';
import { idKey } from '../service/responses.ts';
import type { Baseline } from '../state/baseline.ts';
import type { Waivers } from '../waivers/waivers.ts';
import type { Waiver } from '../waivers/waivers-file.ts';

/** Whether an issue counts (`active`), or why not. With `fail-on-issues: new`, an issue of the baseline is `known`. */
export type Standing = 'active' | 'known' | 'ignored' | 'waived';

interface IssueRules extends Omit<Policy, 'onServiceError'> {
  /** Undefined if the run is compared with nothing. */
  readonly baseline: ReturnType<typeof indexBaseline> | undefined;
  readonly waivers: Waivers | undefined;
}

export interface JudgedIssue extends Issue {
  /** The analysis that has this issue. */
  readonly of: Pick<Analysis, 'submissionId' | 'assetId'>;
  readonly standing: Standing;
  /** Whether the baseline does not have this issue. Undefined if the run has no baseline. */
  readonly isNew: boolean | undefined;
  /** Whether the issue is active and at or above the threshold, so that it fails the check. */
  readonly failsGate: boolean;
  readonly waiver: Pick<Waiver, 'owner' | 'reason' | 'expires'> | undefined;
  /** Why an active issue is not waived: its waiver is expired or only proposed, or the waivers cannot be used. */
  readonly whyNotWaived: string | undefined;
}

/** An issue of this run or of the baseline, as it is compared. */
interface ComparedIssue extends Pick<Issue, 'ruleCode' | 'severity'> {
  /** The analysis, and the id of the issue, which stays the same in every run that reads this analysis. */
  readonly key: string;
  /** Without a comparison, so never `known`. */
  readonly standing: Standing;
}

/** Judges the issues of one content, worst first. @param analyses newest first: of issues with one id the first counts */
export function judgeIssues(
  content: Pick<Content, 'paths'>,
  analyses: readonly Pick<Analysis, 'submissionId' | 'assetId' | 'issues'>[],
  rules: IssueRules,
): readonly JudgedIssue[] {
  const issues = issuesOnce(analyses);
  const decisions = rules.waivers?.decide(content.paths, issues);
  const uncompared = issues.map((issue) => {
    const { waiver, whyNotWaived } = decisions?.get(issue.ruleCode) ?? {};
    const standing = standingOf(issue.status, waiver !== undefined, rules);
    const accepted = waiver && { owner: waiver.owner, reason: waiver.reason, expires: waiver.expires };
    return { ...issue, standing, waiver: accepted, whyNotWaived };
  });
  const added = rules.baseline && keysOfNewIssues(content, uncompared, rules.baseline);
  return uncompared
    .map(({ key, ...issue }): JudgedIssue => {
      const isNew = added?.has(key);
      const isKnown = issue.standing === 'active' && rules.failOnIssues === 'new' && isNew === false;
      const standing = isKnown ? 'known' : issue.standing;
      const isActive = standing === 'active';
      const whyNotWaived = isActive ? issue.whyNotWaived : undefined;
      const failsGate = isActive && isAtLeast(issue.severity, rules.failOnSeverity);
      return { ...issue, standing, isNew, failsGate, whyNotWaived };
    })
    .toSorted(bySeverity);
}

function issuesOnce(analyses: readonly Pick<Analysis, 'submissionId' | 'assetId' | 'issues'>[]) {
  const all = analyses.flatMap((analysis) => withKeys(analysis, analysis.issues));
  return [...Map.groupBy(all, ({ id }) => idKey(id)).values()].flatMap((group) => group.slice(0, 1));
}

/** The keys of the issues of one content. */
export function keysOf(analyses: Parameters<typeof issuesOnce>[0]): readonly string[] {
  return issuesOnce(analyses).map(({ key }) => key);
}

function withKeys<Each extends Pick<Issue, 'id'>>(
  { submissionId, assetId }: Pick<Analysis, 'submissionId' | 'assetId'>,
  issues: readonly Each[],
) {
  const of = { submissionId, assetId };
  return issues.map((issue) => ({ ...issue, of, key: [submissionId, assetId ?? '', issue.id].map(idKey).join(' ') }));
}

/** An issue with an unknown status is active: the gate fails closed. */
function standingOf(status: string, isWaived: boolean, { ignoreStatuses }: Pick<Policy, 'ignoreStatuses'>): Standing {
  if (ignoreStatuses.includes(status.toUpperCase())) return 'ignored';
  return isWaived ? 'waived' : 'active';
}

/** The baseline as it is searched: there can be thousands of files. @param keys of all issues of the run */
export function indexBaseline(baseline: Baseline, policy: Pick<Policy, 'ignoreStatuses'>, keys: ReadonlySet<string>) {
  const compared = baseline.map((file) => {
    const issues = withKeys(file, file.issues).map((issue): ComparedIssue => {
      return { ...issue, standing: standingOf(issue.status, false, policy) };
    });
    // The mildest match is taken, which leaves more severe ones for the other issues.
    return { ...file, issues: issues.toSorted((a, b) => uncountedFirst(a, b) || bySeverity(b, a)) };
  });
  // An issue with the same key has its match, wherever its file is now, and no other issue may take it.
  const unmatched = compared.map(({ path, issues }) => [path, issues.filter(({ key }) => !keys.has(key))] as const);
  return {
    byPath: new Map(unmatched),
    byKey: new Map(compared.flatMap(({ issues }) => issues.map((issue) => [issue.key, issue]))),
  };
}

/**
 * The keys of the issues that the baseline does not have. An issue with the same key is compared with nothing else,
 * whatever the path is. The others are matched at each path by rule code, one for one: if a file has more issues of a rule
 * than before, the surplus is new. Issues that do not count are matched first, so that the surplus counts.
 */
function keysOfNewIssues(
  { paths }: Pick<Content, 'paths'>,
  issues: readonly ComparedIssue[],
  { byPath, byKey }: ReturnType<typeof indexBaseline>,
): ReadonlySet<string> {
  const added = issues.filter((issue) => {
    const before = byKey.get(issue.key);
    return before && !isKnownBy(before, issue);
  });
  const others = issues
    .filter(({ key }) => !byKey.has(key))
    .toSorted((a, b) => uncountedFirst(a, b) || bySeverity(a, b));
  for (const path of paths) {
    const before = [...(byPath.get(path) ?? [])];
    for (const issue of others) {
      // An issue without a rule code cannot be recognised.
      const match = before.findIndex(
        (each) => issue.ruleCode !== '' && each.ruleCode === issue.ruleCode && isKnownBy(each, issue),
      );
      if (match === -1) added.push(issue);
      else before.splice(match, 1);
    }
  }
  return new Set(added.map(({ key }) => key));
}

/** Whether an earlier issue makes this one known: neither its severity nor its standing is worse now. */
function isKnownBy(before: ComparedIssue, issue: ComparedIssue): boolean {
  const isCovered = issue.standing !== 'active' || before.standing === 'active';
  return isCovered && isAtLeast(before.severity, issue.severity);
}

function uncountedFirst(a: ComparedIssue, b: ComparedIssue): number {
  return Number(a.standing === 'active') - Number(b.standing === 'active');
}
