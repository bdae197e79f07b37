import { day, describeCause, describeFile, describeStatus, describeSteps } from '../../phrases.ts';
import { describeWaiver, type Entry, numberOf } from './entries.ts';

const COLUMNS = [
  'Severity',
  'In this gate',
  'Status at the service',
  'Rule',
  'Number',
  'Headline',
  'Summary',
  'Reasoning',
  'Topic',
  'Checker',
  'Created',
  'Updated',
  'Waiver',
  'Files',
  'Link',
] as const;

type Cells = Partial<Record<(typeof COLUMNS)[number], string | undefined>>;

function cellsOf({ issue, cause, content, effect, paths, topics = [] }: Entry): Cells {
  const shared = { 'In this gate': effect, Files: paths.join('\n') };
  if (cause) return { ...shared, Headline: describeCause(cause), Summary: describeSteps(cause.steps) };
  if (!issue) return { ...shared, Summary: content && describeFile(content) };
  return {
    ...shared,
    Severity: issue.severity,
    'Status at the service': describeStatus(issue.status),
    Rule: issue.ruleCode,
    Number: numberOf(issue),
    Headline: issue.headline,
    Summary: issue.summary,
    Reasoning: issue.reasoning,
    Topic: topics.join('\n'),
    Checker: issue.sidekickId,
    Created: day(issue.createdAt ?? ''),
    Updated: day(issue.updatedAt ?? ''),
    Waiver: describeWaiver(issue),
    Link: issue.url,
  };
}

/** Without it Excel reads a file of UTF-8 as one of the system's old encoding. */
const BYTE_ORDER_MARK = '\ufeff';

/** The filtered list as a table, for a spreadsheet. */
export function asCsv(entries: readonly Entry[]): string {
  const rows = entries.map(cellsOf).map((cells) => COLUMNS.map((column) => cells[column] ?? ''));
  return BYTE_ORDER_MARK + [COLUMNS, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** A spreadsheet would take such a cell for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
