import type { Findings } from '../findings.ts';
import {
  accountOwner,
  author,
  FILE,
  ifNoProblem,
  MAX_NAMED,
  type Step,
  withFiles,
  workflowOwner,
} from '../lib/cause.ts';
import { count, formatList } from '../lib/format.ts';
import { extensionOf } from '../media/media-types.ts';
import type { Verdict } from '../verdict/judge.ts';
import { type JudgedRun, type ListedIssue, type ReportedCause, stoppingIssues } from './report.ts';

export interface StepFacts extends JudgedRun {
  /** Whether a later run can reuse the results of this one. */
  readonly keepsState: boolean;
  /** The host of the service, at which people can view the issues. */
  readonly serviceHost: string | undefined;
  /** Why every issue counts as new, or why no waiver counts, and what to do about that. */
  readonly missingBaseline: string | undefined;
  readonly waiversProblem: string | undefined;
}

/** A step, and the files that `FILE` stands for in its text. */
type FileStep = readonly [step: Step, paths: readonly string[]];

const FIX_ON_BASE = workflowOwner(`On the base branch, fix ${FILE}, which this pull request does not change.`);
const NOT_YOURS: Step = {
  ...author('Send this link to the owner of the workflow.'),
  link: 'run',
  note: 'There is nothing to fix in your media files.',
};
const RESUMES = 'It goes on waiting for this submission, and sends and bills nothing again.';
const SENDS_AGAIN =
  'It submits and bills all files again, because this run could not save its state (see `state-file`).';
const RAISE_TIMEOUT = workflowOwner('If analyses usually take this long, raise `wait-timeout-minutes`.');
/** The guide names the same variable, so change both together. */
const FORGIVE = workflowOwner(
  'In an outage, you can let changes through unchecked: set `on-service-error` to `warn` (in the example workflows by the variable `COMPLIANCE_ON_SERVICE_ERROR`), and set it back afterwards.',
);

/** The steps of a cause, with advice that depends on the rest of the run. */
export function stepsOfCause(
  cause: ReportedCause,
  { stateFile, created }: Findings,
  verdict: Verdict,
): readonly Step[] {
  const { reason, steps, submission, isChanged } = cause;
  const isOutage = reason === 'service' || reason === 'timeout';
  const isFailing = verdict.name === 'error' && !verdict.isPassing;
  // Without a saved state, a later run cannot find the submission that this run created.
  const note = stateFile === '' && created !== undefined ? SENDS_AGAIN : RESUMES;
  const isForOwner = isChanged === false && steps.some(({ actor }) => actor === 'author');
  return [
    ...(isForOwner ? [FIX_ON_BASE] : []),
    ...steps
      .filter(({ actor }) => !isForOwner || actor !== 'author')
      .map((step) => (submission === 'open' && step.link === 'run' ? { ...step, note } : step)),
    ...(reason === 'timeout' ? [RAISE_TIMEOUT] : []),
    ...(isOutage && isFailing ? [FORGIVE] : []),
  ];
}

/** What readers can do. If only others can fix the cause, the first step tells the author of the pull request so. */
export function nextSteps(facts: StepFacts): readonly Step[] {
  const steps = stepsFor(facts);
  const first = steps.find(({ isAlternative }) => !isAlternative)?.actor;
  const isForOthers = first === 'workflow owner' || first === 'account owner';
  // A file that was not judged because of an outage may have issues that only the author can fix.
  const isAnyOpen = facts.causes.some(({ reason }) => reason === 'service' || reason === 'timeout');
  return facts.run.pullRequest && !facts.isPassing && isForOthers && !isAnyOpen ? [NOT_YOURS, ...steps] : steps;
}

/** The steps for the author of the change come first. */
function stepsFor(facts: StepFacts): readonly Step[] {
  const { verdict, mode, causes, unchecked } = facts;
  if (verdict === 'pass') {
    const live = workflowOwner('To have the files analysed, use a live key (`sk_live_…`).');
    return [...(mode === 'sandbox' ? [live] : []), ...(unchecked.length > 0 ? [selectUnchecked(unchecked)] : [])];
  }
  const ofCauses = causes.flatMap(({ steps, paths }) => steps.map((step): FileStep => [step, paths]));
  if (verdict !== 'fail') return mergeSteps(ofCauses, causes);
  return mergeSteps([...fixSteps(facts), ...ofCauses, ...acceptSteps(facts)], causes);
}

/** How to have media checked that the input `files` does not select. */
export function selectUnchecked(paths: readonly string[]): Step {
  const lines = new Set(paths.map((path) => `\`${lineFor(path)}\``));
  const add = `add ${formatList([...lines], MAX_NAMED)} to the input \`files\``;
  const text = `To have ${FILE} checked, ${add}. If that is not needed, exclude media like these there with a \`!\` line.`;
  return withFiles(workflowOwner(text), paths);
}

/** A line for files like this one. It stays in the folder: elsewhere the extension may stand for something else. */
function lineFor(path: string): string {
  const [folder = '', ...below] = path.split('/');
  const extension = extensionOf(path);
  return below.length === 0 || extension === '' ? path : `${folder}/**/*.${extension}`;
}

/** Merges equal steps into one step that names all files. If there are several causes, groups the steps by actor. */
function mergeSteps(steps: readonly FileStep[], causes: readonly ReportedCause[]): readonly Step[] {
  const groups = Map.groupBy(steps, ([{ actor, text }]) => `${actor} ${text}`);
  const merged = [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(([step]) => withFiles(step, [...new Set(group.flatMap(([, paths]) => paths))])),
  );
  if (causes.length < 2) return merged;
  const byActor = Map.groupBy([...merged.filter(({ actor }) => actor === 'author'), ...merged], ({ actor }) => actor);
  return [...new Set([...byActor.values()].flat())];
}

function fixSteps(facts: StepFacts): readonly FileStep[] {
  const cost = facts.keepsState
    ? ` The next run sends${facts.mode === 'sandbox' ? '' : ' and bills'} only files that have changed since this one.`
    : '';
  const { untouched = [], own = [] } = byChange(stoppingIssues(facts));
  return [
    ...aboutFiles(author(`Change or replace ${FILE} and push.${cost}`), own),
    ...aboutFiles(FIX_ON_BASE, untouched),
  ];
}

/** Each step is one way to make the check pass without a change of the file. */
function acceptSteps(facts: StepFacts): readonly FileStep[] {
  const { serviceHost, waiversFile, waiversProblem, missingBaseline, keepsState, mode, policy, run } = facts;
  const all = stoppingIssues(facts);
  const { waiting = [], others = [] } = Object.groupBy(all, ({ issue }) =>
    issue.status.toUpperCase() === 'AWAITING_HUMAN_INPUT' ? 'waiting' : 'others',
  );
  const service = `at the service${serviceHost === undefined ? '' : ` (\`${serviceHost}\`)`}`;
  const isFree = keepsState && mode !== 'sandbox';
  const after = {
    note: `Then re-run this job${isFree ? ', which costs nothing' : ''}.`,
    // The step links to a single issue only. Several issues have their links in the list of issues.
    ...(all.length === 1 && all[0]?.issue.url !== undefined && { link: all[0].issue.url }),
  };
  const decide = `Decide about ${issuesIn(waiting)} ${service}, where ${waiting.length === 1 ? 'it waits' : 'they wait'} for a person.`;
  const dismiss = `Dismiss ${issuesIn(others)} ${service}.`;
  const merge = `Merge ${all.length === 1 ? 'a waiver' : 'waivers'} for ${issuesIn(all)} into \`${waiversFile}\`, in a pull request of its own.`;
  const reasons = [...new Set(all.flatMap(({ issue }) => issue.whyNotWaived ?? []))];
  const waive = [...reasons.slice(0, MAX_NAMED), merge].join(' ');
  const update = { note: 'Then update this branch from its base: a re-run alone does not read it.' };
  const ways = [
    ...(waiversFile === undefined ? ['`waivers-file`'] : []),
    ...(policy.failOnIssues === 'all' ? ['`fail-on-issues: new`'] : []),
  ];
  const keep = `To accept issues that the base branch has, as in ${FILE}, set ${ways.join(' or ')}.`;
  return [
    ...aboutFiles({ ...accountOwner(decide), ...after }, waiting),
    ...aboutFiles({ ...accountOwner(dismiss), ...after }, others),
    ...aboutFiles(
      // A merged waiver does not help as long as waivers do not count.
      waiversProblem === undefined
        ? { ...workflowOwner(waive), ...(run.pullRequest && update) }
        : workflowOwner(waiversProblem),
      waiversFile === undefined ? [] : all,
    ),
    ...aboutFiles(workflowOwner(missingBaseline ?? ''), run.pullRequest && missingBaseline !== undefined ? all : []),
    ...aboutFiles(workflowOwner(keep), ways.length === 0 ? [] : (byChange(all).untouched ?? [])),
  ].map(([step, paths]) => [ifNoProblem(step), paths]);
}

/** Names the files of the issues, or only counts the issues if there are too many. */
function issuesIn(listed: readonly ListedIssue[]): string {
  if (listed.length > MAX_NAMED) return `the ${count(listed.length)} issues that stop the check`;
  return `the ${listed.length === 1 ? 'issue' : 'issues'} in ${FILE}`;
}

function byChange(listed: readonly ListedIssue[]): Partial<Record<'own' | 'untouched', ListedIssue[]>> {
  return Object.groupBy(listed, ({ content }) => (content.isChanged === false ? 'untouched' : 'own'));
}

/** The step with the files of the issues; an empty list if there are no issues. */
function aboutFiles(step: Step, listed: readonly ListedIssue[]): readonly FileStep[] {
  return listed.length === 0 ? [] : [[step, listed.flatMap(({ content }) => content.paths)]];
}
