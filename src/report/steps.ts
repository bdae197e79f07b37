import { accountOwner, author, FILE, rerun, type Step, workflowOwner } from '../causes/cause.ts';
import type { Findings } from '../findings.ts';
import type { Inputs } from '../inputs/parse.ts';
import { formatList } from '../lib/format.ts';
import { isServiceFault } from '../verdict/judge.ts';
import { issuesByEffect, type ListedIssue } from './facts.ts';
import { describeUncompared } from './phrases.ts';
import type { Report, ReportedCause, ReportFacts } from './report.ts';

/** What the steps depend on beside the report. */
type StepFacts = Pick<Findings, 'created' | 'stateFile' | 'waivers'> & Pick<Inputs, 'service'>;

/** How many files, and reasons against a waiver, a step names. */
const MAX_NAMED = 3;

/** Replaces `FILE` in a step with the names of the files. */
export function withFiles(step: Step, paths: readonly string[]): Step {
  const names = paths.map((path) => `\`${path}\``);
  const files = names.length === 0 ? 'the file' : formatList(names, MAX_NAMED);
  return { ...step, text: step.text.replaceAll(FILE, () => files) };
}

/** A step, and the files that `FILE` stands for in its text. */
type FileStep = readonly [step: Step, paths: readonly string[]];

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
  return workflowOwner(`On the base branch, because this pull request does not change the file: ${fix}`);
}

/** Says what readers can do: about each cause, and first of all. */
export function completeSteps(run: ReportFacts, facts: StepFacts): Pick<Report, 'causes' | 'nextSteps'> {
  const causes = run.causes.map((cause) => ({ ...cause, steps: stepsOfCause(cause, run, facts) }));
  const withOwner = (step: Step): Step =>
    step.actor === 'author' && run.run.subject !== 'pull request' ? { ...step, actor: 'file owner' } : step;
  return {
    causes: causes.map(({ steps, ...cause }) => ({
      ...cause,
      steps: steps.map((step) => withOwner(withFiles(step, cause.paths))),
    })),
    nextSteps: stepsFor({ ...run, causes }, facts).map(withOwner),
  };
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
      .map((step) => (submission === 'open' && step.actor === 'anyone' ? rerun(step.text, note) : step)),
    ...(reason === 'timeout' ? [RAISE_TIMEOUT] : []),
    ...(isServiceFault({ reason }) && verdict === 'error' && !isPassing ? [FORGIVE] : []),
  ];
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
  const groups = Map.groupBy(steps, ([step]) => JSON.stringify(step));
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
  const keep = workflowOwner(`If issues that the base branch has may stay, as in ${FILE}, set ${ways.join(' or ')}.`);
  return [
    ...aboutFiles(dismissStep(service, stops), stops),
    ...(waiversFile === undefined ? [] : aboutFiles(waive, stops)),
    ...(run.uncompared && run.run.pullRequest ? aboutFiles(workflowOwner(describeUncompared(run)), stops) : []),
    ...(ways.length === 0 ? [] : aboutFiles(keep, untouched)),
  ];
}

function dismissStep(service: StepFacts['service'], listed: readonly ListedIssue[]): Step {
  const host = service ? ` (\`${new URL(service.baseUrl).host}\`)` : '';
  const what = listed.length === 1 ? 'the issue is wrong, dismiss it' : 'the issues are wrong, dismiss them';
  return accountOwner(`If ${what} at the service${host}, then re-run this job. Nothing is billed again.`);
}

function waiveStep({ waiversFile, run }: ReportFacts, listed: readonly ListedIssue[]): Step {
  const reasons = [...new Set(listed.flatMap(({ issue }) => issue.whyNotWaived ?? []))].slice(0, MAX_NAMED);
  const merge = `If ${FILE} is acceptable, merge a waiver into \`${waiversFile}\`, in a pull request of its own.`;
  const update = 'Then update this branch from its base: a re-run alone does not read it.';
  return workflowOwner([...reasons, merge, ...(run.pullRequest ? [update] : [])].join(' '));
}

function byChange(listed: readonly ListedIssue[]): Partial<Record<'own' | 'untouched', ListedIssue[]>> {
  return Object.groupBy(listed, ({ content }) => (content.isChanged === false ? 'untouched' : 'own'));
}

/** The step with the files of the issues; an empty list if there are no issues. */
function aboutFiles(step: Step, listed: readonly ListedIssue[]): readonly FileStep[] {
  return listed.length === 0 ? [] : [[step, listed.flatMap(({ content }) => content.paths)]];
}
