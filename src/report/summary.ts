import { markdown, prose } from '../lib/escape.ts';
import { count, plural } from '../lib/format.ts';
import { SEVERITIES } from '../service/issue.ts';
import { takeWhileFits, truncate } from './budget.ts';
import { link, placesOf, troubleshootingUrl } from './github-links.ts';
import {
  actorName,
  consequence,
  cost,
  countFiles,
  hasJudged,
  isWithoutAnalysis,
  resultOf,
  SEVERITY_MARKS,
  stopping,
  title,
  verdictMark,
} from './phrases.ts';
import { type Report, worstFirst } from './report.ts';
import { issueDetails } from './summary-issue.ts';
import { causeTable, fileTable, ruleTable } from './summary-tables.ts';

/** Over 1 MiB GitHub drops the whole summary. */
const MAX_BYTES = 1_048_576 - 8_192;
/** Counted in bytes, which are never fewer than GitHub's 65,536 characters. */
const MAX_COMMENT_BYTES = 65_536;

/** Above so many issues they are grouped by rule, and only the worst are shown. */
const MAX_SINGLE_ISSUES = 20;
const MAX_WORST_ISSUES = 5;
/** So many are easier to read than to unfold. */
const MAX_OPEN_ISSUES = 3;
const MAX_NOTICES = 20;

/** The page of the run: the verdict, what to do and who, and the issues, grouped by rule if there are many. */
export function renderSummary(report: Report, limitBytes: number = MAX_BYTES): string {
  const parts = [...mainParts(report, MAX_OPEN_ISSUES), uncountedList(report), fileList(report), noticeList(report)];
  return `${fitInto(limitBytes, parts, report)}\n`;
}

/** The pull-request comment: the summary without files, notices and issues that do not count. */
export function renderComment(report: Report, marker: string): string {
  const parts = [markerLine(marker), ...mainParts(report, 0)];
  return fitInto(MAX_COMMENT_BYTES, parts, report);
}

/** A later run finds the comment by this line. Nothing in a marker can end the HTML comment. */
export function markerLine(marker: string): string {
  return `<!-- ${marker.replace(/[^\w:./@ ]/gu, '-').replace(/-{2,}/g, '-')} -->`;
}

const CUT = 'There is no room for more here. <code>report.html</code> has everything.';

/** The parts that a reader needs most come first; those after the first that has no room are left out. */
function fitInto(limitBytes: number, parts: readonly string[], report: Report): string {
  const wanted = parts.filter((part) => part !== '');
  const end = ['---', footer(report)];
  const kept = takeWhileFits(wanted, limitBytes - Buffer.byteLength([CUT, ...end].join('\n\n')) - 10);
  return [...kept, ...(kept.length < wanted.length ? [CUT] : []), ...end].join('\n\n');
}

function mainParts(report: Report, maxOpen: number): readonly string[] {
  const { run, verdict } = report;
  const causes = report.causes.length === 1 && verdict !== 'fail' ? [] : report.causes;
  const listed = worstFirst(report).filter(({ issue }) => issue.standing === 'active');
  const isLarge = listed.length > MAX_SINGLE_ISSUES;
  const issues = listed
    .slice(0, isLarge ? MAX_WORST_ISSUES : MAX_SINGLE_ISSUES)
    .map((entry) => issueDetails(entry, run, listed.length <= maxOpen && entry.issue.failsGate));
  const page = link(report.reportUrl, '<code>report.html</code>');
  return [
    heading(report),
    meaning(report),
    facts(report),
    stepList(report),
    section('Not judged', causeTable(causes, run)),
    isLarge ? section('Issues by rule, worst first', ruleTable(listed, run)) : '',
    isLarge ? `**All ${plural(listed.length, 'issue')}** are in ${page}, which can be searched and filtered.` : '',
    issues.length === 0 ? '' : `### ${isLarge ? 'The worst issues' : 'Issues, worst first'}`,
    ...issues,
  ];
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
  const memory = report.lastKnown ? `\n\n⚠️ ${prose(truncate(report.lastKnown.message, 1_000))}` : '';
  return `**${prose(consequence(report))}**${memory}`;
}

/** What was checked and what counts, for a reader who stops here. */
function facts(report: Report): string {
  const { assets, counts } = report;
  if (counts.filesMatched === 0) return '';
  const unjudged = counts.filesMatched - countFiles(assets.filter(({ outcome }) => outcome === 'judged'));
  const uncounted = [
    ...(counts.known > 0 ? [`${count(counts.known)} known from the base branch`] : []),
    ...(counts.waived > 0 ? [`${count(counts.waived)} waived`] : []),
    ...(counts.ignored > 0 ? [`${count(counts.ignored)} closed at the service`] : []),
  ];
  return [
    `**${plural(counts.filesMatched, 'file')}** matched`,
    ...(hasJudged(report) && unjudged > 0 ? [`${count(unjudged)} not judged`] : []),
    ...SEVERITIES.filter((severity) => counts.bySeverity[severity] > 0).map(
      (severity) => `${SEVERITY_MARKS[severity]}&nbsp;${count(counts.bySeverity[severity])}&nbsp;${severity}`,
    ),
    ...(counts.failing > 0 ? [`**${stopping(counts.failing)}**`] : []),
    ...(uncounted.length > 0 ? [`not counted: ${uncounted.join(', ')}`] : []),
  ].join(' · ');
}

function stepList(report: Report): string {
  const steps = report.nextSteps.map((step, index) => {
    const text = link(step.link, prose(truncate(step.text, 800)));
    const note = step.note === undefined ? '' : ` ${prose(step.note)}`;
    return `${index + 1}. **${actorName(step)}:** ${text}${note}`;
  });
  if (steps.length === 0) return '';
  const url = troubleshootingUrl(report);
  const help = `More about <code>${report.reason}</code>: ${link(url, 'troubleshooting')}.`;
  return section('What to do now', steps.join('\n') + (url === undefined ? '' : `\n\n${help}`));
}

/** Who accepted what, folded. */
function uncountedList(report: Report): string {
  const uncounted = worstFirst(report).filter(({ issue }) => issue.standing !== 'active');
  if (uncounted.length === 0) return '';
  const shown = uncounted.slice(0, MAX_SINGLE_ISSUES).map((entry) => issueDetails(entry, report.run, false));
  const number = shown.length < uncounted.length ? `${shown.length} of ${count(uncounted.length)}` : shown.length;
  return `<details><summary>Issues that do not count: ${number}</summary>\n\n${shown.join('\n')}\n\n</details>`;
}

/** Folded, since the issues and problems above name the files that matter. If nothing was sent, it would say no more. */
function fileList(report: Report): string {
  if (isWithoutAnalysis(report)) return '';
  const results = Map.groupBy(report.assets, (asset) => resultOf(asset, report.mode).toLowerCase());
  const counted = [...results].map(([result, assets]) => `${count(countFiles(assets))} ${result}`);
  return `<details><summary>Files: ${counted.join(', ')}</summary>\n\n${fileTable(report)}\n\n</details>`;
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
  return `**What it cost:** ${cost(report)}.\n\n${details.join(' · ')}`;
}
