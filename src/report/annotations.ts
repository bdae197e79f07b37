import type { Annotation, Level } from '../github/runner.ts';
import { visibleLines } from '../lib/escape.ts';
import { count, formatList, truncate } from '../lib/format.ts';
import { describeIssue, describeSteps, headlineOf, UNTOUCHED } from './phrases.ts';
import { issuesWith, type ListedIssue, type Report, type ReportedCause } from './report.ts';

/** The number of annotations of each level that GitHub shows for a step. It silently drops all further annotations. */
const MAX_PER_LEVEL = 10;
/** The runner cuts longer messages. */
const MAX_MESSAGE_LENGTH = 4_096;
const MAX_TITLE_LENGTH = 200;
const LEVELS: readonly Level[] = ['error', 'warning', 'notice'];

/**
 * Annotates the first issue that stops the check and the first cause, then the others that stop it, then the issues that do
 * not. GitHub shows a limited number of annotations of each level per step, so the last one of a level counts the rest.
 *
 * @param spent how many annotations of each level this step has printed already
 */
export function annotations(report: Report, spent: Readonly<Record<Level, number>>): readonly Annotation[] {
  const stops = issuesWith('Stops the check', report);
  // The first cause is among the errors however many issues there are, because workflows look for its title.
  const items = [
    ...stops.slice(0, 1),
    ...report.causes.slice(0, 1),
    ...stops.slice(1),
    ...report.causes.slice(1),
    ...issuesWith('Counts', report),
  ];
  return LEVELS.flatMap((level) => {
    // One error is kept free: a step with errors also prints the error that fails the step.
    const room = MAX_PER_LEVEL - (level === 'error' ? 1 : 0) - spent[level];
    if (room <= 0) return [];
    const ofLevel = items.filter((item) => levelOf(item, report) === level);
    const shown = ofLevel.length > room ? ofLevel.slice(0, room - 1) : ofLevel;
    const texts = shown.map((item) =>
      'issue' in item ? issueAnnotation(item, report) : causeAnnotation(item, report),
    );
    const left = ofLevel.length - shown.length;
    return [...texts, ...(left > 0 ? [restAnnotation(left, report)] : [])].map((text) => ({ level, ...text }));
  });
}

function levelOf(item: ListedIssue | ReportedCause, { isPassing }: Report): Level {
  if (!('issue' in item)) return isPassing ? 'warning' : 'error';
  if (item.issue.failsGate) return 'error';
  return item.issue.severity === 'INFO' ? 'notice' : 'warning';
}

function restAnnotation(left: number, { reportUrl = 'the report files of this run' }: Report) {
  const title = `${count(left)} more`;
  return { title, message: `${title} of this level are not shown here. All of them are in ${reportUrl}` };
}

/** GitHub's log prints only the message, so it has the path. Workflows read how the title begins. */
function causeAnnotation(cause: ReportedCause, { verdict, run }: Report) {
  const { path, steps } = cause;
  const start = path === undefined ? '' : `${truncate(path, 1_000)}: `;
  return {
    title: titleOf(`${verdict === 'skipped' ? 'Not checked' : 'Not judged'}: ${cause.message}`),
    message: message([start + cause.message, cause.detail, sentenceIfUntouched(cause), describeSteps(steps)]),
    ...(path !== undefined && { path: run.folder + path }),
  };
}

function issueAnnotation({ content, issue }: ListedIssue, report: Report) {
  const [path, ...others] = content.paths;
  const { severity, ruleCode, summary, whyNotWaived, url, reasoning } = issue;
  const name = [severity, truncate(ruleCode, 200), describeIssue(issue).number].filter(Boolean).join(' ');
  return {
    title: titleOf(`${severity}: ${headlineOf(issue)}`),
    message: message([
      `${truncate(path, 1_000)}: ${name}: ${summary}`,
      sentenceIfUntouched(content),
      others.length > 0 && `The same bytes are also in ${formatList(others)}`,
      whyNotWaived,
      url,
      reasoning,
    ]),
    path: report.run.folder + path,
  };
}

function titleOf(text: string): string {
  return truncate(visibleLines(text.replace(/\s+/g, ' ')), MAX_TITLE_LENGTH);
}

function sentenceIfUntouched({ isChanged }: Pick<ReportedCause, 'isChanged'>) {
  return isChanged === false && `The file is ${UNTOUCHED}.`;
}

function message(lines: readonly (string | false | undefined)[]): string {
  return truncate(visibleLines(lines.filter(Boolean).join('\n')), MAX_MESSAGE_LENGTH);
}
