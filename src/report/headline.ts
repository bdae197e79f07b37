import { author, rerun, type Step, workflowOwner } from '../lib/cause.ts';
import { count, formatList, plural } from '../lib/format.ts';
import { SEVERITIES } from '../service/issue.ts';
import { countFiles, countUnjudged, day, describePlanned, UNTOUCHED } from './phrases.ts';
import {
  countBySeverity,
  type Report,
  type ReportedCause,
  type ReportedContent,
  type ReportedIssue,
} from './report.ts';

/** What the first sentence of every report depends on. */
export type HeadlineFacts = Pick<
  Report,
  'verdict' | 'reason' | 'isPassing' | 'mode' | 'lastKnown' | 'policy' | 'causes' | 'counts' | 'contents'
> & {
  /** Whether a later run can reuse the results of this one. */
  readonly keepsState: boolean;
  readonly waiversFile: string | undefined;
  /** Where people look at the issues of the service. */
  readonly serviceHost: string | undefined;
};

/** The reason for the verdict, in one sentence. */
export function headline(facts: HeadlineFacts): string {
  const { mode, verdict, lastKnown } = facts;
  const memory = lastKnown ? `, as known on ${day(lastKnown.since)}: the service did not answer today` : '';
  const sandbox = mode === 'sandbox' ? ' (sandbox: nothing was analysed)' : '';
  switch (verdict) {
    case 'fail':
      return describeFailing(facts) + memory + sandbox;
    case 'pass':
      return describePassing(facts) + memory;
    case 'error':
      return describeError(facts) + sandbox;
    case 'skipped':
      return facts.reason === 'dry-run' ? describeDryRun(facts) : describeCauses(facts.causes);
  }
}

function failingContents({ contents }: HeadlineFacts): readonly ReportedContent[] {
  return contents.filter(({ issues }) => issues.some(({ failsGate }) => failsGate));
}

function failingIssues({ contents }: HeadlineFacts): readonly ReportedIssue[] {
  return contents.flatMap(({ issues }) => issues.filter(({ failsGate }) => failsGate));
}

function describeFailing(facts: HeadlineFacts): string {
  const { counts, policy, causes } = facts;
  const failing = failingContents(facts);
  const kind = policy.failOnIssues === 'new' ? 'new ' : '';
  const numbers = countBySeverity(failingIssues(facts));
  const bySeverity = SEVERITIES.filter((severity) => numbers[severity] > 0).map(
    (severity) => `${count(numbers[severity])} ${kind}${severity}`,
  );
  const unjudged = countUnjudged(facts);
  const also = unjudged > 0 ? `; ${plural(unjudged, 'file')} could not be judged at all` : '';
  const isUntouched = [...failing, ...causes].every((stopping) => stopping.isUntouched);
  return `${bySeverity.join(', ')} ${counts.failing === 1 ? 'issue' : 'issues'} in ${count(countFiles(failing))} of ${plural(counts.filesMatched, 'file')}${isUntouched ? `, ${UNTOUCHED}` : ''}${also}`;
}

function describePassing({ counts, mode }: HeadlineFacts): string {
  if (mode === 'sandbox') return 'nothing was analysed';
  const active = `${plural(counts.issues, 'active issue')}, none that stops the check`;
  return [
    `${plural(counts.filesMatched, 'file')} checked, ${counts.issues === 0 ? 'no active issues' : active}`,
    ...(counts.waived > 0 ? [`${plural(counts.waived, 'issue')} waived`] : []),
    ...(counts.known > 0 ? [`${plural(counts.known, 'issue')} known from the base branch`] : []),
  ].join('; ');
}

function describeError(facts: HeadlineFacts): string {
  const { causes, counts, isPassing } = facts;
  const number = isPassing ? `${count(countUnjudged(facts))} of ${plural(counts.filesMatched, 'file')}: ` : '';
  return number + describeCauses(causes);
}

function describeDryRun({ causes, contents, mode }: HeadlineFacts): string {
  const problems = causes.filter(({ reason }) => reason !== 'dry-run');
  const end =
    problems.length === 0 ? describePlanned({ contents, mode }) : `A real run would stop: ${describeCauses(problems)}`;
  return `This was a dry run. ${end}`;
}

function describeCauses([first, ...others]: readonly ReportedCause[]): string {
  if (!first) return 'nothing was checked';
  const { paths, message, isUntouched } = first;
  const problems = others.length === 0 ? '' : `${count(others.length + 1)} problems, the first: `;
  const files = paths.length === 1 ? paths[0] : plural(paths.length, 'file');
  return `${problems}${paths.length === 0 ? '' : `${files}${isUntouched ? ` (${UNTOUCHED})` : ''}: `}${message}`;
}

const MAX_NAMED = 3;

/** What the reader can do, most useful first. */
export function nextSteps(facts: HeadlineFacts): readonly Step[] {
  const { verdict, causes, mode } = facts;
  if (verdict === 'fail') return [...changeSteps(facts), ...dismissSteps(facts), ...distinctSteps(causes)];
  if (verdict === 'pass' && mode === 'sandbox')
    return [workflowOwner('To have the files analysed, use a live key (`sk_live_…`).')];
  return distinctSteps(causes);
}

/** Each step once; those of one person together, if there is more than one cause. */
function distinctSteps(causes: readonly ReportedCause[]): readonly Step[] {
  const steps = causes.flatMap((cause) => cause.steps);
  const once = [...new Map(steps.map((step) => [`${step.actor} ${step.text}`, step])).values()];
  return causes.length < 2 ? once : [...Map.groupBy(once, ({ actor }) => actor).values()].flat();
}

function changeSteps(facts: HeadlineFacts): readonly Step[] {
  const groups = Object.groupBy(failingContents(facts), ({ isUntouched }) => (isUntouched ? 'untouched' : 'changed'));
  const { changed, untouched } = groups;
  const cost = facts.keepsState ? ` Only changed files are sent${facts.mode === 'sandbox' ? '' : ' and billed'}.` : '';
  const waiver = facts.waiversFile === undefined ? 'with a waiver' : `in \`${facts.waiversFile}\``;
  const ways = `on the base branch, accept the issue ${waiver}, or set \`fail-on-issues: new\``;
  return [
    ...(changed ? [author(`Change or replace ${namesOf(changed)} and push.${cost}`)] : []),
    ...(untouched ? [workflowOwner(`Fix ${namesOf(untouched)} ${ways}: this pull request does not change it.`)] : []),
  ];
}

function namesOf(contents: readonly ReportedContent[]): string {
  const names = contents.flatMap(({ paths }) => paths.map((path) => `\`${path}\``));
  return formatList(names, MAX_NAMED);
}

function dismissSteps(facts: HeadlineFacts): readonly Step[] {
  const { serviceHost, waiversFile, keepsState, mode } = facts;
  const [issue, ...others] = failingIssues(facts);
  const where = serviceHost === undefined ? '' : ` (\`${serviceHost}\`)`;
  const waiver = waiversFile === undefined ? '' : `, or ask the owners of \`${waiversFile}\` for a waiver`;
  const text = `Or, if it is not a problem, have the issue dismissed in the service${where}${waiver}.`;
  // Of several issues, each has its own link in the list.
  const link = others.length === 0 && issue?.url !== undefined ? { link: issue.url } : {};
  const isFree = keepsState && mode !== 'sandbox';
  return [{ actor: 'anyone', text, ...link }, rerun(`Then re-run this job${isFree ? ', which costs nothing' : ''}.`)];
}
