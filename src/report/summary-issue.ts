import { html, markdown, markdownLines, prose } from '../lib/escape.ts';
import { count, truncate } from '../lib/format.ts';
import type { Precedent } from '../service/issue.ts';
import { link } from './github-links.ts';
import {
  day,
  describeStatus,
  describeWaiver,
  effectOf,
  numberOf,
  SEVERITY_MARKS,
  UNTOUCHED,
  waiverToCopy,
} from './phrases.ts';
import type { ListedIssue, Report } from './report.ts';
import { issueLink, pathLinks } from './summary-tables.ts';

/** The full report has the whole texts. Texts are cut before they are escaped, so that a huge text takes no time. */
const MAX_LINE_LENGTH = 200;
const MAX_TEXT_LENGTH = 4_000;
const MAX_PRECEDENTS = 10;
const MAX_TOPICS = 3;

/** A fold: its summary line names the issue and the file, its body contains everything else about the issue. */
export function issueDetails(listed: ListedIssue, report: Report, isOpen: boolean): string {
  const { content, issue } = listed;
  const parts = [
    `<p>${markdownLines(truncate(issue.summary, MAX_TEXT_LENGTH))}</p>`,
    issue.reasoning
      ? `<p><b>Why ${issue.severity}:</b> ${markdownLines(truncate(issue.reasoning, MAX_TEXT_LENGTH))}</p>`
      : '',
    precedentList(issue.precedents),
    `<p>${issueFacts(listed, report).join('<br>')}</p>`,
    waiverFold(listed, report),
  ];
  // The number links to the service, so the number is separate from the headline, which links to the report page.
  const number = numberOf(issue) && ` (${link(issue.url, markdown(numberOf(issue)))})`;
  const isUnknown = issue.severity !== issue.reportedSeverity;
  const reported = isUnknown ? ` (reported as ${markdown(truncate(issue.reportedSeverity, 40))})` : '';
  const severity = `${SEVERITY_MARKS[issue.severity]} <b>${issue.severity}</b>${reported}`;
  const name = `${severity} ${issueLink(listed, report)} in ${pathLinks(content, report, 1)}${number}`;
  return `<details${isOpen ? ' open' : ''}><summary>${name}</summary><blockquote>${parts.join('')}</blockquote></details>`;
}

function issueFacts({ content, issue, topics }: ListedIssue, report: Report): readonly string[] {
  const waiver = describeWaiver(issue);
  // The heading already says whether an active issue stops the check.
  const isSaid = issue.standing === 'active' && issue.isNew === undefined && report.policy.failOnIssues === 'all';
  const titles = topics.slice(0, MAX_TOPICS).map((title) => markdown(truncate(title, 120)));
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
    ...(isSaid ? [] : [`<b>In this gate:</b> ${effectOf(issue, report)}`]),
    `<b>Status at the service:</b> ${markdown(truncate(describeStatus(issue.status), 80))}`,
    ...(topics.length === 0 ? [] : [`<b>Topic:</b> ${titles.join('; ')}${more(topics.length - titles.length)}`]),
  ];
}

function waiverFold({ issue, content }: ListedIssue, { waiversFile }: Report): string {
  if (waiversFile === undefined || !issue.failsGate) return '';
  const yaml = html(waiverToCopy(issue, content).trimEnd());
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
  return `<p><b>Precedents</b>${more(all.length - items.length)}</p><ul>${items.join('')}</ul>`;
}

function escapedDay(time: string): string {
  return markdown(truncate(day(time), 40));
}

function more(hidden: number): string {
  return hidden > 0 ? ` and ${count(hidden)} more` : '';
}
