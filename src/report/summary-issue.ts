import { markdown, markdownLines } from '../lib/escape.ts';
import { count } from '../lib/format.ts';
import type { Precedent } from '../service/issue.ts';
import { truncate } from './budget.ts';
import { link } from './github-links.ts';
import { day, effectOf, SEVERITY_MARKS, UNTOUCHED } from './phrases.ts';
import type { ListedIssue, Report, ReportedIssue } from './report.ts';
import { pathLinks } from './summary-tables.ts';

/** Longer texts are in the full report. Cut before escaping, so that a huge text costs no time. */
const MAX_LINE_LENGTH = 200;
const MAX_TEXT_LENGTH = 4_000;
const MAX_PRECEDENTS = 10;
const MAX_TOPICS = 3;

type Run = Report['run'];

/** The name of the issue and its file, with everything else about it folded behind them. */
export function issueDetails({ content, issue, topics }: ListedIssue, run: Run, isOpen: boolean): string {
  const parts = [
    `<p>${markdownLines(truncate(issue.summary, MAX_TEXT_LENGTH))}</p>`,
    issue.reasoning
      ? `<p><b>Why ${issue.severity}:</b> ${markdownLines(truncate(issue.reasoning, MAX_TEXT_LENGTH))}</p>`
      : '',
    precedentList(issue.precedents),
    `<p>${issueFacts({ content, issue, topics }, run).join('<br>')}</p>`,
  ];
  const name = `${issueName(issue)} in ${pathLinks(content, run, 1)}`;
  return `<details${isOpen ? ' open' : ''}><summary>${name}</summary><blockquote>${parts.join('')}</blockquote></details>`;
}

/** Severity, rule, number and headline: enough to recognise an issue. */
function issueName(issue: ReportedIssue): string {
  const isUnknown = issue.severity !== issue.reportedSeverity;
  const reported = isUnknown ? ` (reported as ${markdown(truncate(issue.reportedSeverity, 40))})` : '';
  const number = issue.referenceNumber === undefined ? '' : ` ${link(issue.url, `#&#8203;${issue.referenceNumber}`)}`;
  const rule = `<code>${markdown(truncate(issue.ruleCode, 80))}</code>`;
  const text = markdown(truncate(issue.headline || issue.summary, MAX_LINE_LENGTH));
  return `${SEVERITY_MARKS[issue.severity]} <b>${issue.severity}</b>${reported} ${rule}${number} ${text}`;
}

function issueFacts({ content, issue, topics }: ListedIssue, run: Run): readonly string[] {
  const { waiver } = issue;
  const titles = topics.slice(0, MAX_TOPICS).map((title) => markdown(truncate(title, 120)));
  const analysed = content.analysedAt === undefined ? '' : `, analysed on ${day(content.analysedAt)}`;
  return [
    ...(content.isUntouched ? [`<b>The file:</b> ${UNTOUCHED}${analysed}`] : []),
    ...(content.paths.length === 1 ? [] : [`<b>Files, all with the same bytes:</b> ${pathLinks(content, run)}`]),
    // Which list it is in says the rest.
    ...(issue.standing === 'active' && issue.isNew === undefined ? [] : [`<b>In this gate:</b> ${effectOf(issue)}`]),
    `<b>Status at the service:</b> ${markdown(truncate(issue.status, 80))}`,
    ...(waiver
      ? [
          `<b>Waiver:</b> ${markdown(truncate(waiver.reason, 500))} (${markdown(truncate(waiver.owner, 80))}, until ${markdown(truncate(waiver.expires, 40))})`,
        ]
      : []),
    ...(topics.length === 0 ? [] : [`<b>Topic:</b> ${titles.join('; ')}${more(topics.length - titles.length)}`]),
  ];
}

function precedentList(all: readonly Precedent[]): string {
  if (all.length === 0) return '';
  const items = all.slice(0, MAX_PRECEDENTS).map((one) => {
    const name = link(one.url, markdown(truncate(one.title || one.url || 'untitled', MAX_LINE_LENGTH)));
    const decision = one.decision ? `: ${markdown(truncate(one.decision, 500))}` : '';
    return `<li>${name}${decision}${one.date ? ` (${markdown(truncate(day(one.date), 40))})` : ''}</li>`;
  });
  return `<p><b>Precedents</b>${more(all.length - items.length)}</p><ul>${items.join('')}</ul>`;
}

function more(hidden: number): string {
  return hidden > 0 ? ` and ${count(hidden)} more` : '';
}
