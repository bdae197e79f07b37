import { html, markdown, markdownLines, prose } from '../lib/escape.ts';
import { count, formatList, plural, truncate } from '../lib/format.ts';
import { isJudged } from '../service/analysis.ts';
import type { Precedent, Severity } from '../service/issue.ts';
import {
  day,
  describeContent,
  describeHandover,
  describeIssue,
  fileAtCommitUrl,
  headlineOf,
  link,
  NOBODY_LOOKED,
  nameActor,
  runLinks,
  signOf,
  title,
  UNTOUCHED,
  waiversToCopy,
} from './phrases.ts';
import {
  countFiles,
  formatSeverities,
  inReportOrder,
  issuesWith,
  type ListedIssue,
  problemsOf,
  type Report,
  type ReportedContent,
  type ReportedIssue,
} from './report.ts';

/** GitHub drops the whole summary if it has more than 1 MiB. */
const MAX_BYTES = 1_048_576 - 8_192;
/** GitHub allows 65,536 characters. A text never has fewer bytes than characters, so bytes are a safe measure. */
const MAX_COMMENT_BYTES = 65_536;

/** These limits keep a summary within two screens, however large the run. */
const MAX_STOPPING_FILES = 15;
const MAX_ISSUES = 3;
const MAX_STEPS = 5;
const MAX_ROWS = 10;
/** A row of the table with a text of this length takes two lines at most. */
const MAX_CELL_LENGTH = 60;
/** The list of files is folded. */
const MAX_FILES = 50;

const SEVERITY_MARKS: Readonly<Record<Severity, string>> = { CRITICAL: '🔴', MAJOR: '🟠', MINOR: '🟡', INFO: '🔵' };

/** Renders the job summary: the comment's text, then notices and all files. */
export function renderSummary(report: Report): string {
  return `${fitInto(MAX_BYTES, [...mainParts(report), noticeList(report), fileList(report)], report)}\n`;
}

/** Renders the pull-request comment, which begins with the marker. */
export function renderComment(report: Report, marker: string): string {
  return fitInto(MAX_COMMENT_BYTES, [marker, ...mainParts(report)], report);
}

const CUT = 'There is no room for more here. <code>report.html</code> has everything.';

/** Joins the parts that are not empty, and the receipt. If that is too long, the last parts are left out. */
function fitInto(maxBytes: number, parts: readonly string[], report: Report): string {
  const wanted = parts.filter((part) => part !== '');
  const first = (number: number): string => {
    const cut = number < wanted.length ? [CUT] : [];
    return [...wanted.slice(0, number), ...cut, '---', receipt(report)].join('\n\n');
  };
  let number = wanted.length;
  while (number > 0 && Buffer.byteLength(first(number)) > maxBytes) number--;
  return first(number);
}

function mainParts(report: Report): readonly string[] {
  const stops = issuesWith('Stops the check', report);
  return [
    `## ${signOf(report).mark} ${sentence(title(report), 400)}`,
    [prose(report.consequence), openReport(report)].filter(Boolean).join(' · '),
    stoppingFiles(report),
    stepList(report),
    ...stops.slice(0, MAX_ISSUES).map((listed) => issueDetails(listed, report)),
    uncheckedFiles(report),
    otherIssues(report),
  ];
}

/** No link to a page that lists nothing. */
function openReport(report: Report): string {
  const { reportUrl } = report;
  const isEmpty = report.contents.length === 0 && problemsOf(report).length === 0;
  return reportUrl === undefined || isEmpty ? '' : `<b>${link(reportUrl, 'Open the report')}</b>`;
}

/** A row in the table of what stops the check. It has no path if it is about the run as a whole. */
interface StoppingFile extends Pick<ReportedContent, 'isChanged'> {
  readonly paths: readonly string[];
  readonly analysedAt?: string | undefined;
  readonly what: string;
  /** Worst first. */
  readonly issues: readonly ReportedIssue[];
}

/** The files with an issue that stops the check, and those that could not be judged. The author's own come first. */
function stoppingFiles(report: Report): string {
  const explained = inReportOrder([...filesWithIssues(report), ...problems(report)], ({ isChanged, paths, issues }) => {
    return { isChanged, issue: issues[0], path: paths[0] };
  });
  const files = [...explained, ...unexplainedFiles(report)];
  const rows = files.slice(0, MAX_STOPPING_FILES).map((file) => {
    const { analysedAt, what, issues } = file;
    const analysed = analysedAt === undefined ? '' : `, analysed ${line(day(analysedAt))}`;
    const note = file.isChanged === false ? `<br><sub>${UNTOUCHED}${analysed}</sub>` : '';
    return [
      pathLinks(file.paths, report) || 'the whole run',
      what + note,
      issues.length === 0 ? '–' : count(issues.length),
    ];
  });
  const what = report.isPassing ? 'What happened' : 'What stops the check';
  return withRest(table(['File', what, 'Issues'], rows), files.length - rows.length);
}

function filesWithIssues(report: Report): readonly StoppingFile[] {
  const groups = Map.groupBy(issuesWith('Stops the check', report), ({ content }) => content);
  return Array.from(groups, ([content, listed]) => {
    const issues = listed.map(({ issue }) => issue);
    const worst = issues.slice(0, 1).map((one) => `${nameSeverity(one)}: ${line(headlineOf(one), MAX_CELL_LENGTH)}`);
    return { ...content, what: worst.join(''), issues };
  });
}

/** The problems, without what the headline says already. */
function problems(report: Report): readonly StoppingFile[] {
  const causes = problemsOf(report);
  const isAlone = report.verdict !== 'fail' && causes.length === 1;
  return causes.flatMap(({ path, isChanged, message, detail }) => {
    const what = [isAlone && path === undefined ? '' : message, detail].filter(Boolean).join(' ');
    const paths = path === undefined ? [] : [path];
    return what === '' ? [] : [{ paths, isChanged, what: sentence(what), issues: [] }];
  });
}

/** The files that another problem kept from being judged. In a run that was skipped, nobody expects a verdict. */
function unexplainedFiles({ verdict, causes, contents }: Report): readonly StoppingFile[] {
  const explained = new Set(causes.map(({ path }) => path));
  return contents
    .filter(
      (content) => verdict !== 'skipped' && !isJudged(content) && !content.paths.some((path) => explained.has(path)),
    )
    .map(({ paths, isChanged }) => ({ paths, isChanged, what: 'Not judged', issues: [] }));
}

function stepList(report: Report): string {
  const { nextSteps, contact, run } = report;
  if (nextSteps.length === 0) return '';
  const handover = describeHandover(report);
  const items = nextSteps.slice(0, MAX_STEPS).map((step) => {
    const text = sentence(step.text);
    return `- **${nameActor(step)}:** ${step.actor === 'anyone' ? link(run.url, text) : text}`;
  });
  const parts = [
    handover && link(run.url, prose(handover)),
    withRest(items.join('\n'), nextSteps.length - items.length),
    contact && `Questions: ${link(contact, line(contact))}`,
  ];
  return section('What to do', parts.filter(Boolean).join('\n\n'));
}

function nameSeverity({ severity, isNew }: ReportedIssue): string {
  return `${SEVERITY_MARKS[severity]} <b>${severity}</b>${isNew ? ' <b>new</b>' : ''}`;
}

/** An issue, unfolded. Its summary line names the issue and the files. */
function issueDetails(listed: ListedIssue, report: Report): string {
  const { id, content, issue } = listed;
  const { number, waiver } = describeIssue(issue);
  const { waiversFile, reportUrl } = report;
  const entry = html(waiversToCopy(listed).trimEnd());
  const texts = [
    issue.headline && paragraph(issue.summary),
    issue.reasoning && paragraph(issue.reasoning),
    waiversFile && `<b>Not waived:</b> ${prose(waiver || `\`${waiversFile}\` has no entry for it.`)}`,
  ];
  const parts = [
    `<p>${texts.filter(Boolean).join('<br>')}</p>`,
    precedentList(issue.precedents),
    waiversFile && `<details><summary>An entry to copy</summary><pre lang="yaml"><code>${entry}</code></pre></details>`,
  ];
  // The number links to the service, so it is separate from the headline, which links to the report page.
  const atService = link(issue.url, markdown(number) || (issue.url ? 'at the service' : ''));
  const rule = `<code>${line(issue.ruleCode, 80)}</code>`;
  const headline = link(reportUrl && `${reportUrl}#at=${id}`, line(headlineOf(issue)));
  const name = [nameSeverity(issue), atService, rule, headline, `in ${pathLinks(content.paths, report)}`];
  return `<details open><summary>${name.filter(Boolean).join(' ')}</summary><blockquote>${parts.filter(Boolean).join('')}</blockquote></details>`;
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

function uncheckedFiles(report: Report): string {
  const { unchecked: paths } = report;
  if (paths.length === 0) return '';
  const list = pathLinks(paths, report, MAX_ROWS);
  return section(`Not checked (${count(paths.length)})`, `${NOBODY_LOOKED} ${list}`);
}

/** One line with the number of all issues that are not shown above. */
function otherIssues(report: Report): string {
  const stops = issuesWith('Stops the check', report).length;
  const others = formatSeverities(issuesWith('Counts', report).map(({ issue }) => issue));
  const uncounted = issuesWith('Does not count', report).length;
  const parts = [
    stops > MAX_ISSUES && `${count(stops - MAX_ISSUES)} more stop the check`,
    others.length > 0 && `${others.join(', ')} do not stop it`,
    uncounted > 0 && `${count(uncounted)} do not count`,
  ].filter(Boolean);
  return parts.length === 0 ? '' : `**${stops > 0 ? 'Other issues' : 'Issues'}:** ${parts.join(' · ')}`;
}

function noticeList({ notices }: Report): string {
  const shown = notices.slice(0, MAX_ROWS).map((notice) => `- ${sentence(notice)}`);
  return section('Also good to know', withRest(shown.join('\n'), notices.length - shown.length));
}

/** Folded, because the issues and problems above name the files that matter. */
function fileList(report: Report): string {
  const { contents } = report;
  const rows = contents.slice(0, MAX_FILES).map((content) => {
    const { kind, origin, result } = describeContent(content, report);
    return [pathLinks(content.paths, report), line(kind), line(result === origin ? origin : `${result}; ${origin}`)];
  });
  const list = withRest(table(['File', 'Kind', 'Result'], rows), contents.length - rows.length);
  return folded(`Files: ${count(countFiles(contents))}`, list);
}

function receipt(report: Report): string {
  const { counts, cost, verdict } = report;
  const facts = [`${plural(counts.filesMatched, 'file')} matched`, prose(cost), `verdict ${verdict}`];
  const links = runLinks(report).map(([text, url]) => link(url, line(text)));
  return [...facts, ...links].join(' · ');
}

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
function folded(name: string, text: string): string {
  return text === '' ? '' : `<details><summary>${name}</summary>\n\n${text}\n\n</details>`;
}

function section(name: string, text: string): string {
  return text === '' ? '' : `### ${name}\n\n${text}`;
}

/** Adds a line that counts what is left out, if anything is. */
function withRest(text: string, hidden: number): string {
  return hidden > 0 ? `${text}\n\nand ${count(hidden)} more in <code>report.html</code>` : text;
}

/** Returns an empty text if there are no rows. */
function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return [columns, columns.map(() => ':--'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Links to the first `max` files, and counts the other files. */
function pathLinks(paths: readonly string[], { run }: Report, max = 3): string {
  const links = paths.slice(0, max).map((path) => link(fileAtCommitUrl(run, path), `<code>${line(path)}</code>`));
  return formatList([...links, ...paths.slice(max)], max);
}
