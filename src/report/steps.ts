import { accountOwner, author, FILE, rerun, type Step, workflowOwner } from '../causes/cause.ts';
import type { Findings } from '../findings.ts';
import type { Inputs } from '../inputs/parse.ts';
import { formatList } from '../lib/format.ts';
import { issuesByEffect, type ListedIssue } from './facts.ts';
import type { Report, ReportedCause, ReportFacts } from './report.ts';

/** What the steps depend on beside the report. */
type StepFacts = Pick<Findings, 'created' | 'stateFile' | 'waivers'> & Pick<Inputs, 'service'>;

/** A step, and the files that `FILE` stands for in its text. */
type FileStep = readonly [step: Step, paths: readonly string[]];

/** How many files, and reasons against a waiver, a step names. */
const MAX_NAMED = 2;

const UNSAVED = 'this run could not save its state (see `state-file`).';
/** The guide names the same variable, so change both together. */
const FORGIVE = workflowOwner(
  'If changes may pass unchecked during the outage, set `on-service-error` to `warn` (in the example workflows by the variable `COMPLIANCE_ON_SERVICE_ERROR`), and set it back afterwards.',
);

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
  const bills = mode === 'live' ? ' and bills' : '';
  // Without a saved state, a later run cannot find the submission that this run created.
  const isLost = stateFile === '' && created !== undefined;
  const again = rerun(undefined, `It sends${bills} all files again, because ${UNSAVED}`);
  const note = `It waits for the analysis that is still running, and sends${bills} only what has failed by then.`;
  const withCost = (step: Step): Step => {
    if (step.actor !== 'anyone') return step;
    if (isLost) return again;
    return submission === 'open' ? rerun(step.text, note) : step;
  };
  return [
    ...steps.map((step) => (isChanged === false && step.actor === 'author' ? onBase(step) : step)).map(withCost),
    ...(reason === 'service' && verdict === 'error' && !isPassing ? [FORGIVE] : []),
  ];
}

/** The step of an author, for a file that the pull request does not change. */
function onBase({ text }: Step): Step {
  const fix = text.replace(/^./, (first) => first.toLowerCase());
  return workflowOwner(`On the base branch: ${fix}`);
}

function stepsFor(run: ReportFacts, facts: StepFacts): readonly Step[] {
  const { verdict, mode, causes, unchecked, reason } = run;
  const live = workflowOwner('To have the files analysed, use a live key (`sk_live_…`).');
  const ofCauses = causes.flatMap(({ steps, paths }) => steps.map((step): FileStep => [step, paths]));
  const { stops } = issuesByEffect(run);
  return mergeSteps([
    ...(verdict === 'pass' && mode === 'sandbox' ? [[live, []] as const] : []),
    ...fixSteps(stops),
    ...ofCauses,
    ...acceptSteps(stops, run, facts),
    ...(reason === 'no-key' ? [] : checkUnchecked(unchecked)),
  ]);
}

/** The steps about media that were not checked. The path of a submodule that is not checked out ends in `/`. */
function checkUnchecked(paths: readonly string[]): readonly FileStep[] {
  const { submodules = [], files = [] } = Object.groupBy(paths, (path) =>
    path.endsWith('/') ? 'submodules' : 'files',
  );
  const select = `If ${FILE} should be checked, export it as MP4, MP3, PNG or PDF, for example, or add it to the input \`files\`. If not, exclude it there with a \`!\` line.`;
  const lines = formatList(submodules.map((folder) => `\`!${folder}**\``));
  const checkOut = `If ${FILE} should be checked, set \`submodules: true\` in the \`actions/checkout\` step: its media are then sent and billed. If not, add the line ${lines} to the input \`files\`.`;
  return [
    ...(files.length > 0 ? [[workflowOwner(select), files] as const] : []),
    ...(submodules.length > 0 ? [[workflowOwner(checkOut), submodules] as const] : []),
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

/** Replaces `FILE` in a step with the names of the files. */
export function withFiles(step: Step, paths: readonly string[]): Step {
  const names = paths.map((path) => `\`${path}\``);
  const files = names.length === 0 ? 'the file' : formatList(names, MAX_NAMED);
  return { ...step, text: step.text.replaceAll(FILE, () => files) };
}

function fixSteps(stops: readonly ListedIssue[]): readonly FileStep[] {
  const { untouched = [], own = [] } = Object.groupBy(stops, ({ content }) =>
    content.isChanged === false ? 'untouched' : 'own',
  );
  const fix = author(`Correct or replace ${FILE}, commit and push.`);
  return [...aboutFiles(fix, own), ...aboutFiles(onBase(fix), untouched)];
}

/** Each step is one way to make the check pass without a change of the file. */
function acceptSteps(
  stops: readonly ListedIssue[],
  run: ReportFacts,
  { waivers, service }: StepFacts,
): readonly FileStep[] {
  if (stops.length === 0) return [];
  const host = service ? ` (\`${new URL(service.baseUrl).host}\`)` : '';
  const wrong = stops.length === 1 ? 'the issue is wrong, dismiss it' : 'issues are wrong, dismiss them';
  const cost = run.mode === 'live' ? ' Nothing is billed again.' : '';
  const dismiss = accountOwner(`If ${wrong} at the service${host} and re-run this job.${cost}`);
  // If `problem` says why no waiver counts in this run, solve that first: another waiver would not count either.
  const waive = waivers?.problem === undefined ? waiveStep(run, stops) : workflowOwner(waivers.problem);
  return [[dismiss, []], ...(run.waiversFile === undefined ? [] : [[waive, []] as const])];
}

function waiveStep({ waiversFile, run }: ReportFacts, listed: readonly ListedIssue[]): Step {
  const reasons = [...new Set(listed.flatMap(({ issue }) => issue.whyNotWaived ?? []))].slice(0, MAX_NAMED);
  const what = listed.length === 1 ? 'the issue is acceptable, merge a waiver' : 'issues are acceptable, merge waivers';
  const merge = `If ${what} into \`${waiversFile}\`, in a pull request of its own.`;
  const update = 'Then update this branch from its base: a re-run alone does not read it.';
  return workflowOwner([...reasons, merge, ...(run.pullRequest ? [update] : [])].join(' '));
}

/** The step with the files of the issues; an empty list if there are no issues. */
function aboutFiles(step: Step, listed: readonly ListedIssue[]): readonly FileStep[] {
  return listed.length === 0 ? [] : [[step, listed.flatMap(({ content }) => content.paths)]];
}
