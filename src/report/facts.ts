import { SEVERITIES, type Severity, severityRank } from '../service/issue.ts';
import type { Report, ReportedCause, ReportedContent, ReportedIssue, ReportFacts } from './report.ts';

/** The order of all reports, and the groups and numbers of their issues and files. */

/** Whether somebody has accepted the issue. */
export function isAccepted({ standing }: ReportedIssue): boolean {
  return standing === 'waived' || standing === 'ignored';
}

/** What went wrong. The reason why a run was skipped is no problem, and the headline names it. */
export function problemsOf({ causes, verdict, reason }: ReportFacts): readonly ReportedCause[] {
  return causes.filter((cause) => verdict !== 'skipped' || cause.reason !== reason);
}

/** Counts files, not contents: the same bytes at two paths are two files. */
export function countFiles(contents: readonly ReportedContent[]): number {
  return contents.reduce((sum, { paths }) => sum + paths.length, 0);
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

/**
 * The order of all reports: what stops the check, then what the pull request changes, then severity, then what is new,
 * then the path. Each rank is one digit. Without an issue, the severity ranks last; what has no path comes last.
 */
export function sortKey(
  effectRank: number,
  isChanged: boolean | undefined,
  path = '\uffff',
  issue?: ReportedIssue,
): string {
  const severity = issue ? severityRank(issue.severity) : SEVERITIES.length;
  return [effectRank, isChanged ? 0 : 1, severity, issue?.isNew ? 0 : 1, path].join(' ');
}

/** Whether an issue stops the check, is active but does not stop it, or does not count. */
export const EFFECTS = ['Stops the check', 'Counts', 'Does not count'] as const;
type Effect = (typeof EFFECTS)[number];

export function effectOnCheck({ standing, failsGate }: ReportedIssue): Effect {
  if (standing !== 'active') return 'Does not count';
  return failsGate ? 'Stops the check' : 'Counts';
}

export interface ListedIssue {
  /** Identifies the issue in the address of the report page. */
  readonly id: string;
  readonly content: ReportedContent;
  readonly issue: ReportedIssue;
}

/** All issues of all contents: issues that stop the check, then other active issues, then issues that do not count. */
export function listIssues({ contents }: Pick<Report, 'contents'>): readonly ListedIssue[] {
  const listed = contents.flatMap((content) => content.issues.map((issue) => ({ content, issue })));
  const numbers = new Map<string, number>();
  return sortBy(listed, ({ content, issue }) =>
    sortKey(EFFECTS.indexOf(effectOnCheck(issue)), content.isChanged, content.paths[0], issue),
  ).map((entry) => {
    // The id has the reference number, so that people can read and type it. Two issues may have the same number.
    const name = `issue-${entry.issue.referenceNumber ?? 'unnumbered'}`;
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    return { ...entry, id: number === 1 ? name : `${name}-${number}` };
  });
}

/** The issues of `listIssues` with this effect, in the same order. */
export function issuesWith(effect: Effect, report: Pick<Report, 'contents'>): readonly ListedIssue[] {
  return listIssues(report).filter(({ issue }) => effectOnCheck(issue) === effect);
}
