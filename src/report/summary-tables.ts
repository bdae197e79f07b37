import { createHash } from 'node:crypto';
import { markdown, prose } from '../lib/escape.ts';
import { count, formatList, plural, truncate } from '../lib/format.ts';
import { SEVERITIES, type Severity } from '../service/issue.ts';
import { comparisonUrl, fileAtCommitUrl, link } from './github-links.ts';
import {
  countFiles,
  describeCause,
  describeFile,
  describeResult,
  provenance,
  SEVERITY_MARKS,
  UNTOUCHED,
} from './phrases.ts';
import type { ListedIssue, Report, ReportedCause } from './report.ts';

/** These limits keep a summary within two screens, however large the run. */
const MAX_CAUSES = 10;
const MAX_ROWS = 12;
const MAX_FILES = 50;
const MAX_HEADLINE_LENGTH = 200;

interface Table<T> {
  readonly columns: readonly string[];
  readonly items: readonly T[];
  readonly max: number;
  readonly cells: (item: T) => readonly string[];
  readonly noun: string;
}

/** Returns an empty text if there are no items. The last line counts the items that are left out. */
function table<T>({ columns, items, max, cells, noun }: Table<T>): string {
  if (items.length === 0) return '';
  const rows = [columns, columns.map(() => ':--'), ...items.slice(0, max).map(cells)];
  const hidden = items.length - max;
  return [
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    ...(hidden > 0 ? ['', `and ${plural(hidden, `more ${noun}`)} in <code>report.html</code>`] : []),
  ].join('\n');
}

/** Links at most `max` paths, to their diff if the pull request is known to change them. Counts the others. */
export function pathLinks(
  { paths, isChanged }: Pick<ReportedCause, 'paths' | 'isChanged'>,
  { run }: Report,
  max = 3,
): string {
  const links = paths.map((path) => {
    const sha256 = createHash('sha256').update(path).digest('hex');
    const url = (isChanged ? comparisonUrl(run, sha256) : undefined) ?? fileAtCommitUrl(run, path);
    return link(url, `<code>${markdown(truncate(path, 200))}</code>`);
  });
  return formatList(links, max);
}

/** The rule, and the headline with a link to the issue in the report page, if the page was uploaded. */
export function issueLink({ id, issue }: ListedIssue, { reportUrl }: Report): string {
  const headline = markdown(truncate(issue.headline || issue.summary, MAX_HEADLINE_LENGTH));
  return `<code>${markdown(truncate(issue.ruleCode, 80))}</code> ${link(reportUrl && `${reportUrl}#at=${id}`, headline)}`;
}

/** "🔴 2 CRITICAL" for each severity with issues. */
export function severityCounts(counts: Readonly<Record<Severity, number>>): readonly string[] {
  return SEVERITIES.filter((severity) => counts[severity] > 0).map(
    (severity) => `${SEVERITY_MARKS[severity]}&nbsp;${count(counts[severity])}&nbsp;${severity}`,
  );
}

export function causeTable(report: Report): string {
  return table({
    columns: ['File', 'What happened'],
    items: report.causes,
    max: MAX_CAUSES,
    cells: (cause) => {
      const number = cause.paths.length > 1 ? `${plural(cause.paths.length, 'file')}: ` : '';
      const files = number + pathLinks(cause, report) + (cause.isChanged === false ? `<br>${UNTOUCHED}` : '');
      return [files || '–', prose(truncate(describeCause(cause), 1_000))];
    },
    noun: 'problem',
  });
}

/**
 * Has a row for each file if one file has more than half of the issues, otherwise a row for each rule.
 *
 * @param listed issues, worst first, so that the rows are in the order of their worst issue
 */
export function issueTable(listed: readonly ListedIssue[], report: Report): string {
  const files = Map.groupBy(listed, ({ content }) => content);
  const isByFile = Math.max(...[...files.values()].map(({ length }) => length)) > listed.length / 2;
  const groups = isByFile ? files : Map.groupBy(listed, ({ issue }) => issue.ruleCode);
  return table({
    columns: [isByFile ? 'File, and its worst issue' : 'Rule, and its worst issue', 'Issues'],
    items: [...groups.values()],
    max: MAX_ROWS,
    cells: (entries) => {
      const worst = entries
        .slice(0, 1)
        .flatMap((entry) => [
          `${SEVERITY_MARKS[entry.issue.severity]}&nbsp;${issueLink(entry, report)}`,
          pathLinks(entry.content, report, 1),
        ]);
      const others = isByFile
        ? plural(new Set(entries.map(({ issue }) => issue.ruleCode)).size, 'rule')
        : plural(countFiles([...new Set(entries.map(({ content }) => content))]), 'file');
      return [(isByFile ? worst.toReversed() : worst).join('<br>'), `<b>${count(entries.length)}</b> in ${others}`];
    },
    noun: isByFile ? 'file' : 'rule',
  });
}

export function fileTable(report: Report): string {
  const isDryRun = report.reason === 'dry-run';
  return table({
    columns: ['File', isDryRun ? 'In a real run' : 'Result'],
    items: report.contents,
    max: MAX_FILES,
    cells: (content) => {
      const details = [describeFile(content), ...(isDryRun ? [] : [provenance(content)])];
      const file = `${pathLinks(content, report)}<br>${markdown(truncate(details.join('; '), 400))}`;
      return [file, markdown(describeResult(content, report))];
    },
    noun: 'row',
  });
}
