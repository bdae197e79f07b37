import { describeCause, describeFile, describeSteps } from '../../phrases.ts';
import { type Entry, numberOf } from './entries.ts';

/** The filtered list as a table, for a spreadsheet. */

const COLUMNS = ['Severity', 'In this gate', 'Status', 'Rule', 'Number', 'Headline', 'Summary', 'Files', 'Link'];

function cells({ issue, cause, content, effect, paths }: Entry): readonly string[] {
  const files = paths.join('\n');
  if (cause) return ['', effect, '', '', '', describeCause(cause), describeSteps(cause.steps), files, ''];
  if (!issue) return ['', effect, '', '', '', '', content ? describeFile(content) : '', files, ''];
  const { severity, status, ruleCode, headline = '', summary, url = '' } = issue;
  return [severity, effect, status, ruleCode, numberOf(issue), headline, summary, files, url];
}

export function asCsv(entries: readonly Entry[]): string {
  return [COLUMNS, ...entries.map(cells)].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** A spreadsheet would take such a cell for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
