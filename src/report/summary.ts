import { createHash } from 'node:crypto';
import type { Step } from '../causes/cause.ts';
import { html, markdown, markdownLines, prose } from '../lib/escape.ts';
import { count, formatList, plural, truncate } from '../lib/format.ts';
import type { Precedent, Severity } from '../service/issue.ts';
import { countFiles, issuesByEffect, type ListedIssue, occurring } from './facts.ts';
import { comparisonUrl, fileAtCommitUrl, helpLinks, link, repositoryPath, runLinks } from './links.ts';
import {
  day,
  describeCause,
  describeContent,
  describeIssue,
  describeNew,
  describeStopping,
  describeUncounted,
  isForOthers,
  NOT_SELECTED,
  NOT_YOURS,
  nameActor,
  signOf,
  title,
  UNTOUCHED,
  waiversToCopy,
} from './phrases.ts';
import type { Report, ReportedCause } from './report.ts';
import { checkUnchecked } from './steps.ts';

/** GitHub drops the whole summary if it has more than 1 MiB. */
const MAX_BYTES = 1_048_576 - 8_192;
/** GitHub allows 65,536 characters. A text never has fewer bytes than characters, so bytes are a safe measure. */
const MAX_COMMENT_BYTES = 65_536;

/** These limits keep a summary within two screens, however large the run. A longer list of issues becomes a table. */
const MAX_LISTED = 5;
/** How many issues that stop the check are unfolded. Below a table, only the first is. */
const MAX_OPEN = 3;
const MAX_STEPS = 5;
const MAX_ROWS = 10;
/** How many rules or files a table of issues has. */
const MAX_GROUPS = 6;
/** A row of a table with a headline of this length takes one line. */
const MAX_CELL_LENGTH = 60;
/** The list of files is folded. */
const MAX_FILES = 50;

const SEVERITY_MARKS: Readonly<Record<Severity, string>> = { CRITICAL: '🔴', MAJOR: '🟠', MINOR: '🟡', INFO: '🔵' };

/** Renders the job summary: the verdict, the next steps, and the issues, which become a table if there are many. */
export function renderSummary(report: Report): string {
  const parts = [...mainParts(report), noticeList(report), fileList(report)];
  return `${fitInto(MAX_BYTES, parts, report)}\n`;
}

/** Renders the pull-request comment: the marker, then the summary without notices and files. */
export function renderComment(report: Report, marker: string): string {
  return fitInto(MAX_COMMENT_BYTES, [marker, ...mainParts(report)], report);
}

const CUT = 'There is no room for more here. <code>report.html</code> has everything.';

/** Joins the parts that are not empty, and the footer. If that is too long, the last parts are left out. */
function fitInto(maxBytes: number, parts: readonly string[], report: Report): string {
  const wanted = parts.filter((part) => part !== '');
  const first = (number: number): string => {
    const cut = number < wanted.length ? [CUT] : [];
    return [...wanted.slice(0, number), ...cut, '---', footer(report)].join('\n\n');
  };
  let number = wanted.length;
  while (number > 0 && Buffer.byteLength(first(number)) > maxBytes) number--;
  return first(number);
}

function mainParts(report: Report): readonly string[] {
  const { verdict, causes } = report;
  const { stops, others } = issuesByEffect(report);
  // Headline and steps already say everything about a single cause without details.
  const problems = causes.filter(({ reason }) => reason !== 'dry-run');
  const isSaid = verdict !== 'fail' && problems.length < 2 && problems.every(({ detail }) => detail === undefined);
  return [
    heading(report),
    runFacts(report),
    stepList(report),
    isSaid ? '' : section('Not judged', causeTable(report)),
    ...issueList('Stops the check', report, stops, stops.length > MAX_LISTED ? 1 : MAX_OPEN),
    uncheckedList(report),
    ...issueList('Does not stop it', report, others, 0),
  ];
}

/** Shows each issue with its details, the first `maxOpen` unfolded. If there are many, a table stands for all others. */
function issueList(name: string, report: Report, listed: readonly ListedIssue[], maxOpen: number): readonly string[] {
  if (listed.length === 0) return [];
  const title = `### ${name} (${count(listed.length)})`;
  const details = listed.slice(0, MAX_LISTED).map((entry, at) => issueDetails(entry, report, at < maxOpen));
  if (listed.length <= MAX_LISTED) return [title, ...details];
  const all = `**All ${count(listed.length)}** are in ${link(report.reportUrl, '<code>report.html</code>')}, which can be searched and filtered.`;
  const table = `${issueTable(listed, report)}\n\n${all}`;
  // Beside issues that stop the check, a table of others would only push what matters off the screen.
  const isFolded = maxOpen === 0 && report.counts.failing > 0;
  return [title, isFolded ? fold(`All ${count(listed.length)}`, table) : table, ...details.slice(0, maxOpen)];
}

function heading(report: Report): string {
  const { reportUrl, lastKnown } = report;
  const open = reportUrl === undefined ? [] : [`<b>${link(reportUrl, 'Open the report')}</b>`];
  const memory = lastKnown === undefined ? [] : [`⚠️ ${sentence(lastKnown)}`];
  const verdict = `## ${signOf(report).mark} ${sentence(title(report), 400)}`;
  return [verdict, ...open, `**${prose(report.consequence)}**`, ...memory].join('\n\n');
}

function runFacts(report: Report): string {
  const { counts } = report;
  const { bySeverity } = counts;
  if (counts.filesMatched === 0) return '';
  const blamed = pathLinks(report.causes, report);
  return [
    `**${plural(counts.filesMatched, 'file')}** matched`,
    counts.filesUnjudged > 0 &&
      report.verdict !== 'skipped' &&
      `${count(counts.filesUnjudged)} not judged${blamed && ` because of ${blamed}`}`,
    ...occurring(bySeverity).map((one) => `${SEVERITY_MARKS[one]}&nbsp;${count(bySeverity[one])}&nbsp;${one}`),
    counts.failing > 0 && `**${describeStopping(counts.failing)}**`,
    describeNew(report) && `**${prose(describeNew(report))}**`,
    describeUncounted(report),
  ]
    .filter(Boolean)
    .join(' · ');
}

function stepList(report: Report): string {
  const { nextSteps, contact } = report;
  if (nextSteps.length === 0) return '';
  const items = nextSteps.slice(0, MAX_STEPS).map((step) => `- ${stepItem(step, report)}`);
  const ways = helpLinks(report).map(([intro, text, url]) => `${intro} ${link(url, text)}`);
  const parts = [
    isForOthers(report) ? link(report.run.url, prose(NOT_YOURS)) : '',
    withRest(items.join('\n'), nextSteps.length - items.length, 'step'),
    contact === undefined ? '' : `Questions: ${link(contact, line(contact))}`,
    ways.join(' · '),
  ];
  return section('What to do now', parts.filter(Boolean).join('\n\n'));
}

function stepItem(step: Step, { run }: Report): string {
  const text = sentence(step.text);
  return `**${nameActor(step)}:** ${step.actor === 'anyone' ? link(run.url, text) : text}`;
}

/** Media that the input `files` does not select. On a pass, the steps already say how to add them. */
function uncheckedList(report: Report): string {
  const { unchecked, verdict } = report;
  if (unchecked.length === 0) return '';
  const files = pathLinks({ paths: unchecked, isChanged: undefined }, report, MAX_ROWS);
  const steps = verdict === 'pass' ? [] : checkUnchecked(unchecked).map((step) => `\n\n- ${stepItem(step, report)}`);
  return section(`Not checked (${count(unchecked.length)})`, `${prose(NOT_SELECTED)} ${files}${steps.join('')}`);
}

/** Folded after a real run: the issues and problems above name the files that matter. */
function fileList(report: Report): string {
  if (report.reason === 'dry-run') return section('What a real run would do', fileTable(report));
  return report.contents.length === 0 ? '' : fold(`Files: ${count(countFiles(report.contents))}`, fileTable(report));
}

function noticeList({ notices }: Report): string {
  const shown = notices.slice(0, MAX_ROWS).map((notice) => `- ${sentence(notice)}`);
  return section('Also good to know', withRest(shown.join('\n'), notices.length - shown.length, 'notice'));
}

function footer(report: Report): string {
  const details = runLinks(report).map(([text, url]) => link(url, line(text)));
  return `**${report.mode === 'sandbox' ? 'Sandbox' : 'What it cost'}:** ${prose(report.cost)}.\n\n${details.join(' · ')}`;
}

/** The rule, and the headline with a link to the issue in the report page, if the page was uploaded. */
function issueLink({ id, issue }: ListedIssue, { reportUrl }: Report, max?: number): string {
  const headline = line(issue.headline || issue.summary, max);
  return `<code>${line(issue.ruleCode, 80)}</code> ${link(reportUrl && `${reportUrl}#at=${id}`, headline)}`;
}

function causeTable(report: Report): string {
  return table({
    columns: ['File', 'What happened'],
    items: report.causes,
    max: MAX_ROWS,
    cells: (cause) => {
      const number = cause.paths.length > 1 ? `${plural(cause.paths.length, 'file')}: ` : '';
      const files = number + pathLinks(cause, report) + (cause.isChanged === false ? `<br>${UNTOUCHED}` : '');
      return [files || '–', sentence(describeCause(cause))];
    },
    noun: 'problem',
  });
}

/**
 * Has a row for each file if one file has more than half of the issues, otherwise a row for each rule.
 *
 * @param listed issues, worst first, so that the rows are in the order of their worst issue
 */
function issueTable(listed: readonly ListedIssue[], report: Report): string {
  const files = Map.groupBy(listed, ({ content }) => content);
  const isByFile = Math.max(...[...files.values()].map(({ length }) => length)) > listed.length / 2;
  const groups = isByFile ? files : Map.groupBy(listed, ({ issue }) => issue.ruleCode);
  return table({
    columns: [isByFile ? 'File' : 'Rule, and its worst issue', 'Issues'],
    items: [...groups.values()],
    max: MAX_GROUPS,
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

function fileTable(report: Report): string {
  const isDryRun = report.reason === 'dry-run';
  return table({
    columns: ['File', 'Kind', isDryRun ? 'In a real run' : 'Result'],
    items: report.contents,
    max: MAX_FILES,
    cells: (content) => {
      const { kind, origin, result } = describeContent(content, report);
      return [pathLinks(content, report, 1), line(kind), line(isDryRun ? result : `${result}; ${origin}`)];
    },
    noun: 'row',
  });
}

/** A fold: its summary line names the issue and the file, its body contains everything else about the issue. */
function issueDetails(listed: ListedIssue, report: Report, isOpen: boolean): string {
  const { content, issue } = listed;
  const facts = issueFacts(listed, report);
  const parts = [
    `<p>${paragraph(issue.summary)}</p>`,
    issue.reasoning ? `<p><b>Why ${issue.severity}:</b> ${paragraph(issue.reasoning)}</p>` : '',
    precedentList(issue.precedents),
    facts.length === 0 ? '' : `<p>${facts.join('<br>')}</p>`,
    waiverFold(listed, report),
  ];
  // The number links to the service, so the number is separate from the headline, which links to the report page.
  const { number } = describeIssue(issue, report);
  const numberLink = number && ` (${link(issue.url, markdown(number))})`;
  const isUnknown = issue.severity !== issue.reportedSeverity;
  const reported = isUnknown ? ` (reported as ${line(issue.reportedSeverity)})` : '';
  const severity = `${SEVERITY_MARKS[issue.severity]} <b>${issue.severity}</b>${reported}${issue.isNew ? ' <b>new</b>' : ''}`;
  const name = `${severity} ${issueLink(listed, report)} in ${pathLinks(content, report, 1)}${numberLink}`;
  return `<details${isOpen ? ' open' : ''}><summary>${name}</summary><blockquote>${parts.join('')}</blockquote></details>`;
}

function issueFacts({ content, issue, topics }: ListedIssue, report: Report): readonly string[] {
  const { waiver, status, effect } = describeIssue(issue, report);
  // The heading already says whether an active issue stops the check.
  const isSaid = issue.standing === 'active' && issue.isNew === undefined;
  const titles = topics.map((title) => line(title));
  const analysed = content.analysedAt === undefined ? '' : `, analysed on ${line(day(content.analysedAt))}`;
  return [
    waiver !== '' && `<b>Waiver:</b> ${sentence(waiver)}`,
    content.lastKnownAt !== undefined &&
      `<b>Last known:</b> the result is from ${line(day(content.lastKnownAt))}, because this run could not read it again`,
    content.isChanged === false && `<b>The file:</b> ${UNTOUCHED}${analysed}`,
    content.paths.length > 1 && `<b>Files, all with the same bytes:</b> ${pathLinks(content, report)}`,
    !isSaid && `<b>In this gate:</b> ${effect}`,
    status !== 'open' && `<b>Status at the service:</b> ${line(status)}`,
    topics.length > 0 && `<b>Topic:</b> ${formatList(titles)}`,
  ].filter((fact) => fact !== false);
}

function waiverFold(listed: ListedIssue, { waiversFile }: Report): string {
  if (waiversFile === undefined || !listed.issue.failsGate) return '';
  const yaml = html(waiversToCopy([listed]).trimEnd());
  const how = `Add it to \`${waiversFile}\`, and merge that in a pull request of its own.`;
  return `<details><summary>A waiver to copy</summary><pre lang="yaml"><code>${yaml}</code></pre><p>${prose(how)}</p></details>`;
}

function precedentList(all: readonly Precedent[]): string {
  if (all.length === 0) return '';
  const items = all.slice(0, MAX_ROWS).map((one) => {
    const name = link(one.url, line(one.title || one.url || 'untitled'));
    const decision = one.decision ? `: ${line(one.decision, 500)}` : '';
    return `<li>${name}${decision}${one.date ? ` (${line(day(one.date))})` : ''}</li>`;
  });
  const hidden = all.length - items.length;
  const more = hidden > 0 ? ` and ${count(hidden)} more` : '';
  return `<p><b>Precedents</b>${more}</p><ul>${items.join('')}</ul>`;
}

/** The building blocks of summary and comment, in GitHub's Markdown. */

/**
 * Texts from outside are cut to a line, a sentence of ours that quotes them, or a paragraph, because the full report has
 * them whole. They are cut before they are escaped, so that a huge text takes no time.
 */
function line(text: string, max = 200): string {
  return markdown(truncate(text, max));
}

function sentence(text: string, max = 1_000): string {
  return prose(truncate(text, max));
}

function paragraph(text: string): string {
  return markdownLines(truncate(text, 4_000));
}

/** GitHub renders Markdown inside `details` only between empty lines. */
function fold(name: string, text: string): string {
  return `<details><summary>${name}</summary>\n\n${text}\n\n</details>`;
}

function section(name: string, text: string): string {
  return text === '' ? '' : `### ${name}\n\n${text}`;
}

/** Adds a line that counts what is left out, if anything is. */
function withRest(text: string, hidden: number, noun: string): string {
  return hidden > 0 ? `${text}\n\nand ${plural(hidden, `more ${noun}`)} in <code>report.html</code>` : text;
}

interface Table<T> {
  readonly columns: readonly string[];
  readonly items: readonly T[];
  readonly max: number;
  readonly cells: (item: T) => readonly string[];
  readonly noun: string;
}

/** Returns an empty text if there are no items. */
function table<T>({ columns, items, max, cells, noun }: Table<T>): string {
  if (items.length === 0) return '';
  const rows = [columns, columns.map(() => ':--'), ...items.slice(0, max).map(cells)];
  const lines = rows.map((row) => `| ${row.join(' | ')} |`);
  return withRest(lines.join('\n'), items.length - max, noun);
}

type Files = Pick<ReportedCause, 'paths' | 'isChanged'>;

/** Links to the first `max` files, or to their diffs if the pull request changes them, and counts the other files. */
function pathLinks(files: Files | readonly Files[], { run }: Report, max = 3): string {
  const links = [files].flat().flatMap(({ paths, isChanged }) =>
    paths.map((path) => {
      const sha256 = createHash('sha256').update(repositoryPath(run, path)).digest('hex');
      const url = (isChanged ? comparisonUrl(run, sha256) : undefined) ?? fileAtCommitUrl(run, path);
      return link(url, `<code>${line(path)}</code>`);
    }),
  );
  return formatList([...new Set(links)], max);
}
