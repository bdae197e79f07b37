import { markdown, prose } from '../lib/escape.ts';
import { count, plural } from '../lib/format.ts';
import { SEVERITIES } from '../service/issue.ts';
import { truncate } from './budget.ts';
import { link } from './github-links.ts';
import { pathLink, pathLinks } from './path-links.ts';
import {
  type CauseGroup,
  countFiles,
  describeChanges,
  describeFile,
  provenance,
  resultOf,
  SEVERITY_MARKS,
  stopping,
} from './phrases.ts';
import type { ListedIssue, Report, ReportedContent } from './report.ts';

type Run = Report['run'];

/** A sentence of ours that says what to do; where it says to run the job again, it leads to the run. */
export function advice(text: string, run: Run): string {
  return prose(truncate(text, 800)).replace(/\bre-run (?:this|the) job\b/i, (words) => link(run.url, words));
}

interface CauseTable {
  readonly head: string;
  readonly row: (cause: CauseGroup) => string;
}

const MAX_TABLED_PATHS = 3;

/** It has a column for files if one of the causes is about a file. */
export function causeTable(causes: readonly CauseGroup[], run: Run): CauseTable {
  const hasFiles = causes.some(({ paths }) => paths.length > 0);
  const columns = [...(hasFiles ? ['File'] : []), 'What happened', 'What to do'];
  return {
    head: [`| ${columns.join(' | ')} |`, `|${' --- |'.repeat(columns.length)}`].join('\n'),
    row: ({ paths, message, fix }) => {
      const number = paths.length > 1 ? `${plural(paths.length, 'file')}: ` : '';
      const file = hasFiles ? [number + pathLinks(paths, run, MAX_TABLED_PATHS) || '–'] : [];
      return `| ${[...file, prose(truncate(message, 1_000)), advice(fix, run)].join(' | ')} |`;
    },
  };
}

/** Two columns, since a phone shows no more. */
export const FILE_TABLE_HEAD = '| File | Issues |\n| :-- | :-- |';

export function fileRow(asset: ReportedContent, { mode, run }: Report): string {
  const changes = describeChanges(asset);
  const details = [describeFile(asset), provenance(asset), changes && `since the version before: ${changes}`];
  const small = details.filter((text) => text !== '').map((text) => markdown(truncate(text, 200)));
  return `| ${pathLinks(asset.paths, run, MAX_TABLED_PATHS)}<br>${small.join('; ')} | ${issueCounts(asset, mode)} |`;
}

function issueCounts(asset: ReportedContent, mode: Report['mode']): string {
  const active = asset.issues.filter(({ standing }) => standing === 'active');
  const bySeverity = SEVERITIES.map((severity) => {
    const number = active.filter((issue) => issue.severity === severity).length;
    return number === 0 ? '' : `${SEVERITY_MARKS[severity]}&nbsp;${count(number)}&nbsp;${severity}`;
  });
  const others = asset.issues.length - active.length;
  const parts = [
    asset.outcome === 'judged' && asset.issues.length > 0 ? '' : resultOf(asset, mode).toLowerCase(),
    ...bySeverity,
    others > 0 ? `${count(others)} not counted` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
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
    return {
      ruleCode,
      worst,
      issues: entries.length,
      failing: entries.filter(({ issue }) => issue.failsGate).length,
      files: countFiles([...new Set(entries.map(({ asset }) => asset))]),
    };
  });
}

/** Two columns, since a phone shows no more. */
export const RULE_TABLE_HEAD = '| Rule, and its worst issue | Issues |\n| :-- | :-- |';

export function ruleRow({ ruleCode, worst: { issue, asset }, issues, failing, files }: RuleGroup, run: Run): string {
  const stops = failing === 0 ? '' : `<br>❌&nbsp;${stopping(failing)}`;
  const headline = markdown(truncate(issue.headline || issue.summary, 120));
  const cells = [
    `${SEVERITY_MARKS[issue.severity]}&nbsp;<code>${markdown(truncate(ruleCode, 80))}</code> ${headline}<br>${pathLink(asset.paths[0] ?? '', run)}`,
    `<b>${count(issues)}</b> in ${plural(files, 'file')}${stops}`,
  ];
  return `| ${cells.join(' | ')} |`;
}
