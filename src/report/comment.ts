import { plural } from '../lib/format.ts';
import { Budget, takeWhileFits } from './budget.ts';
import { causesTitle, tabledCauses } from './causes.ts';
import { link } from './link.ts';
import { worstFirst } from './order.ts';
import { countFiles } from './phrases.ts';
import type { Report } from './report.ts';
import { fileTable, isClean } from './summary-files.ts';
import { issueDetails } from './summary-issues.ts';
import * as parts from './summary-parts.ts';

/** Counted in bytes, which are never fewer than GitHub's 65,536 characters. */
const LIMIT_BYTES = 65_536;
const FRAME_BYTES = 1_024;
/** A comment is read in passing: the summary has the rest. */
const MAX_ROWS = 10;
const MAX_ISSUES = 20;

/** By this line a later run finds the comment again. Nothing in a marker can end the HTML comment. */
export function markerLine(marker: string): string {
  return `<!-- ${marker.replace(/[^\w:./@ ]/gu, '-').replace(/-{2,}/g, '-')} -->`;
}

/** The pull-request comment: the verdict, what to do, and the issues that matter, with the way to all others. */
export function renderComment(report: Report, marker: string): string {
  const listed = worstFirst(report);
  const active = listed.filter(({ issue }) => issue.standing === 'active');
  const budget = new Budget(LIMIT_BYTES - FRAME_BYTES);
  const head = markerLine(marker);
  budget.take(head);
  const essentials = parts.essentialsOf(report, listed, budget);
  const allCauses = tabledCauses(report);
  const causeTable = parts.causeTable(allCauses);
  const causes = takeWhileFits(allCauses.slice(0, MAX_ROWS), budget, causeTable.row);
  const notable = report.assets.filter((asset) => !isClean(asset));
  const table = fileTable(notable, report.mode);
  const rows = takeWhileFits(notable.slice(0, MAX_ROWS), budget, table.row);
  const issues = takeWhileFits(active.slice(0, MAX_ISSUES), budget, (entry) => issueDetails(entry, false));
  const left = [
    [allCauses.length - causes.length, 'problem'],
    [countFiles(notable.slice(rows.length)), 'file'],
    [active.length - issues.length, 'active issue'],
  ] as const;
  const leftOut = left.filter(([number]) => number > 0).map(([number, noun]) => plural(number, noun));
  const summary = link(report.run.url, 'the summary of the run');
  return [
    head,
    essentials.heading,
    essentials.meaning,
    essentials.facts,
    essentials.worst,
    essentials.nextSteps,
    causes.length === 0 ? '' : [`### ${causesTitle(report)}`, '', causeTable.head, ...causes].join('\n'),
    essentials.picture,
    rows.length === 0 ? '' : ['### Files, worst first', '', table.head, ...rows].join('\n'),
    issues.length === 0 ? '' : ['### Active issues, worst first', '', ...issues].join('\n'),
    leftOut.length === 0 ? '' : `Not shown here, least severe first: ${leftOut.join(', ')}. They are in ${summary}.`,
    essentials.footer,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
