import { isAtLeast, SEVERITIES, type Severity, severityRank } from '../service/issue.ts';
import type { VerdictName } from '../verdict/judge.ts';
import type { Standing } from '../verdict/judge-issues.ts';
import type { Report, ReportedContent, ReportedIssue } from './report.ts';

/** Facts that follow from a report: numbers, groups and orders. Their wording is in `phrases.ts`. */

/** The verdict that readers see. A pass in a sandbox and an error that lets the check pass have separate signs. */
export type Sign = VerdictName | 'forgiven' | 'sandbox';

export function signOf({ verdict, mode, isPassing }: Report): Sign {
  if (verdict === 'pass' && mode === 'sandbox') return 'sandbox';
  return verdict === 'error' && isPassing ? 'forgiven' : verdict;
}

/** Whether an issue keeps its file from being cleared. A known issue does not stop the check, but would be published. */
export function isUncleared({ standing, severity }: ReportedIssue, { failOnSeverity }: Report['policy']): boolean {
  return (standing === 'active' || standing === 'known') && isAtLeast(severity, failOnSeverity);
}

/** Counts files, not contents: the same bytes at two paths are two files. */
export function countFiles(contents: readonly ReportedContent[]): number {
  return contents.reduce((sum, { paths }) => sum + paths.length, 0);
}

/** Counts the matched files without a judged analysis, including unreadable files, which are in no content. */
export function countUnjudged({ contents, counts }: Pick<Report, 'contents' | 'counts'>): number {
  return counts.filesMatched - countFiles(contents.filter(({ outcome }) => outcome === 'judged'));
}

/** Whether a live run has results: a judged file or issues of an earlier run. Otherwise "0 issues" would mislead. */
export function hasJudged({ contents, verdict, mode }: Report): boolean {
  return (
    verdict !== 'skipped' &&
    mode !== 'sandbox' &&
    contents.some(({ outcome, issues }) => outcome === 'judged' || issues.length > 0)
  );
}

/** Whether the run involved no analysis: nothing was sent, reused or awaited. */
export function isWithoutAnalysis({ contents, verdict }: Pick<Report, 'contents' | 'verdict'>): boolean {
  return verdict === 'skipped' || contents.every(({ source }) => source === 'not-sent');
}

export interface ListedIssue {
  /** Identifies the issue in the address of the report page. */
  readonly id: string;
  readonly content: ReportedContent;
  readonly issue: ReportedIssue;
  readonly topics: readonly string[];
}

export function countBySeverity(issues: readonly ReportedIssue[]): Record<Severity, number> {
  const counts = { CRITICAL: 0, MAJOR: 0, MINOR: 0, INFO: 0 };
  for (const { severity } of issues) counts[severity] += 1;
  return counts;
}

/** The severities with a number above 0, most severe first. */
export function occurring(counts: Readonly<Record<Severity, number>>): readonly Severity[] {
  return SEVERITIES.filter((severity) => counts[severity] > 0);
}

/** Changed files come first. */
export function rankOfChange({ isChanged }: Pick<ReportedContent, 'isChanged'>): number {
  return isChanged ? 0 : 1;
}

/** Compares the first paths. A list without paths comes last. */
export function comparePaths([one = '\uffff']: readonly string[], [other = '\uffff']: readonly string[]): number {
  return compareTexts(one, other);
}

/** Compares by code units, so that the order does not depend on the language of the machine. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Ranks by effect on the check, then by change in the pull request, then by severity. A missing issue ranks last. */
export function rankOf(effect: number, content: ReportedContent, issue: ReportedIssue | undefined): number {
  const severity = issue ? severityRank(issue.severity) : SEVERITIES.length;
  return (effect * 2 + rankOfChange(content)) * (SEVERITIES.length + 1) + severity;
}

const STANDING_RANKS: Readonly<Record<Standing, number>> = { active: 0, known: 1, waived: 2, ignored: 3 };

/** New issues come first. */
function rankOfNew({ issue }: Pick<ListedIssue, 'issue'>): number {
  return issue.isNew ? 0 : 1;
}

function rankOfIssue({ content, issue }: Pick<ListedIssue, 'content' | 'issue'>): number {
  return rankOf(issue.failsGate ? -1 : STANDING_RANKS[issue.standing], content, issue);
}

/**
 * All issues of all contents, in the order in which a reader needs them: issues that stop the check, then other active
 * issues, then issues that do not count. Within each group, issues in files that the pull request changes come first,
 * then severity decides, then the path.
 */
export function listIssues({ contents }: Pick<Report, 'contents'>): readonly ListedIssue[] {
  // Sort by path first: the later sort is stable, and contents are fewer than issues, so this takes less time.
  const listed = contents
    .toSorted((one, other) => comparePaths(one.paths, other.paths))
    .flatMap((content) => content.issues.map((issue) => ({ content, issue, topics: topicsOf(issue, content) })));
  const numbers = new Map<string, number>();
  return listed
    .toSorted((one, other) => rankOfIssue(one) - rankOfIssue(other) || rankOfNew(one) - rankOfNew(other))
    .map((entry) => {
      // The id has the reference number, so that people can read and type it. Two issues may have the same number.
      const name = `issue-${entry.issue.referenceNumber ?? 'unnumbered'}`;
      const number = (numbers.get(name) ?? 0) + 1;
      numbers.set(name, number);
      return { ...entry, id: number === 1 ? name : `${name}-${number}` };
    });
}

function topicsOf({ id }: ReportedIssue, { topics }: ReportedContent): readonly string[] {
  const own = topics.filter(({ issueIds }) => issueIds.includes(id));
  // Two topics may have the same title.
  return [...new Set(own.map(({ title }) => title))];
}

/** Groups the issues of `listIssues` by their effect on the check. Each group keeps the order of `listIssues`. */
export function issuesByEffect(report: Pick<Report, 'contents'>): Record<Effect, readonly ListedIssue[]> {
  const groups = Object.groupBy(listIssues(report), ({ issue }) => effectOnCheck(issue));
  return { stops: [], others: [], uncounted: [], ...groups };
}

/** Whether an issue stops the check, is active but does not stop it, or does not count. */
type Effect = 'stops' | 'others' | 'uncounted';

export function effectOnCheck({ standing, failsGate }: ReportedIssue): Effect {
  if (standing !== 'active') return 'uncounted';
  return failsGate ? 'stops' : 'others';
}
