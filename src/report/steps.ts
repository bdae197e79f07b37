import type { Findings } from '../findings.ts';
import type { Inputs } from '../inputs/parse.ts';
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
import { formatList } from '../lib/format.ts';
import { isServiceFault } from '../verdict/judge.ts';
import { issuesByEffect, type ListedIssue } from './facts.ts';
import { describeUncompared } from './phrases.ts';
import type { Report, ReportedCause, ReportFacts } from './report.ts';

/** What the steps depend on beside the report. */
type StepFacts = Pick<Findings, 'created' | 'stateFile' | 'waivers'> & Pick<Inputs, 'service'>;

/** A step, and the files that `FILE` stands for in its text. */
type FileStep = readonly [step: Step, paths: readonly string[]];

const NOT_YOURS: Step = {
  ...author('Send this link'),
  link: 'run',
  to: 'workflow owner',
  note: 'There is nothing to fix in your media files.',
};
const RAISE_TIMEOUT = workflowOwner('If analyses usually take this long, raise `wait-timeout-minutes`.');
const RESUMES =
  'It goes on waiting for this submission, and sends a file again only if its analysis has failed or is gone.';
const UNSAVED = 'this run could not save its state (see `state-file`).';
/** The guide names the same variable, so change both together. */
const FORGIVE = workflowOwner(
  'In an outage, you can let changes through unchecked: set `on-service-error` to `warn` (in the example workflows by the variable `COMPLIANCE_ON_SERVICE_ERROR`), and set it back afterwards.',
);

/** The step of an author, for a file that the pull request does not change. */
function onBase({ text }: Step): Step {
  const fix = text.replace(/^./, (first) => first.toLowerCase());
  return { ...workflowOwner(`On the base branch: ${fix}`), note: 'Not changed by this pull request.' };
}

/** Says what readers can do: about each cause, and first of all. */
export function completeSteps(run: ReportFacts, facts: StepFacts): Pick<Report, 'causes' | 'nextSteps'> {
  const causes = run.causes.map((cause) => ({ ...cause, steps: stepsOfCause(cause, run, facts) }));
  const complete = (step: Step): Step => ({
    ...step,
    ...(step.actor === 'author' && !isAboutPull(run) && { actor: 'file owner' }),
    ...(step.link === 'run' && { link: run.run.url }),
  });
  return {
    causes: causes.map(({ steps, ...cause }) => ({
      ...cause,
      steps: steps.map((step) => complete(withFiles(step, cause.paths))),
    })),
    nextSteps: nextSteps({ ...run, causes }, facts).map(complete),
  };
}

function isAboutPull({ run }: ReportFacts): boolean {
  return run.subject === 'pull request';
}

/** The steps of a cause, with advice that depends on the rest of the run. */
function stepsOfCause(
  { steps, submission, isChanged, reason }: ReportedCause,
  { verdict, isPassing, mode }: ReportFacts,
  { stateFile, created }: StepFacts,
): readonly Step[] {
  const sendsAgain = `It submits${mode === 'live' ? ' and bills' : ''} all files again, because ${UNSAVED}`;
  // Without a saved state, a later run cannot find the submission that this run created.
  const note = stateFile === '' && created !== undefined ? sendsAgain : RESUMES;
  return [
    ...steps
      .map((step) => (isChanged === false && step.actor === 'author' ? onBase(step) : step))
      .map((step) => (submission === 'open' && step.link === 'run' ? { ...step, note } : step)),
    ...(reason === 'timeout' ? [RAISE_TIMEOUT] : []),
    ...(isServiceFault({ reason }) && verdict === 'error' && !isPassing ? [FORGIVE] : []),
  ];
}

/** If the author of the pull request can fix nothing, the first step says so. */
function nextSteps(run: ReportFacts, facts: StepFacts): readonly Step[] {
  const steps = stepsFor(run, facts);
  const first = steps.find(({ isAlternative }) => !isAlternative)?.actor;
  const isForOthers = first === 'workflow owner' || first === 'account owner';
  // A file that was not judged because of an outage may have issues that only the author can fix.
  const hasOutage = run.causes.some(isServiceFault);
  return isAboutPull(run) && !run.isPassing && isForOthers && !hasOutage ? [NOT_YOURS, ...steps] : steps;
}

function stepsFor(run: ReportFacts, facts: StepFacts): readonly Step[] {
  const { verdict, mode, causes, unchecked } = run;
  if (verdict === 'pass') {
    const live = workflowOwner('To have the files analysed, use a live key (`sk_live_…`).');
    return [...(mode === 'sandbox' ? [live] : []), ...checkUnchecked(unchecked)];
  }
  const ofCauses = causes.flatMap(({ steps, paths }) => steps.map((step): FileStep => [step, paths]));
  const { stops } = issuesByEffect(run);
  return mergeSteps([...fixSteps(stops), ...ofCauses, ...acceptSteps(stops, run, facts)]);
}

/** The steps about media that were not checked. The path of a submodule that is not checked out ends in `/`. */
export function checkUnchecked(paths: readonly string[]): readonly Step[] {
  const { submodules = [], files = [] } = Object.groupBy(paths, (path) =>
    path.endsWith('/') ? 'submodules' : 'files',
  );
  const select = `Export ${FILE} in a form that is checked by default (MP4, MP3, PNG or PDF, for example) and exclude the original with a \`!\` line in the input \`files\`. Or only exclude it there. Or add it there: if the service does not take this kind of file, the check then turns red for everybody.`;
  const lines = formatList(submodules.map((folder) => `\`!${folder}**\``));
  const checkOut = `To have ${FILE} checked, set \`submodules: true\` in the \`actions/checkout\` step: the media in it are then sent and billed. If that is not needed, add the line ${lines} to the input \`files\`.`;
  return [
    ...(files.length > 0 ? [withFiles(workflowOwner(select), files)] : []),
    ...(submodules.length > 0 ? [withFiles(workflowOwner(checkOut), submodules)] : []),
  ];
}

/** Merges equal steps into one step that names all files. The steps of the author come first. */
function mergeSteps(steps: readonly FileStep[]): readonly Step[] {
  const groups = Map.groupBy(steps, ([{ actor, text, note }]) => JSON.stringify([actor, text, note]));
  const merged = [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map(([step]) => withFiles(step, [...new Set(group.flatMap(([, paths]) => paths))])),
  );
  return merged.toSorted((one, other) => Number(other.actor === 'author') - Number(one.actor === 'author'));
}

function fixSteps(stops: readonly ListedIssue[]): readonly FileStep[] {
  const { untouched = [], own = [] } = byChange(stops);
  const fix = author(`Change or replace ${FILE} and push.`);
  return [...aboutFiles(fix, own), ...aboutFiles(onBase(fix), untouched)];
}

/** Each step is one way to make the check pass without a change of the file. */
function acceptSteps(
  stops: readonly ListedIssue[],
  run: ReportFacts,
  { waivers, service }: StepFacts,
): readonly FileStep[] {
  const { waiversFile, policy } = run;
  const { untouched = [] } = byChange(stops);
  // If `problem` says why no waiver counts in this run, solve that first: another waiver would not count either.
  const waive = waivers?.problem === undefined ? waiveStep(run, stops) : workflowOwner(waivers.problem);
  const ways = [
    ...(waiversFile === undefined ? ['`waivers-file`'] : []),
    ...(policy.failOnIssues === 'all' ? ['`fail-on-issues: new`'] : []),
  ];
  const keep = workflowOwner(`To accept issues that the base branch has, as in ${FILE}, set ${ways.join(' or ')}.`);
  return [
    ...aboutFiles(dismissStep(service, stops), stops),
    ...(waiversFile === undefined ? [] : aboutFiles(waive, stops)),
    ...(run.uncompared && run.run.pullRequest ? aboutFiles(workflowOwner(describeUncompared(run)), stops) : []),
    ...(ways.length === 0 ? [] : aboutFiles(keep, untouched)),
  ].map(([step, paths]) => [ifNoProblem(step), paths]);
}

function dismissStep(service: StepFacts['service'], listed: readonly ListedIssue[]): Step {
  const host = service ? ` (\`${new URL(service.baseUrl).host}\`)` : '';
  // The step links to a single issue only. Several issues have their links in the list of issues.
  const link = listed.length === 1 ? listed[0]?.issue.url : undefined;
  return {
    ...accountOwner(`Dismiss the ${listed.length === 1 ? 'issue' : 'issues'} in ${FILE} at the service${host}.`),
    note: 'Then re-run this job.',
    ...(link !== undefined && { link }),
  };
}

function waiveStep({ waiversFile, run }: ReportFacts, listed: readonly ListedIssue[]): Step {
  const reasons = [...new Set(listed.flatMap(({ issue }) => issue.whyNotWaived ?? []))].slice(0, MAX_NAMED);
  const what = listed.length === 1 ? 'a waiver for the issue' : 'waivers for the issues';
  const merge = `Merge ${what} in ${FILE} into \`${waiversFile}\`, in a pull request of its own.`;
  const note = 'Then update this branch from its base: a re-run alone does not read it.';
  return { ...workflowOwner([...reasons, merge].join(' ')), ...(run.pullRequest && { note }) };
}

function byChange(listed: readonly ListedIssue[]): Partial<Record<'own' | 'untouched', ListedIssue[]>> {
  return Object.groupBy(listed, ({ content }) => (content.isChanged === false ? 'untouched' : 'own'));
}

/** The step with the files of the issues; an empty list if there are no issues. */
function aboutFiles(step: Step, listed: readonly ListedIssue[]): readonly FileStep[] {
  return listed.length === 0 ? [] : [[step, listed.flatMap(({ content }) => content.paths)]];
}
