import { isAtLeast, SEVERITIES, type Severity, severityRank } from '../service/issue.ts';
import type { Standing } from '../verdict/judge-issues.ts';
import type { Report, ReportedCause, ReportedContent, ReportedIssue } from './report.ts';

/** The order of all reports, and the groups and numbers of their issues and files. */

/** The rank of each standing in lists of issues, and whether somebody has accepted the issue. */
const STANDINGS: Readonly<Record<Standing, { readonly rank: number; readonly isAccepted: boolean }>> = {
  active: { rank: 1, isAccepted: false },
  // A known issue does not stop the check, but would be published.
  known: { rank: 2, isAccepted: false },
  waived: { rank: 3, isAccepted: true },
  ignored: { rank: 4, isAccepted: true },
};

export function isAccepted({ standing }: ReportedIssue): boolean {
  return STANDINGS[standing].isAccepted;
}

/** Whether an issue keeps its file from being cleared. */
export function isUncleared(issue: ReportedIssue, { failOnSeverity }: Report['policy']): boolean {
  return !isAccepted(issue) && isAtLeast(issue.severity, failOnSeverity);
}

/** Counts files, not contents: the same bytes at two paths are two files. */
export function countFiles(contents: readonly ReportedContent[]): number {
  return contents.reduce((sum, { paths }) => sum + paths.length, 0);
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

/** Sorts by a text of each item. Code units decide, so that the order does not depend on the machine's language. */
export function sortBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  return keyed
    .toSorted((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)))
    .map(({ item }) => item);
}

/** The first path, by which files, issues and causes are sorted. What has no path comes last. */
function pathKey({ paths }: Pick<ReportedCause, 'paths'>): string {
  return paths[0] ?? '\uffff';
}

/**
 * The order of all reports: what stops the check, then what the pull request changes, then severity, then what is new,
 * then the path. Each rank is one digit. Without an issue, the severity ranks last.
 */
export function sortKey(
  effectRank: number,
  about: Pick<ReportedCause, 'paths' | 'isChanged'>,
  issue?: ReportedIssue,
): string {
  const severity = issue ? severityRank(issue.severity) : SEVERITIES.length;
  return [effectRank, about.isChanged ? 0 : 1, severity, issue?.isNew ? 0 : 1, pathKey(about)].join(' ');
}

/** All issues of all contents: issues that stop the check, then other active issues, then issues that do not count. */
export function listIssues({ contents }: Pick<Report, 'contents'>): readonly ListedIssue[] {
  const listed = contents.flatMap((content) =>
    content.issues.map((issue) => ({ content, issue, topics: topicsOf(issue, content) })),
  );
  const numbers = new Map<string, number>();
  return sortBy(listed, ({ content, issue }) =>
    sortKey(issue.failsGate ? 0 : STANDINGS[issue.standing].rank, content, issue),
  ).map((entry) => {
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
