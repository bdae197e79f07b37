import { markdown, prose } from '../lib/escape.ts';
import { count, plural } from '../lib/format.ts';
import { SEVERITIES } from '../service/issue.ts';
import { Budget, takeWhileFits, truncate } from './budget.ts';
import { link, placesOf, troubleshootingUrl } from './github-links.ts';
import {
  causesTitle,
  consequence,
  cost,
  countFiles,
  hasJudged,
  isWithoutAnalysis,
  resultOf,
  SEVERITY_MARKS,
  stopping,
  tabledCauses,
  threshold,
  title,
  verdictMark,
} from './phrases.ts';
import { type ListedIssue, type Report, worstFirst } from './report.ts';
import { issueDetails } from './summary-issue.ts';
import {
  advice,
  causeTable,
  FILE_TABLE_HEAD,
  fileRow,
  groupByRule,
  RULE_TABLE_HEAD,
  ruleRow,
} from './summary-tables.ts';

/** Over 1 MiB GitHub drops the whole summary. */
const MAX_BYTES = 1_048_576 - 8_192;
/** Counted in bytes, which are never fewer than GitHub's 65,536 characters. */
const MAX_COMMENT_BYTES = 65_536;
/** Section titles, table heads and the notes on what was left out. */
const FRAME_BYTES = 4_096;

/** Two screens, however large the run: above so many issues they are grouped by rule, and the worst are shown. */
const MAX_SINGLE_ISSUES = 20;
const MAX_WORST_ISSUES = 5;
/** So many are easier to read than to unfold. */
const MAX_OPEN_ISSUES = 3;
const MAX_CAUSES = 10;
const MAX_RULES = 12;
const MAX_STEPS = 10;
const MAX_NOTICES = 20;
/** Folded. */
const MAX_FILES = 50;

/** The page of the run: the verdict, what to do and who, and the issues, grouped by rule if there are many. */
export function renderSummary(report: Report, limitBytes: number = MAX_BYTES): string {
  const budget = new Budget(limitBytes - FRAME_BYTES);
  return `${body(report, worstFirst(report), { budget, isComment: false })}\n`;
}

/** The pull-request comment: the summary without files, notices and issues that do not count. */
export function renderComment(report: Report, marker: string): string {
  const head = markerLine(marker);
  const budget = new Budget(MAX_COMMENT_BYTES - FRAME_BYTES);
  budget.take(head);
  const active = worstFirst(report).filter(({ issue }) => issue.standing === 'active');
  return `${head}\n\n${body(report, active, { budget, isComment: true })}`;
}

/** A later run finds the comment by this line. Nothing in a marker can end the HTML comment. */
export function markerLine(marker: string): string {
  return `<!-- ${marker.replace(/[^\w:./@ ]/gu, '-').replace(/-{2,}/g, '-')} -->`;
}

interface Frame {
  readonly budget: Budget;
  readonly isComment: boolean;
}

/** What has no room is left out and counted. The parts that a reader needs most take their room first. */
function body(report: Report, listed: readonly ListedIssue[], { budget, isComment }: Frame): string {
  const { run } = report;
  const fit = (text: string): string => (text !== '' && budget.take(text) ? text : '');
  const table = <T>({ head, items, max, row, noun }: Table<T>): string => {
    const rows = takeWhileFits(items.slice(0, max), budget, row);
    return rows.length === 0 ? '' : [head, ...rows, ...more(items.length - rows.length, noun)].join('\n');
  };
  const head = [heading(report), meaning(report), facts(report)].map(fit);
  const foot = fit(footer(report));
  const steps = fit(stepList(report));
  const causes = tabledCauses(report);
  const { head: causeHead, row: causeRow } = causeTable(causes, run);
  const causeRows = table({ head: causeHead, items: causes, max: MAX_CAUSES, row: causeRow, noun: 'problem' });
  const isLarge = listed.length > MAX_SINGLE_ISSUES;
  const rules = table({
    head: RULE_TABLE_HEAD,
    items: isLarge ? groupByRule(listed) : [],
    max: MAX_RULES,
    row: (group) => ruleRow(group, run),
    noun: 'rule',
  });
  const chosen = listed.slice(0, isLarge ? MAX_WORST_ISSUES : MAX_SINGLE_ISSUES);
  const isOpen = !isComment && listed.length <= MAX_OPEN_ISSUES;
  const issues = takeWhileFits(chosen, budget, (entry) => issueDetails(entry, run, isOpen && entry.issue.failsGate));
  const files = isComment
    ? ''
    : fileList(report, (items) =>
        table({ head: FILE_TABLE_HEAD, items, max: MAX_FILES, row: (asset) => fileRow(asset, report), noun: 'row' }),
      );
  return [
    ...head,
    steps,
    section(causesTitle(report), causeRows),
    section('Issues by rule, worst first', rules),
    ...issueSections(chosen.slice(0, issues.length), issues, isLarge),
    issues.length < listed.length ? fit(everyIssue(report, listed.length)) : '',
    files,
    isComment ? '' : fit(noticeList(report)),
    '---',
    foot,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

interface Table<T> {
  readonly head: string;
  readonly items: readonly T[];
  readonly max: number;
  readonly row: (item: T) => string;
  readonly noun: string;
}

function more(hidden: number, noun: string): readonly string[] {
  return hidden > 0 ? ['', `and ${plural(hidden, `more ${noun}`)} in <code>report.html</code>`] : [];
}

function section(name: string, text: string): string {
  return text === '' ? '' : `### ${name}\n\n${text}`;
}

/** The verdict and why, and a link to the page that shows everything. */
function heading(report: Report): string {
  const { reportUrl } = report;
  const open = reportUrl === undefined ? '' : `\n\n<b>${link(reportUrl, 'Open the report')}</b>`;
  return `## ${verdictMark(report)} ${prose(truncate(title(report), 400))}${open}`;
}

function meaning(report: Report): string {
  const rule = hasJudged(report) ? ` ${threshold(report)}` : '';
  const memory = report.lastKnown ? `\n\n⚠️ ${prose(truncate(report.lastKnown.message, 1_000))}` : '';
  return `**${prose(consequence(report))}**${rule}${memory}`;
}

/** What was checked and what counts, for a reader who stops here. */
function facts(report: Report): string {
  const { assets, counts } = report;
  if (counts.filesMatched === 0) return '';
  const unjudged = counts.filesMatched - countFiles(assets.filter(({ outcome }) => outcome === 'judged'));
  const severities = SEVERITIES.filter((severity) => counts.bySeverity[severity] > 0).map(
    (severity) => `${SEVERITY_MARKS[severity]}&nbsp;${count(counts.bySeverity[severity])}&nbsp;${severity}`,
  );
  return [
    `**${plural(counts.filesMatched, 'file')}** matched`,
    ...(hasJudged(report) && unjudged > 0 ? [`${count(unjudged)} not judged`] : []),
    ...severities,
    ...(counts.failing > 0 ? [`**${stopping(counts.failing)}**`] : []),
    ...(hasJudged(report) && counts.issues === 0 && unjudged === 0 ? ['no active issues'] : []),
    ...notCounted(report),
  ].join(' · ');
}

function notCounted({ counts }: Report): readonly string[] {
  const parts = [
    counts.known > 0 ? `${count(counts.known)} known from the base branch` : '',
    counts.waived > 0 ? `${count(counts.waived)} waived` : '',
    counts.ignored > 0 ? `${count(counts.ignored)} closed at the service` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? [] : [`not counted: ${parts.join(', ')}`];
}

function stepList(report: Report): string {
  if (report.nextSteps.length === 0) return '';
  const shown = report.nextSteps.slice(0, MAX_STEPS).map((step) => advice(step, report.run));
  const hidden = report.nextSteps.length - shown.length;
  if (hidden > 0) shown.push(`and ${plural(hidden, 'more step')}`);
  const url = troubleshootingUrl(report);
  const help =
    url === undefined ? '' : `\n\nMore about <code>${report.reason}</code>: ${link(url, 'troubleshooting')}.`;
  return section('What to do now', shown.map((step, index) => `${index + 1}. ${step}`).join('\n') + help);
}

/** Sections for the issues that are shown one by one. */
function issueSections(entries: readonly ListedIssue[], texts: readonly string[], isLarge: boolean): readonly string[] {
  if (isLarge) return [section('The worst issues', texts.join('\n'))];
  const pick = (wanted: (entry: ListedIssue) => boolean): string =>
    entries.flatMap((entry, index) => (wanted(entry) ? (texts[index] ?? []) : [])).join('\n');
  return [
    section(
      'Issues that stop the check, worst first',
      pick(({ issue }) => issue.failsGate),
    ),
    section(
      'Active issues that do not stop the check',
      pick(({ issue }) => !issue.failsGate && issue.standing === 'active'),
    ),
    section(
      'Issues that do not count',
      pick(({ issue }) => issue.standing !== 'active'),
    ),
  ];
}

function everyIssue({ fullReport, reportUrl }: Report, issues: number): string {
  const place = reportUrl !== undefined || fullReport === undefined ? '' : ` (${markdown(truncate(fullReport, 300))})`;
  return `**All ${plural(issues, 'issue')}** are in ${link(reportUrl, '<code>report.html</code>')}${place}, which can be searched and filtered.`;
}

/** Folded, since the issues and problems above name the files that matter. */
function fileList(report: Report, tableOf: (assets: Report['assets']) => string): string {
  // If nothing was sent at all, a list of all files would say nothing more.
  if (isWithoutAnalysis(report)) return '';
  const results = Map.groupBy(report.assets, (asset) => resultOf(asset, report.mode).toLowerCase());
  const counted = [...results].map(([result, assets]) => `${count(countFiles(assets))} ${result}`);
  const text = tableOf(report.assets);
  if (text === '') return '';
  return `<details><summary>Files: ${counted.join(', ')}</summary>\n\n${text}\n\n</details>`;
}

function noticeList({ notices }: Report): string {
  const shown = notices.slice(0, MAX_NOTICES).map((notice) => `- ${prose(truncate(notice, 600))}`);
  const hidden = notices.length - shown.length;
  return section('Also good to know', [...shown, ...(hidden > 0 ? [`- and ${count(hidden)} more`] : [])].join('\n'));
}

function footer(report: Report): string {
  const { run, submission, fullReport, reportUrl } = report;
  const details = [
    ...placesOf(report).map(([text, url]) => link(url, markdown(truncate(text, 100)))),
    submission.id && `submission ${markdown(truncate(submission.id, 80))} ${markdown(truncate(submission.status, 40))}`,
    submission.workflowId && `workflow ${markdown(truncate(submission.workflowId, 80))}`,
    run.url && link(run.url, 'this run'),
    reportUrl === undefined && fullReport && `full report: ${markdown(truncate(fullReport, 300))}`,
  ].filter(Boolean);
  return `**What it cost:** ${[`${cost(report)}.`, ...paid(report)].join(' ')}\n\n${details.join(' · ')}`;
}

function paid(report: Report): readonly string[] {
  if (isWithoutAnalysis(report)) return [];
  if (report.mode === 'sandbox') return ['A sandbox key costs no credits.'];
  return [report.counts.filesSubmitted === 0 ? 'This run cost nothing.' : 'Only what is sent costs credits.'];
}
