import type { Step } from '../lib/cause.ts';
import type { Issue } from '../service/issue.ts';
import type { Report, ReportedCause } from './report.ts';

/** This version is raised when a field is removed or changes its meaning, but not when a field is added. */
const JSON_VERSION = 3;

/**
 * Renders report.json, for programs. Its schema is `report.schema.json` beside this file, and a test compares the two.
 * Every field is always present, and an unknown value is null.
 */
export function renderJson(report: Report): string {
  return jsonWithNulls(reportDocument(report));
}

/** Writes undefined as null, because JSON would leave out a field that is undefined. */
export function jsonWithNulls(document: object): string {
  return `${JSON.stringify(document, (_, value) => (value === undefined ? null : value), 1)}\n`;
}

/** The content of report.json, in which unknown values are still undefined. It is also the data of report.html. */
export function reportDocument({
  fullReport: _place,
  reportUrl: _address,
  causes,
  contents,
  nextSteps,
  ...report
}: Report): object {
  return {
    schemaVersion: JSON_VERSION,
    ...report,
    nextSteps: nextSteps.map(stepDocument),
    causes: causes.map(causeDocument),
    contents: contents.map(({ issues, fixed, ...content }) => ({
      ...content,
      issues: issues.map(issueDocument),
      fixed: fixed?.map(issueDocument),
    })),
  };
}

/** Adds the fields that the service may omit or that the state does not keep, so that report.json has them as null. */
function issueDocument(issue: Issue): object {
  const { referenceNumber, sidekickId, headline, reasoning, createdAt, updatedAt } = issue;
  return { ...issue, referenceNumber, sidekickId, headline, reasoning, createdAt, updatedAt };
}

/** Adds the optional fields as undefined, so that report.json has them as null. */
function causeDocument({ steps, detail, line, submission, ...cause }: ReportedCause): object {
  return { ...cause, detail, steps: steps.map(stepDocument), line, submission };
}

function stepDocument({ actor, text, link, note, isAlternative }: Step): object {
  return { actor, text, link, note, isAlternative };
}
