import { createHash } from 'node:crypto';
import { markdown, markdownLines } from '../lib/escape.ts';
import { count, plural } from '../lib/format.ts';
import { type Issue, type Precedent, SEVERITIES } from '../service/issue.ts';
import { truncate } from './budget.ts';
import { comparisonUrl, fileAtCommitUrl, link } from './github-links.ts';
import {
  countFiles,
  day,
  describeChanges,
  describeFile,
  GATE_LABELS,
  gateOf,
  novelty,
  provenance,
  SEVERITY_MARKS,
} from './phrases.ts';
import type { ListedIssue, Report, ReportedContent } from './report.ts';

/** Longer texts are in the full report. Cut before escaping, so that a huge text costs no time. */
const MAX_LINE_LENGTH = 200;
const MAX_TEXT_LENGTH = 4_000;
const MAX_PRECEDENTS = 10;
const MAX_PATHS = 5;
const MAX_TOPICS = 3;

type Run = Report['run'];

/** Links to the file at the commit, in a pull request to its place among the changes. */
export function pathLink(path: string, run: Run): string {
  const url = comparisonUrl(run, createHash('sha256').update(path).digest('hex')) ?? fileAtCommitUrl(run, path);
  return link(url, `<code>${markdown(truncate(path, MAX_LINE_LENGTH))}</code>`);
}

/** At most `max` paths of an asset, and how many more have the same bytes. */
export function pathLinks({ paths }: ReportedContent, run: Run, max: number = 1): string {
  const shown = paths.slice(0, max).map((path) => pathLink(path, run));
  return shown.join(', ') + andMore(paths.length - shown.length);
}

function andMore(hidden: number): string {
  return hidden > 0 ? ` and ${count(hidden)} more` : '';
}

/** Severity, rule, number and headline: enough to recognise an issue. */
export function issueName(issue: Issue, url?: string): string {
  const isUnknown = issue.severity !== issue.reportedSeverity;
  const reported = isUnknown ? ` (reported as ${markdown(truncate(issue.reportedSeverity, 40))})` : '';
  const number = issue.referenceNumber === undefined ? '' : ` ${link(url, `#&#8203;${issue.referenceNumber}`)}`;
  const rule = `<code>${markdown(truncate(issue.ruleCode, 80))}</code>`;
  const text = markdown(truncate(issue.headline || issue.summary, MAX_LINE_LENGTH));
  return `${SEVERITY_MARKS[issue.severity]} <b>${issue.severity}</b>${reported} ${rule}${number} ${text}`;
}

/** The name of the issue and its file, with everything else about it folded behind them. */
export function issueDetails({ asset, issue, topics }: ListedIssue, run: Run, isOpen: boolean): string {
  const parts = [
    `<p>${markdownLines(truncate(issue.summary, MAX_TEXT_LENGTH))}</p>`,
    issue.reasoning
      ? `<p><b>Why ${issue.severity}:</b> ${markdownLines(truncate(issue.reasoning, MAX_TEXT_LENGTH))}</p>`
      : '',
    precedents(issue.precedents),
    `<p>${facts({ asset, issue, topics }, run).join('<br>')}</p>`,
  ];
  const body = parts.filter((part) => part !== '').join('');
  const name = `${issueName(issue, issue.url)} in ${pathLinks(asset, run)}`;
  return `<details${isOpen ? ' open' : ''}><summary>${name}</summary><blockquote>${body}</blockquote></details>`;
}

function facts({ asset, issue, topics }: ListedIssue, run: Run): readonly string[] {
  const { waiver } = issue;
  return [
    `<b>${asset.paths.length === 1 ? 'File' : 'Files, all with the same bytes'}:</b> ${pathLinks(asset, run, MAX_PATHS)}`,
    `<b>In this gate:</b> ${[GATE_LABELS[gateOf(issue)], novelty(issue)].filter(Boolean).join('; ')}`,
    `<b>Status at the service:</b> ${markdown(truncate(issue.status, 80))}`,
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
  return `<b>Topic:</b> ${shown.join('; ')}${andMore(titles.length - shown.length)}`;
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

const MAX_PATHS_IN_ROW = 4;

/** Two columns, since a phone shows no more. */
export const FILE_TABLE_HEAD = '| File | Issues |\n| :-- | :-- |';

export function fileRow(asset: ReportedContent, { mode, run }: Report): string {
  const facts = [describeFile(asset), provenance(asset)].map((fact) => markdown(truncate(fact, 200)));
  const changes = [sinceVersion(asset), sinceBase(asset)].filter(Boolean);
  const cells = [
    `${fileMark(asset, mode)}&nbsp;${paths(asset, run)}<br><sub>${[...facts, ...changes].join('; ')}</sub>`,
    issueCounts(asset) || (mode === 'sandbox' ? 'not analysed' : 'none'),
  ];
  return `| ${cells.join(' | ')} |`;
}

function fileMark(asset: ReportedContent, mode: Report['mode']): string {
  if (asset.issues.some((issue) => issue.failsGate)) return '❌';
  if (asset.outcome !== 'judged') return '⚠️';
  if (asset.issues.some((issue) => issue.standing === 'active')) return '☑️';
  return mode === 'sandbox' ? '🧪' : '✅';
}

function paths(asset: ReportedContent, run: Report['run']): string {
  const shown = asset.paths.slice(0, MAX_PATHS_IN_ROW).map((path) => pathLink(path, run));
  const hidden = asset.paths.length - shown.length;
  return shown.join('<br>') + (hidden > 0 ? `<br>and ${count(hidden)} more` : '');
}

function issueCounts(asset: ReportedContent): string {
  if (asset.outcome === 'failed') return 'analysis failed';
  const of = (wanted: (issue: ReportedContent['issues'][number]) => boolean): number =>
    asset.issues.filter(wanted).length;
  const active = SEVERITIES.map((severity) => ({
    severity,
    number: of((issue) => issue.standing === 'active' && issue.severity === severity),
  }));
  const known = of(({ standing }) => standing === 'known');
  const waived = of(({ standing }) => standing === 'waived');
  const closed = of(({ standing }) => standing === 'ignored');
  return [
    ...(asset.outcome === 'unjudged' ? ['not judged'] : []),
    ...active
      .filter(({ number }) => number > 0)
      .map(({ severity, number }) => `${SEVERITY_MARKS[severity]} ${count(number)} ${severity}`),
    ...(known > 0 ? [`${count(known)} known`] : []),
    ...(waived > 0 ? [`${count(waived)} waived`] : []),
    ...(closed > 0 ? [`${count(closed)} closed`] : []),
  ].join(', ');
}

function sinceVersion(asset: ReportedContent): string {
  const changes = describeChanges(asset);
  return changes === '' ? '' : `since the version before: ${changes}`;
}

function sinceBase({ issues }: ReportedContent): string {
  const added = issues.filter((issue) => issue.isNew === true && issue.standing === 'active').length;
  const both = issues.filter((issue) => issue.isNew === false).length;
  return [
    added > 0 ? `${count(added)} not on the base branch` : '',
    both > 0 ? `${count(both)} also on the base branch` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** All issues of one rule. */
interface RuleGroup {
  readonly ruleCode: string;
  readonly worst: ListedIssue;
  readonly issues: number;
  readonly failing: number;
  readonly files: number;
}

/** @param listed worst first, so that the groups are in the order of their worst issue */
export function groupByRule(listed: readonly ListedIssue[]): readonly RuleGroup[] {
  return [...Map.groupBy(listed, ({ issue }) => issue.ruleCode)].flatMap(([ruleCode, entries]) => {
    const [worst] = entries;
    if (!worst) return [];
    const assets = new Set<ReportedContent>(entries.map(({ asset }) => asset));
    return {
      ruleCode,
      worst,
      issues: entries.length,
      failing: entries.filter(({ issue }) => issue.failsGate).length,
      files: countFiles([...assets]),
    };
  });
}

/** Two columns, since a phone shows no more. */
export const RULE_TABLE_HEAD = '| Rule, and its worst issue | Issues |\n| :-- | :-- |';

export function ruleRow({ ruleCode, worst, issues, failing, files }: RuleGroup, run: Report['run']): string {
  const { issue, asset } = worst;
  const stops = failing === 0 ? '' : `<br>❌&nbsp;${count(failing)} ${failing === 1 ? 'stops' : 'stop'} the check`;
  const headline = markdown(truncate(issue.headline || issue.summary, 120));
  const cells = [
    `${SEVERITY_MARKS[issue.severity]}&nbsp;<code>${markdown(truncate(ruleCode, 80))}</code> ${headline}<br>${pathLink(asset.paths[0] ?? '', run)}`,
    `<b>${count(issues)}</b> in ${plural(files, 'file')}${stops}`,
  ];
  return `| ${cells.join(' | ')} |`;
}
