import { describeCause, describeFile, describeSteps } from '../../phrases.ts';
import type { Report } from '../../report.ts';
import { describeEffect, describeResult, type Entry } from './entries.ts';

/** The filtered list as a table, for a spreadsheet. */

const COLUMNS = ['Severity', 'In this gate', 'Status', 'Rule', 'Number', 'Headline', 'Summary', 'Files', 'Link'];

function cells(entry: Entry, report: Report): readonly string[] {
  const files = entry.paths.join('\n');
  if (entry.kind === 'problem')
    return ['', 'Problem', '', '', '', describeCause(entry), describeSteps(entry.steps), files, ''];
  if (entry.kind === 'file')
    return ['', describeResult(entry.content, report), '', '', '', '', describeFile(entry.content), files, ''];
  const { severity, status, ruleCode, referenceNumber, headline = '', summary, url = '' } = entry.issue;
  const number = referenceNumber === undefined ? '' : `#${referenceNumber}`;
  return [severity, describeEffect(entry), status, ruleCode, number, headline, summary, files, url];
}

export function asCsv(entries: readonly Entry[], report: Report): string {
  const rows = [COLUMNS, ...entries.map((entry) => cells(entry, report))];
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** A spreadsheet would take such a cell for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
