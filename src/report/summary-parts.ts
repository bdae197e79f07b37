import { createHash } from 'node:crypto';
import { html, markdown, markdownLines, prose } from '../lib/escape.ts';
import { count, formatList, plural, truncate } from '../lib/format.ts';
import { type Precedent, SEVERITIES, type Severity } from '../service/issue.ts';
import { countFiles, type ListedIssue } from './facts.ts';
import { comparisonUrl, fileAtCommitUrl, link, repositoryPath } from './github-links.ts';
import {
  day,
  describeCause,
  describeEffect,
  describeFile,
  describeResult,
  describeSource,
  describeStatus,
  describeWaiver,
  numberOf,
  SEVERITY_MARKS,
  UNTOUCHED,
  waiversToCopy,
} from './phrases.ts';
import type { Report, ReportedCause } from './report.ts';

/** These limits keep a summary within two screens, however large the run. */
const MAX_CAUSES = 10;
const MAX_ROWS = 6;
const MAX_FILES = 50;
const MAX_PRECEDENTS = 10;
const MAX_TOPICS = 3;
/** A row of a table with a headline of this length takes one line. */
const MAX_CELL_LENGTH = 60;
/** The full report has the whole texts. Texts are cut before they are escaped, so that a huge text takes no time. */
const MAX_LINE_LENGTH = 200;
const MAX_TEXT_LENGTH = 4_000;

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

type Files = Pick<ReportedCause, 'paths' | 'isChanged'>;

/** Links to the first `max` files, or to their diffs if the pull request changes them, and counts the other files. */
export function pathLinks(files: Files | readonly Files[], { run }: Report, max = 3): string {
  const links = [files].flat().flatMap(({ paths, isChanged }) =>
    paths.map((path) => {
      const sha256 = createHash('sha256').update(repositoryPath(run, path)).digest('hex');
      const url = (isChanged ? comparisonUrl(run, sha256) : undefined) ?? fileAtCommitUrl(run, path);
      return link(url, `<code>${markdown(truncate(path, 200))}</code>`);
    }),
  );
  return formatList([...new Set(links)], max);
}

/** The rule, and the headline with a link to the issue in the report page, if the page was uploaded. */
function issueLink({ id, issue }: ListedIssue, { reportUrl }: Report, max = MAX_LINE_LENGTH): string {
  const headline = markdown(truncate(issue.headline || issue.summary, max));
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
 * Says which files were not judged: first those with a cause, then those that were not sent because of them. A file
 * that cannot be sent is in no content, only in a cause.
 */
export function describeUnjudged(report: Report): string {
  const { contents, causes } = report;
  const blamed = new Set(causes.flatMap(({ paths }) => paths));
  const unjudged = contents.filter(({ outcome }) => outcome !== 'judged');
  const { first = [], others = [] } = Object.groupBy(unjudged, ({ paths }) =>
    paths.some((path) => blamed.has(path)) ? 'first' : 'others',
  );
  const named = [...causes.filter(({ reason }) => reason === 'pre-flight'), ...first];
  const isBecause = named.length > 0 && others.length > 0 && causes.every(({ paths }) => paths.length > 0);
  return isBecause && others.every(({ source }) => source === 'not-sent')
    ? `${pathLinks(named, report)}; not sent because of that: ${pathLinks(others, report)}`
    : pathLinks([...named, ...others], report);
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
    columns: [isByFile ? 'File' : 'Rule, and its worst issue', 'Issues'],
    items: [...groups.values()],
    max: MAX_ROWS,
    cells: (entries) => {
      const worst = entries.slice(0, 1).map((entry) => {
        const name = isByFile ? pathLinks(entry.content, report, 1) : issueLink(entry, report, MAX_CELL_LENGTH);
        return `${SEVERITY_MARKS[entry.issue.severity]}&nbsp;${name}`;
      });
      const others = isByFile
        ? plural(new Set(entries.map(({ issue }) => issue.ruleCode)).size, 'rule')
        : plural(countFiles([...new Set(entries.map(({ content }) => content))]), 'file');
      const added = entries.filter(({ issue }) => issue.isNew).length;
      return [...worst, `<b>${count(entries.length)}</b> in ${others}${added > 0 ? `, ${count(added)} new` : ''}`];
    },
    noun: isByFile ? 'file' : 'rule',
  });
}

export function fileTable(report: Report): string {
  const isDryRun = report.reason === 'dry-run';
  return table({
    columns: ['File', 'Kind', isDryRun ? 'In a real run' : 'Result'],
    items: report.contents,
    max: MAX_FILES,
    cells: (content) => {
      const result = [describeResult(content, report), ...(isDryRun ? [] : [describeSource(content)])].join('; ');
      return [pathLinks(content, report, 1), markdown(describeFile(content)), markdown(truncate(result, 400))];
    },
    noun: 'row',
  });
}

/** A fold: its summary line names the issue and the file, its body contains everything else about the issue. */
export function issueDetails(listed: ListedIssue, report: Report, isOpen: boolean): string {
  const { content, issue } = listed;
  const facts = issueFacts(listed, report);
  const parts = [
    `<p>${markdownLines(truncate(issue.summary, MAX_TEXT_LENGTH))}</p>`,
    issue.reasoning
      ? `<p><b>Why ${issue.severity}:</b> ${markdownLines(truncate(issue.reasoning, MAX_TEXT_LENGTH))}</p>`
      : '',
    precedentList(issue.precedents),
    facts.length === 0 ? '' : `<p>${facts.join('<br>')}</p>`,
    waiverFold(listed, report),
  ];
  // The number links to the service, so the number is separate from the headline, which links to the report page.
  const number = numberOf(issue) && ` (${link(issue.url, markdown(numberOf(issue)))})`;
  const isUnknown = issue.severity !== issue.reportedSeverity;
  const reported = isUnknown ? ` (reported as ${markdown(truncate(issue.reportedSeverity, 40))})` : '';
  const severity = `${SEVERITY_MARKS[issue.severity]} <b>${issue.severity}</b>${reported}${issue.isNew ? ' <b>new</b>' : ''}`;
  const name = `${severity} ${issueLink(listed, report)} in ${pathLinks(content, report, 1)}${number}`;
  return `<details${isOpen ? ' open' : ''}><summary>${name}</summary><blockquote>${parts.join('')}</blockquote></details>`;
}

function issueFacts({ content, issue, topics }: ListedIssue, report: Report): readonly string[] {
  const waiver = describeWaiver(issue);
  const status = describeStatus(issue.status);
  // The heading already says whether an active issue stops the check.
  const isSaid = issue.standing === 'active' && issue.isNew === undefined && !report.uncompared;
  const titles = topics.map((title) => markdown(truncate(title, 120)));
  const analysed = content.analysedAt === undefined ? '' : `, analysed on ${escapedDay(content.analysedAt)}`;
  return [
    ...(waiver === '' ? [] : [`<b>Waiver:</b> ${markdown(truncate(waiver, 700))}`]),
    ...(content.lastKnownAt === undefined
      ? []
      : [
          `<b>Last known:</b> the result is from ${escapedDay(content.lastKnownAt)}, because this run could not read it again`,
        ]),
    ...(content.isChanged === false ? [`<b>The file:</b> ${UNTOUCHED}${analysed}`] : []),
    ...(content.paths.length === 1 ? [] : [`<b>Files, all with the same bytes:</b> ${pathLinks(content, report)}`]),
    ...(isSaid ? [] : [`<b>In this gate:</b> ${describeEffect(issue, report)}`]),
    ...(status === 'open' ? [] : [`<b>Status at the service:</b> ${markdown(truncate(status, 80))}`]),
    ...(topics.length === 0 ? [] : [`<b>Topic:</b> ${formatList(titles, MAX_TOPICS)}`]),
  ];
}

function waiverFold(listed: ListedIssue, { waiversFile }: Report): string {
  if (waiversFile === undefined || !listed.issue.failsGate) return '';
  const yaml = html(waiversToCopy([listed]).trimEnd());
  const how = `Add it to \`${waiversFile}\`, and merge that in a pull request of its own.`;
  return `<details><summary>A waiver to copy</summary><pre lang="yaml"><code>${yaml}</code></pre><p>${prose(how)}</p></details>`;
}

function precedentList(all: readonly Precedent[]): string {
  if (all.length === 0) return '';
  const items = all.slice(0, MAX_PRECEDENTS).map((one) => {
    const name = link(one.url, markdown(truncate(one.title || one.url || 'untitled', MAX_LINE_LENGTH)));
    const decision = one.decision ? `: ${markdown(truncate(one.decision, 500))}` : '';
    return `<li>${name}${decision}${one.date ? ` (${escapedDay(one.date)})` : ''}</li>`;
  });
  const hidden = all.length - items.length;
  const more = hidden > 0 ? ` and ${count(hidden)} more` : '';
  return `<p><b>Precedents</b>${more}</p><ul>${items.join('')}</ul>`;
}

function escapedDay(time: string): string {
  return markdown(truncate(day(time), 40));
}
