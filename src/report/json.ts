import { actorOf, type Cause } from '../lib/cause.ts';
import type { Report } from './report.ts';

/** Raised when a field is removed or changes its meaning; fields may be added without. */
const JSON_VERSION = 1;

/**
 * report.json, for programs. Its shape is `report.schema.json` beside this file, and a test compares the two: every field is
 * always there, what is not known is null.
 */
export function renderJson(report: Report): string {
  const text = JSON.stringify(reportDocument(report), (_, value) => (value === undefined ? null : value), 1);
  return `${text}\n`;
}

/** report.json without the fields that are not known; the data of report.html. */
export function reportDocument({ fullReport: _place, reportUrl: _address, causes, ...report }: Report): object {
  return { schemaVersion: JSON_VERSION, ...report, causes: causes.map(causeDocument) };
}

function causeDocument(cause: Cause): object {
  const { reason, message, fix, path, line, submission } = cause;
  return { reason, message, fix, actor: actorOf(cause), path, line, submission };
}
