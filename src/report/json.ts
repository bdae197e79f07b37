import type { Step } from '../lib/cause.ts';
import type { Issue } from '../service/issue.ts';
import type { Report, ReportedCause } from './report.ts';

/** Raised when a field is removed or changes its meaning, but not when a field is added. */
const JSON_VERSION = 3;

/**
 * report.json, for programs. Its shape is `report.schema.json` beside this file, and a test compares the two: every field is
 * always there, what is not known is null.
 */
export function renderJson(report: Report): string {
  const text = JSON.stringify(reportDocument(report), (_, value) => (value === undefined ? null : value), 1);
  return `${text}\n`;
}

/** report.json without the fields that are not known; the data of report.html. */
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

/** A service may leave out these fields, and the state does not keep all of them. */
function issueDocument(issue: Issue): object {
  const { referenceNumber, sidekickId, headline, reasoning, createdAt, updatedAt } = issue;
  return { ...issue, referenceNumber, sidekickId, headline, reasoning, createdAt, updatedAt };
}

/** Every field is there, so that report.json can say null. */
function causeDocument({ steps, line, submission, ...cause }: ReportedCause): object {
  return { ...cause, steps: steps.map(stepDocument), line, submission };
}

function stepDocument({ actor, text, link, note, isAlternative }: Step): object {
  return { actor, text, link, note, isAlternative };
}
