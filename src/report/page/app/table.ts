import { csvCell } from '../../../lib/escape.ts';
import {
  day,
  describeCause,
  describeFile,
  describeStatus,
  describeSteps,
  describeWaiver,
  numberOf,
} from '../../phrases.ts';
import type { Report } from '../../report.ts';
import type { Entry } from './entries.ts';

function cellsOf(
  { issue, cause, content, effect, paths, topics = [] }: Entry,
  { run }: Report,
): Record<string, string | undefined> {
  const happened = cause && describeCause(cause);
  const toDo = cause && describeSteps(cause.steps);
  return {
    Severity: issue?.severity,
    'In this gate': effect,
    'Status at the service': issue && describeStatus(issue.status),
    Rule: issue?.ruleCode,
    Number: issue && numberOf(issue),
    Headline: happened ?? issue?.headline,
    Summary: toDo ?? issue?.summary ?? (content && describeFile(content)),
    Reasoning: issue?.reasoning,
    Topic: topics.join('\n'),
    Checker: issue?.sidekickId,
    Created: day(issue?.createdAt ?? ''),
    Updated: day(issue?.updatedAt ?? ''),
    Waiver: issue && describeWaiver(issue),
    Files: paths.join('\n'),
    Link: issue?.url,
    Repository: run.repository,
    'Pull request': run.pullRequest && String(run.pullRequest.number),
    Run: run.url,
  };
}

/** Excel reads a file as UTF-8 only if it begins with this mark. */
const BYTE_ORDER_MARK = '\ufeff';

export function asCsv(entries: readonly Entry[], report: Report): string {
  const rows = entries.map((entry) => cellsOf(entry, report));
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
  return BYTE_ORDER_MARK + lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}
