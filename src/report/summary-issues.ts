import { count } from '../count.ts';
import { markdown, markdownLines } from '../escape.ts';
import type { Issue, Precedent } from '../service/issue.ts';
import { clip } from './clip.ts';
import { link } from './link.ts';
import type { ListedIssue } from './order.ts';
import type { ReportedAsset } from './report.ts';
import { andMore, day, novelty, SEVERITY_MARKS, STANDING_WORDS } from './words.ts';

/** Longer texts are read in the full report; cut before escaping, so that a huge one costs nothing. */
const LONGEST_LINE = 200;
const LONGEST_TEXT = 4_000;
const MOST_PRECEDENTS = 10;
const MOST_PATHS = 5;
const MOST_TOPICS = 3;

export function pathCode(path: string): string {
  return `<code>${markdown(clip(path, LONGEST_LINE))}</code>`;
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
  const told = issue.severity === issue.severityAsTold ? '' : ` (told as ${markdown(clip(issue.severityAsTold, 40))})`;
  const number = issue.referenceNumber === undefined ? '' : ` ${link(url, `#&#8203;${issue.referenceNumber}`)}`;
  const rule = `<code>${markdown(clip(issue.ruleCode, 80))}</code>`;
  const words = markdown(clip(issue.headline || issue.summary, LONGEST_LINE));
  return `${SEVERITY_MARKS[issue.severity]} <b>${issue.severity}</b>${told} ${rule}${number} ${words}`;
}

/** The line, and everything else about the issue behind it. */
export function issueDetails(entry: ListedIssue, isOpen: boolean): string {
  const { issue } = entry;
  const parts = [
    `<p>${markdownLines(clip(issue.summary, LONGEST_TEXT))}</p>`,
    issue.reasoning ? `<p><b>Why ${issue.severity}:</b> ${markdownLines(clip(issue.reasoning, LONGEST_TEXT))}</p>` : '',
    precedents(issue.precedents),
    `<p>${facts(entry).join('<br>')}</p>`,
  ];
  const body = parts.filter((part) => part !== '').join('');
  return `<details${isOpen ? ' open' : ''}><summary>${issueLine(entry)}</summary><blockquote>${body}</blockquote></details>`;
}

function facts({ asset, issue, topics }: ListedIssue): readonly string[] {
  const shown = asset.paths.slice(0, MOST_PATHS).map(pathCode).join(', ');
  const hidden = asset.paths.length - MOST_PATHS;
  const { waiver } = issue;
  return [
    `<b>${asset.paths.length === 1 ? 'File' : 'Files, all with the same bytes'}:</b> ${shown}${hidden > 0 ? ` and ${count(hidden)} more` : ''}`,
    `<b>Status:</b> ${[markdown(clip(issue.status, 80)), novelty(issue)].filter(Boolean).join(', ')}; ${issue.failsGate ? 'stops the check' : STANDING_WORDS[issue.standing]}`,
    waiver
      ? `<b>Waiver:</b> ${markdown(clip(waiver.reason, 500))} (${markdown(clip(waiver.owner, 80))}, until ${markdown(clip(waiver.expires, 40))})`
      : '',
    topicFact(topics),
    issue.createdAt ? `<b>Found:</b> ${markdown(clip(day(issue.createdAt), 40))}` : '',
  ].filter((fact) => fact !== '');
}

function topicFact(titles: readonly string[]): string {
  if (titles.length === 0) return '';
  const shown = titles.slice(0, MOST_TOPICS).map((title) => markdown(clip(title, 120)));
  return `<b>Topic:</b> ${shown.join('; ')}${andMore(titles.length - shown.length, 'topic', (words) => `; ${words}`)}`;
}

function precedents(all: readonly Precedent[]): string {
  if (all.length === 0) return '';
  const items = all.slice(0, MOST_PRECEDENTS).map((one) => {
    const name = link(one.url, markdown(clip(one.title || one.url || 'untitled', LONGEST_LINE)));
    const decision = one.decision ? `: ${markdown(clip(one.decision, 500))}` : '';
    return `<li>${name}${decision}${one.date ? ` (${markdown(clip(day(one.date), 40))})` : ''}</li>`;
  });
  const hidden = all.length - items.length;
  if (hidden > 0) items.push(`<li>and ${count(hidden)} more</li>`);
  return `<p><b>Precedents</b></p><ul>${items.join('')}</ul>`;
}
