import { markdown } from '../lib/escape.ts';
import { plural } from '../lib/format.ts';
import type { Issue } from '../service/issue.ts';
import { Budget, takeWhileFits, truncate } from './budget.ts';
import { causesTitle, cleanFiles, countFiles, isWithoutAnalysis, tabledCauses, UNCLEAR } from './phrases.ts';
import { isClean, type ListedIssue, type Report, type ReportedContent, worstFirst } from './report.ts';
import * as parts from './summary-parts.ts';
import {
  FILE_TABLE_HEAD,
  fileRow,
  groupByRule,
  issueDetails,
  issueName,
  pathLinks,
  RULE_TABLE_HEAD,
  ruleRow,
} from './summary-rows.ts';

/** Over 1 MiB GitHub drops the whole summary. */
const MAX_BYTES = 1_048_576 - 8_192;
/** Section titles, table heads and the note on what was left out. */
const FRAME_BYTES = 4_096;
/** Up to here each issue is shown, above they are grouped by rule. */
const MAX_SINGLE_ISSUES = 20;
/** The first failing issues are shown unfolded. */
const MAX_OPEN_ISSUES = 5;

/** How many of each are shown: a reader should see the whole of a large run on two screens. */
const FEW = { causes: 10, files: 5, issues: 5, rules: 12, fixed: 5, clean: 0 };
const MANY = { causes: 20, files: 20, issues: MAX_SINGLE_ISSUES, rules: 0, fixed: 20, clean: 50 };

/** The page of the run: the verdict, what to do, and the issues, grouped by rule if there are many. */
export function renderSummary(report: Report, limitBytes: number = MAX_BYTES): string {
  const budget = new Budget(limitBytes - FRAME_BYTES);
  return [...bodyOf(report, worstFirst(report), { budget, isComment: false })].join('\n\n').concat('\n');
}

/** What summary and comment have in common, part by part. What has no room is left out and counted. */
function* bodyOf(
  report: Report,
  listed: readonly ListedIssue[],
  { budget, isComment }: { readonly budget: Budget; readonly isComment: boolean },
): Generator<string> {
  const { run, mode } = report;
  const isLarge = listed.length > MAX_SINGLE_ISSUES;
  const max = isLarge || isComment ? { ...FEW, issues: isLarge ? FEW.issues : MANY.issues } : MANY;
  const essentials = parts.essentialsOf(report, listed, budget);
  const take = <T>(items: readonly T[], most: number, render: (item: T) => string): readonly string[] =>
    takeWhileFits(items.slice(0, most), budget, render);

  const allCauses = tabledCauses(report);
  const causeTable = parts.causeTable(allCauses, run);
  const causes = take(allCauses, max.causes, causeTable.row);
  const rules = isLarge ? groupByRule(listed) : [];
  const ruleRows = take(rules, max.rules, (group) => ruleRow(group, run));
  const { notable, clean, unsent } = splitFiles(report);
  const rows = take(notable, max.files, (asset) => fileRow(asset, report));
  const issues = take(listed.slice(0, max.issues), max.issues, (entry) =>
    issueDetails(
      entry,
      run,
      !isLarge && !isComment && listed.indexOf(entry) < MAX_OPEN_ISSUES && entry.issue.failsGate,
    ),
  );
  const allFixed = report.assets.flatMap((asset) => (asset.fixed ?? []).map((issue) => ({ asset, issue })));
  const fixed = take(allFixed, max.fixed, (entry) => fixedLine(entry, run));
  const cleanRows = take(clean, max.clean, (asset) => fileRow(asset, report));
  const unsentRows = take(unsent, max.clean, (asset) => fileRow(asset, report));

  const sections: readonly string[] = [
    essentials.heading,
    essentials.open,
    essentials.meaning,
    essentials.facts,
    essentials.worst,
    essentials.nextSteps,
    section(causesTitle(report), causes, [
      causeTable.head,
      ...causes,
      ...more(allCauses.length - causes.length, 'problem'),
    ]),
    essentials.picture,
    section('Issues by rule, worst first', ruleRows, [
      RULE_TABLE_HEAD,
      ...ruleRows,
      ...more(rules.length - ruleRows.length, 'rule'),
    ]),
    ...issueSections(listed, issues, isLarge),
    isLarge || issues.length < listed.length ? fit(everyIssue(report, listed.length), budget) : '',
    section('Files, worst first', rows, [
      FILE_TABLE_HEAD,
      ...rows,
      ...more(countFiles(notable.slice(rows.length)), 'file'),
    ]),
    filesNote(cleanFiles(mode, countFiles(clean)), clean, { rows: cleanRows, isComment }),
    unsentNote(report, unsent, { rows: unsentRows, isComment }),
    section('Fixed since the version before', fixed, [
      ...fixed,
      ...more(allFixed.length - fixed.length, 'fixed issue'),
    ]),
    isComment ? '' : fit(parts.notices(report), budget),
    '---',
    essentials.footer,
  ];
  yield* sections.filter((part) => part !== '');
}

function more(hidden: number, noun: string): readonly string[] {
  return hidden > 0 ? ['', `and ${plural(hidden, `more ${noun}`)} in <code>report.html</code>`] : [];
}

function fit(text: string, budget: Budget): string {
  return budget.take(text) ? text : '';
}

interface Files {
  readonly notable: readonly ReportedContent[];
  readonly clean: readonly ReportedContent[];
  /** Neither judged nor the cause of a problem: the run ended before they were sent. */
  readonly unsent: readonly ReportedContent[];
}

/** A table this short is easier to read than to unfold. */
const SHORT_TABLE = 10;

function isIn(asset: ReportedContent, paths: ReadonlySet<string | undefined>): boolean {
  return asset.paths.some((path) => paths.has(path));
}

/** A file in the table of causes needs no second row. */
function splitFiles(report: Report): Files {
  const { assets, causes } = report;
  const blamed = new Set(causes.map(({ path }) => path));
  const tabled = new Set(tabledCauses(report).flatMap(({ paths }) => paths));
  const isUnsent = (asset: ReportedContent): boolean => asset.source === 'not-sent' && !isIn(asset, blamed);
  const isTabled = (asset: ReportedContent): boolean =>
    asset.outcome !== 'judged' && asset.issues.length === 0 && isIn(asset, tabled);
  const others = assets.filter((asset) => !isUnsent(asset) && !isTabled(asset));
  const isShort = others.length <= SHORT_TABLE;
  return {
    notable: isShort ? others : others.filter((asset) => !isClean(asset)),
    clean: isShort ? [] : others.filter(isClean),
    unsent: assets.filter(isUnsent),
  };
}

/** Sections for the issues that are shown one by one. */
function issueSections(listed: readonly ListedIssue[], texts: readonly string[], isLarge: boolean): readonly string[] {
  if (isLarge) return [section('The worst issues', texts, texts)];
  const pick = (wanted: (entry: ListedIssue) => boolean): readonly string[] =>
    texts.filter((_, index) => {
      const entry = listed[index];
      return entry !== undefined && wanted(entry);
    });
  const failing = pick(({ issue }) => issue.failsGate);
  const others = pick(({ issue }) => !issue.failsGate && issue.standing === 'active');
  const apart = pick(({ issue }) => issue.standing !== 'active');
  return [
    section('Issues that stop the check, worst first', failing, failing),
    section(failing.length > 0 ? 'Other active issues' : 'Active issues', others, others),
    section('Issues that do not count', apart, apart),
  ];
}

function everyIssue({ fullReport }: Report, issues: number): string {
  const place = fullReport === undefined ? '' : ` (${markdown(truncate(fullReport, 300))})`;
  return `**All ${plural(issues, 'issue')}** are in <code>report.html</code>${place}, which can be searched and filtered.`;
}

function fixedLine(
  { asset, issue }: { readonly asset: ReportedContent; readonly issue: Issue },
  run: Report['run'],
): string {
  return `<div>✅ was ${issueName(issue)} in ${pathLinks(asset, run)}</div>`;
}

function section(title: string, shown: readonly string[], lines: readonly string[]): string {
  return shown.length === 0 ? '' : [`### ${title}`, '', ...lines].join('\n');
}

/** Files that need no attention: folded in a table, or only counted. */
function filesNote(
  title: string,
  files: readonly ReportedContent[],
  { rows, isComment }: { readonly rows: readonly string[]; readonly isComment: boolean },
): string {
  if (files.length === 0 || isComment) return '';
  if (rows.length === 0) return `${title}.`;
  const hidden = countFiles(files.slice(rows.length));
  return [
    `<details><summary>${title}</summary>`,
    '',
    FILE_TABLE_HEAD,
    ...rows,
    ...more(hidden, 'file'),
    '',
    '</details>',
  ].join('\n');
}

/** If nothing was sent at all, a list of all files would say nothing more. */
function unsentNote(
  report: Report,
  files: readonly ReportedContent[],
  shown: { readonly rows: readonly string[]; readonly isComment: boolean },
): string {
  const isUnclear = files.some(({ sourceReason }) => sourceReason === UNCLEAR);
  const title = `${plural(countFiles(files), 'file')}${isUnclear ? `: ${UNCLEAR}` : ' not submitted'}`;
  if (isUnclear) return filesNote(title, files, { ...shown, rows: [] });
  return report.verdict === 'error' && isWithoutAnalysis(report) ? '' : filesNote(title, files, shown);
}

/** Counted in bytes, which are never fewer than GitHub's 65,536 characters. */
const MAX_COMMENT_BYTES = 65_536;

/** A later run finds the comment by this line. Nothing in a marker can end the HTML comment. */
export function markerLine(marker: string): string {
  return `<!-- ${marker.replace(/[^\w:./@ ]/gu, '-').replace(/-{2,}/g, '-')} -->`;
}

/** The pull-request comment: the summary, shorter. It leaves out issues that do not count. */
export function renderComment(report: Report, marker: string): string {
  const head = markerLine(marker);
  const budget = new Budget(MAX_COMMENT_BYTES - FRAME_BYTES);
  budget.take(head);
  const active = worstFirst(report).filter(({ issue }) => issue.standing === 'active');
  return [head, ...bodyOf(report, active, { budget, isComment: true })].join('\n\n');
}
