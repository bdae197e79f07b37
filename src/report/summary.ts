import type { Cause } from '../lib/cause.ts';
import { markdown } from '../lib/escape.ts';
import { plural } from '../lib/format.ts';
import type { Issue } from '../service/issue.ts';
import { Budget, takeWhileFits } from './budget.ts';
import { causesTitle, tabledCauses } from './causes.ts';
import { type ListedIssue, worstFirst } from './order.ts';
import { cleanFiles, countFiles } from './phrases.ts';
import type { Report, ReportedAsset } from './report.ts';
import { fileTable, isClean } from './summary-files.ts';
import { issueDetails, issueLine, issueName, pathsShort } from './summary-issues.ts';
import * as parts from './summary-parts.ts';
import { truncate } from './truncate.ts';

/** Over 1 MiB GitHub drops the whole summary. */
const LIMIT_BYTES = 1_048_576 - 8_192;
/** What the words around the lists may take: section titles and the note on what was left out. */
const FRAME_BYTES = 2_048;
/** A table this short is easier to read than to unfold. */
const FEW = 10;
/** The first failing issues are shown unfolded. */
const OPEN_ISSUES = 5;

/**
 * The page of the run. To stay under the limit it drops, in this order: clean files, fixed issues, details of the least
 * severe issues, the least severe issues themselves, the files with the fewest issues. The page counts what it dropped.
 */
export function renderSummary(report: Report, limitBytes: number = LIMIT_BYTES): string {
  const listed = worstFirst(report);
  const budget = new Budget(limitBytes - FRAME_BYTES);
  const essentials = parts.essentialsOf(report, listed, budget);
  const [notices = ''] = takeWhileFits([parts.notices(report)], budget, (section) => section);

  const causeShare = budget.share(0.2);
  const allCauses = tabledCauses(report);
  const causeTable = parts.causeTable(allCauses);
  const causes = takeWhileFits(allCauses, causeShare, causeTable.row);
  budget.giveBack(causeShare);

  const { notable, clean, unsent } = splitFiles(report, allCauses);
  const table = fileTable(report.assets, report.mode);
  const fileShare = budget.share(0.35);
  const rows = takeWhileFits(notable, fileShare, table.row);
  budget.giveBack(fileShare);
  const issues = fitIssues(listed, budget);
  const allFixed = fixedOf(report.assets);
  const fixed = takeWhileFits(allFixed, budget, fixedLine);
  const cleanRows = takeWhileFits(clean, budget, table.row);
  const unsentRows = takeWhileFits(unsent, budget, table.row);

  const leftOut = [
    missing(
      countFiles([...notable.slice(rows.length), ...clean.slice(cleanRows.length), ...unsent.slice(unsentRows.length)]),
      'file',
    ),
    missing(allCauses.length - causes.length, 'problem'),
    missing(listed.length - issues.lines.length, 'issue'),
    issues.detailed < issues.lines.length
      ? `the details of ${plural(issues.lines.length - issues.detailed, 'issue')}`
      : '',
    missing(allFixed.length - fixed.length, 'fixed issue'),
  ].filter((part) => part !== '');

  return [
    essentials.heading,
    essentials.meaning,
    essentials.facts,
    essentials.worst,
    leftOut.length === 0 ? '' : leftOutNote(report, leftOut),
    essentials.nextSteps,
    causes.length === 0 ? '' : section(causesTitle(report), [causeTable.head, ...causes]),
    essentials.picture,
    rows.length === 0 ? '' : section('Files, worst first', [table.head, ...rows]),
    cleanRows.length === 0 ? '' : folded(cleanFiles(report.mode, countFiles(clean)), [table.head, ...cleanRows]),
    unsentRows.length === 0
      ? ''
      : folded(`${plural(countFiles(unsent), 'file')} not submitted`, [table.head, ...unsentRows]),
    ...issueSections(listed, issues.lines),
    fixed.length === 0 ? '' : section('Fixed since the version before', fixed),
    notices,
    '---',
    essentials.footer,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

interface Files {
  readonly notable: readonly ReportedAsset[];
  readonly clean: readonly ReportedAsset[];
  /** Neither judged nor to blame: the run ended before they were sent. */
  readonly unsent: readonly ReportedAsset[];
}

function isIn(asset: ReportedAsset, paths: ReadonlySet<string | undefined>): boolean {
  return asset.paths.some((path) => paths.has(path));
}

/** A file that a table of causes names needs no second row that says no more. */
function splitFiles({ assets, causes }: Report, tabled: readonly Cause[]): Files {
  const blamed = new Set(causes.map(({ path }) => path));
  const told = new Set(tabled.map(({ path }) => path));
  const isUnsent = (asset: ReportedAsset): boolean => asset.source === 'not-sent' && !isIn(asset, blamed);
  const isTold = (asset: ReportedAsset): boolean =>
    asset.outcome !== 'judged' && asset.issues.length === 0 && isIn(asset, told);
  const others = assets.filter((asset) => !isUnsent(asset) && !isTold(asset));
  const isShort = others.length <= FEW;
  return {
    notable: isShort ? others : others.filter((asset) => !isClean(asset)),
    clean: isShort ? [] : others.filter(isClean),
    unsent: assets.filter(isUnsent),
  };
}

/** First every issue gets its line, worst first; what is left is spent on details, worst first again. */
export function fitIssues(listed: readonly ListedIssue[], budget: Budget): { lines: string[]; detailed: number } {
  const lines = takeWhileFits(listed, budget, asLine);
  let detailed = 0;
  for (const entry of listed.slice(0, lines.length)) {
    const details = issueDetails(entry, detailed < OPEN_ISSUES && entry.issue.failsGate);
    const line = lines[detailed] ?? '';
    budget.giveBack(new Budget(Buffer.byteLength(line) + 1));
    if (!budget.take(details)) {
      // The line stays, so it is paid for again.
      budget.take(line);
      break;
    }
    lines[detailed] = details;
    detailed += 1;
  }
  return { lines, detailed };
}

function asLine(entry: ListedIssue): string {
  return `<div>${issueLine(entry)}</div>`;
}

function issueSections(listed: readonly ListedIssue[], lines: readonly string[]): readonly string[] {
  const pick = (wanted: (entry: ListedIssue) => boolean): readonly string[] =>
    lines.filter((_, index) => {
      const entry = listed[index];
      return entry !== undefined && wanted(entry);
    });
  const failing = pick(({ issue }) => issue.failsGate);
  const others = pick(({ issue }) => !issue.failsGate && issue.standing === 'active');
  const apart = pick(({ issue }) => issue.standing !== 'active');
  return [
    failing.length === 0 ? '' : section('Issues that stop the check, worst first', failing),
    others.length === 0 ? '' : section(failing.length > 0 ? 'Other active issues' : 'Active issues', others),
    apart.length === 0 ? '' : section('Issues that do not count', apart),
  ];
}

interface Fixed {
  readonly asset: ReportedAsset;
  readonly issue: Issue;
}

function fixedOf(assets: readonly ReportedAsset[]): readonly Fixed[] {
  return assets.flatMap((asset) => (asset.fixed ?? []).map((issue) => ({ asset, issue })));
}

function fixedLine({ asset, issue }: Fixed): string {
  return `<div>✅ was ${issueName(issue)} in ${pathsShort(asset)}</div>`;
}

function section(title: string, lines: readonly string[]): string {
  return [`### ${title}`, '', ...lines].join('\n');
}

function folded(title: string, lines: readonly string[]): string {
  return [`<details><summary>${title}</summary>`, '', ...lines, '', '</details>'].join('\n');
}

function missing(number: number, noun: string): string {
  return number > 0 ? plural(number, noun) : '';
}

function leftOutNote(report: Report, leftOut: readonly string[]): string {
  const where = report.fullReport
    ? `in ${markdown(truncate(report.fullReport, 300))}`
    : 'in the report files of this run';
  return `**This page is shortened** to fit GitHub's limit; the counts above are complete. Left out, least severe first: ${leftOut.join(', ')}. Everything is ${where}.`;
}
