import type { Annotation, Level } from '../github/runner.ts';
import type { Reason } from '../lib/cause.ts';
import { visibleLines } from '../lib/escape.ts';
import { count, formatList, plural } from '../lib/format.ts';
import { truncate } from './budget.ts';
import { type CauseGroup, groupCauses } from './phrases.ts';
import { type ListedIssue, type Report, worstFirst } from './report.ts';

/** GitHub shows so many of each level per step; the rest vanish without a word. */
const MAX_PER_LEVEL = 10;
/** The runner cuts longer ones. */
const MAX_MESSAGE_LENGTH = 4_096;
const MAX_TITLE_LENGTH = 200;
const MAX_LIST_LENGTH = 1_000;
const MAX_PATHS = 50;
const MAX_CAUSE_PATHS = 10;
const LEVELS: readonly Level[] = ['error', 'warning', 'notice'];

/**
 * What fails the gate, then causes, then the other issues, worst first. `spent` is how many of each level this step has
 * printed or will print otherwise, apart from the line that fails a red step, which is counted here.
 */
export function annotations(
  report: Report,
  spent: Readonly<Record<Level, number>> = { error: 0, warning: 0, notice: 0 },
): readonly Annotation[] {
  const wanted: Record<Level, Planned[]> = { error: [], warning: [], notice: [] };
  const [failing, others] = partition(worstFirst(report));
  const [worst, ...lesser] = failing.map((entry): Planned => ({ entry }));
  const [first, ...further] = groupCauses(report.causes).map((cause): Planned => ({ cause }));
  const ofCauses = wanted[report.isPassing ? 'warning' : 'error'];
  // Neither hides the other: that something was found, and that something could not be judged.
  if (worst) wanted.error.push(worst);
  if (first) ofCauses.push(first);
  wanted.error.push(...lesser);
  ofCauses.push(...further);
  for (const entry of others) wanted[entry.issue.severity === 'INFO' ? 'notice' : 'warning'].push({ entry });
  return LEVELS.flatMap((level) => {
    const failingLine = level === 'error' && !report.isPassing ? 1 : 0;
    const room = Math.max(0, MAX_PER_LEVEL - failingLine - spent[level]);
    return fit(report, { level, planned: wanted[level], room });
  });
}

type Planned = { readonly cause: CauseGroup } | { readonly entry: ListedIssue };

/** What fails the gate, and what else is active. */
function partition(listed: readonly ListedIssue[]): readonly [readonly ListedIssue[], readonly ListedIssue[]] {
  const active = listed.filter(({ issue }) => issue.standing === 'active');
  return [active.filter(({ issue }) => issue.failsGate), active.filter(({ issue }) => !issue.failsGate)];
}

interface LevelPlan {
  readonly level: Level;
  readonly planned: readonly Planned[];
  readonly room: number;
}

function fit(report: Report, { level, planned, room }: LevelPlan): readonly Annotation[] {
  const render = (one: Planned): Annotation =>
    'cause' in one ? causeAnnotation(level, one.cause, report) : issueAnnotation(level, one.entry);
  if (room === 0 || planned.length <= room) return planned.slice(0, room).map(render);
  const left = planned.length - (room - 1);
  const where = report.fullReport ?? 'the report files of this run';
  return [
    ...planned.slice(0, room - 1).map(render),
    {
      level,
      title: `${count(left)} more`,
      message: message([
        `${count(left)} more of this level are not shown here: GitHub shows at most ${MAX_PER_LEVEL} for a step.`,
        `All of them are in the summary of this run and in the full report: ${where}.`,
      ]),
    },
  ];
}

/** GitHub's log prints only the message, so the path is in it. */
function causeAnnotation(level: Level, cause: CauseGroup, { verdict }: Report): Annotation {
  const [path] = cause.paths;
  const files =
    cause.paths.length > 1
      ? `${plural(cause.paths.length, 'file')} (${formatList(cause.paths, MAX_CAUSE_PATHS)})`
      : path;
  return {
    level,
    title: (verdict === 'skipped' ? 'Not checked: ' : NOT_JUDGED) + titleOf(cause),
    message: message([withPath(files, cause.message), cause.fix]),
    ...(path === undefined ? {} : { path, line: cause.line ?? 1 }),
  };
}

/** A workflow can recognise such an annotation by it. */
const NOT_JUDGED = 'Not judged: ';

const TITLES: Readonly<Record<Reason, string>> = {
  issues: 'issues',
  'asset-failed': 'file could not be analysed',
  'pre-flight': 'file cannot be sent',
  'bad-input': 'input is not valid',
  'no-key': 'no API key',
  auth: 'API key refused',
  plan: 'not included in the plan',
  service: 'service not available',
  timeout: 'analysis not finished in time',
  'no-files': 'no files found',
  'dry-run': 'dry run',
  refused: 'refused by the service',
  results: 'results incomplete',
  checkout: 'wrong checkout',
  github: 'GitHub did not answer',
  cancelled: 'run cancelled',
  internal: 'defect of this action',
};

function titleOf({ reason, paths, submission }: CauseGroup): string {
  if (submission === 'unconfirmed') return 'submission not confirmed';
  if (reason === 'bad-input' && paths.length > 0) return 'mistake in the waivers file';
  return reason === 'pre-flight' && paths.length === 0 ? 'too many files' : TITLES[reason];
}

function issueAnnotation(level: Level, { asset, issue }: ListedIssue): Annotation {
  const [path, ...others] = asset.paths;
  const reference = issue.referenceNumber === undefined ? '' : ` #${issue.referenceNumber}`;
  const rule = truncate(issue.ruleCode, MAX_TITLE_LENGTH);
  const headline = truncate(issue.headline || issue.summary, MAX_TITLE_LENGTH).replace(/\s+/g, ' ');
  return {
    level,
    title: truncate(visibleLines(`${issue.severity}: ${headline}`), MAX_TITLE_LENGTH),
    message: message([
      withPath(path, `${issue.severity} ${rule}${reference}: ${truncate(issue.summary, MAX_MESSAGE_LENGTH)}`),
      issue.headline ?? '',
      others.length > 0 ? alsoIn(others) : '',
      issue.url ?? '',
      issue.reasoning ?? '',
    ]),
    ...(path === undefined ? {} : { path, line: 1 }),
  };
}

function withPath(path: string | undefined, text: string): string {
  return path === undefined ? text : `${truncate(path, MAX_LIST_LENGTH)}: ${text}`;
}

/** With the number of files, because a long list is cut. */
function alsoIn(paths: readonly string[]): string {
  const named = truncate(paths.slice(0, MAX_PATHS).join(', '), MAX_LIST_LENGTH);
  return `The same bytes are also in ${plural(paths.length, 'other file')}: ${named}`;
}

function message(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== '').map((part) => truncate(part, MAX_MESSAGE_LENGTH));
  return truncate(visibleLines(text.join('\n')), MAX_MESSAGE_LENGTH);
}
