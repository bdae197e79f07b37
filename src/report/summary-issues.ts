import { markdown, markdownLines } from '../lib/escape.ts';
import { count } from '../lib/format.ts';
import type { Issue, Precedent } from '../service/issue.ts';
import { link } from './link.ts';
import type { ListedIssue } from './order.ts';
import { andMore, day, novelty, SEVERITY_MARKS, STANDING_WORDS } from './phrases.ts';
import type { ReportedAsset } from './report.ts';
import { truncate } from './truncate.ts';

/** Longer texts are read in the full report; cut before escaping, so that a huge one costs nothing. */
const MAX_LINE_LENGTH = 200;
const MAX_TEXT_LENGTH = 4_000;
const MAX_PRECEDENTS = 10;
const MAX_PATHS = 5;
const MAX_TOPICS = 3;

export function pathCode(path: string): string {
  return `<code>${markdown(truncate(path, MAX_LINE_LENGTH))}</code>`;
}

/** The first path, and how many more have the same bytes. */
export function pathsShort(asset: ReportedAsset): string {
  const [first = '', ...others] = asset.paths;
  return pathCode(first) + (others.length > 0 ? ` and ${count(others.length)} more` : '');
}

/** Severity, rule, number and headline on one line: enough to know an issue by. */
export function issueLine({ asset, issue }: ListedIssue): string {
  return `${issueName(issue, issue.url)} in ${pathsShort(asset)}`;
}

export function issueName(issue: Issue, url?: string): string {
  const told =
    issue.severity === issue.reportedSeverity ? '' : ` (told as ${markdown(truncate(issue.reportedSeverity, 40))})`;
  const number = issue.referenceNumber === undefined ? '' : ` ${link(url, `#&#8203;${issue.referenceNumber}`)}`;
  const rule = `<code>${markdown(truncate(issue.ruleCode, 80))}</code>`;
  const words = markdown(truncate(issue.headline || issue.summary, MAX_LINE_LENGTH));
  return `${SEVERITY_MARKS[issue.severity]} <b>${issue.severity}</b>${told} ${rule}${number} ${words}`;
}

/** The line, and everything else about the issue behind it. */
export function issueDetails(entry: ListedIssue, isOpen: boolean): string {
  const { issue } = entry;
  const parts = [
    `<p>${markdownLines(truncate(issue.summary, MAX_TEXT_LENGTH))}</p>`,
    issue.reasoning
      ? `<p><b>Why ${issue.severity}:</b> ${markdownLines(truncate(issue.reasoning, MAX_TEXT_LENGTH))}</p>`
      : '',
    precedents(issue.precedents),
    `<p>${facts(entry).join('<br>')}</p>`,
  ];
  const body = parts.filter((part) => part !== '').join('');
  return `<details${isOpen ? ' open' : ''}><summary>${issueLine(entry)}</summary><blockquote>${body}</blockquote></details>`;
}

function facts({ asset, issue, topics }: ListedIssue): readonly string[] {
  const shown = asset.paths.slice(0, MAX_PATHS).map(pathCode).join(', ');
  const hidden = asset.paths.length - MAX_PATHS;
  const { waiver } = issue;
  return [
    `<b>${asset.paths.length === 1 ? 'File' : 'Files, all with the same bytes'}:</b> ${shown}${hidden > 0 ? ` and ${count(hidden)} more` : ''}`,
    `<b>Status:</b> ${[markdown(truncate(issue.status, 80)), novelty(issue)].filter(Boolean).join(', ')}; ${issue.failsGate ? 'stops the check' : STANDING_WORDS[issue.standing]}`,
    waiver
      ? `<b>Waiver:</b> ${markdown(truncate(waiver.reason, 500))} (${markdown(truncate(waiver.owner, 80))}, until ${markdown(truncate(waiver.expires, 40))})`
      : '',
    topicFact(topics),
    issue.createdAt ? `<b>Found:</b> ${markdown(truncate(day(issue.createdAt), 40))}` : '',
  ].filter((fact) => fact !== '');
}

function topicFact(titles: readonly string[]): string {
  if (titles.length === 0) return '';
  const shown = titles.slice(0, MAX_TOPICS).map((title) => markdown(truncate(title, 120)));
  return `<b>Topic:</b> ${shown.join('; ')}${andMore(titles.length - shown.length, 'topic', (words) => `; ${words}`)}`;
}

function precedents(all: readonly Precedent[]): string {
  if (all.length === 0) return '';
  const items = all.slice(0, MAX_PRECEDENTS).map((one) => {
    const name = link(one.url, markdown(truncate(one.title || one.url || 'untitled', MAX_LINE_LENGTH)));
    const decision = one.decision ? `: ${markdown(truncate(one.decision, 500))}` : '';
    return `<li>${name}${decision}${one.date ? ` (${markdown(truncate(day(one.date), 40))})` : ''}</li>`;
  });
  const hidden = all.length - items.length;
  if (hidden > 0) items.push(`<li>and ${count(hidden)} more</li>`);
  return `<p><b>Precedents</b></p><ul>${items.join('')}</ul>`;
}
