import { markdown } from '../lib/escape.ts';
import { count, plural } from '../lib/format.ts';
import { truncate } from './budget.ts';
import type { ListedIssue } from './order.ts';
import { countFiles, SEVERITY_MARKS } from './phrases.ts';
import type { Report, ReportedAsset } from './report.ts';
import { pathLink } from './summary-issues.ts';

/** All issues of one rule. */
export interface RuleGroup {
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
    const assets = new Set<ReportedAsset>(entries.map(({ asset }) => asset));
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
