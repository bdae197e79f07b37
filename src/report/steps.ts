import { accountOwner, author, FILE, rerun, type Step, workflowOwner } from '../causes/cause.ts';
import type { Findings } from '../findings.ts';
import type { Inputs } from '../inputs/parse.ts';
import { formatList } from '../lib/format.ts';
import { issuesWith, type Report, type ReportedCause, type ReportFacts } from './report.ts';

/** What the steps depend on beside the report. */
type StepSources = Pick<Findings, 'created' | 'stateFile' | 'waivers'> & Pick<Inputs, 'service'>;

/** A step, and the files that `FILE` stands for in its text. */
type FileStep = readonly [step: Step, paths: readonly string[]];

/** How many files a step names. */
const MAX_NAMED = 2;

/** The guide names the same variable, so change both together. */
const FORGIVE = workflowOwner(
  'If changes may pass unchecked during the outage, set `on-service-error` to `warn` (in the example workflows by the variable `COMPLIANCE_ON_SERVICE_ERROR`), and set it back afterwards.',
);

/** Completes the steps of each cause, and merges them with the steps of the run into `nextSteps`. */
export function completeSteps(facts: ReportFacts, sources: StepSources): Pick<Report, 'causes' | 'nextSteps'> {
  const causes = facts.causes.map((cause) => ({ cause, steps: stepsOfCause(cause, facts, sources) }));
  const ofCauses = causes.flatMap(({ steps }) => steps);
  return {
    causes: causes.map(({ cause, steps }) => ({ ...cause, steps: mergeSteps(steps, facts) })),
    nextSteps: mergeSteps(stepsFor(facts, ofCauses, sources), facts),
  };
}

/** The steps of a cause, with advice that depends on the rest of the run. */
function stepsOfCause(
  { steps, submission, isChanged, reason, path }: ReportedCause,
  { verdict, isPassing, mode }: ReportFacts,
  { stateFile, created }: StepSources,
): readonly FileStep[] {
  const bills = mode === 'live' ? ' and bills' : '';
  // Without a saved state, a later run cannot find the submission that this run created.
  const isLost = stateFile === '' && created !== undefined;
  const again = rerun(
    undefined,
    `It sends${bills} all files again, because this run could not save its state (see \`state-file\`).`,
  );
  const note = `It waits for the analysis that is still running, and sends${bills} only what has failed by then.`;
  const withCost = (step: Step): Step => {
    if (step.actor !== 'anyone') return step;
    if (isLost) return again;
    return submission === 'open' ? rerun(step.text, note) : step;
  };
  return [
    ...steps.map((step) => (isChanged === false && step.actor === 'author' ? onBase(step) : step)).map(withCost),
    ...(reason === 'service' && verdict === 'error' && !isPassing ? [FORGIVE] : []),
  ].map((step) => [step, path === undefined ? [] : [path]]);
}

/** The step of an author, for a file that the pull request does not change. */
function onBase({ text }: Step): Step {
  const fix = text.replace(/^./, (first) => first.toLowerCase());
  return workflowOwner(`On the base branch: ${fix}`);
}

function stepsFor(
  facts: ReportFacts,
  ofCauses: readonly FileStep[],
  { waivers, service }: StepSources,
): readonly FileStep[] {
  const { verdict, mode, unchecked, reason, waiversFile } = facts;
  const stops = issuesWith('Stops the check', facts);
  const live = workflowOwner('To have the files analysed, use a live key (`sk_live_…`).');
  const fix = author(`Correct or replace ${FILE}, commit and push.`);
  const fixes = stops.map(
    ({ content: { isChanged, paths } }): FileStep => [isChanged === false ? onBase(fix) : fix, paths],
  );
  // If no waiver counts in this run, solve that first: another waiver would not count either.
  const waive = waivers?.whyNoneCounts === undefined ? waiveStep(facts) : workflowOwner(waivers.whyNoneCounts);
  const accept = [dismissStep(mode, service), ...(waiversFile === undefined ? [] : [waive])];
  const select = workflowOwner(
    `If ${FILE} should be checked, add to the input \`files\`, or export as MP4, MP3, PNG or PDF, for example. If not, exclude with a \`!\` line there.`,
  );
  return [
    ...(verdict === 'pass' && mode === 'sandbox' ? [[live, []] as const] : []),
    ...fixes,
    ...ofCauses,
    ...(stops.length > 0 ? accept.map((step): FileStep => [step, []]) : []),
    ...(unchecked.length > 0 && reason !== 'no-key' ? [[select, unchecked] as const] : []),
  ];
}

/** Merges equal steps into one step that names all files. The steps of the author come first. */
function mergeSteps(steps: readonly FileStep[], { run }: ReportFacts): readonly Step[] {
  const groups = Map.groupBy(steps, ([step]) => JSON.stringify(step));
  const merged = [...groups.values()].flatMap((group) => {
    const names = new Set(group.flatMap(([, paths]) => paths.map((path) => `\`${path}\``)));
    const files = names.size === 0 ? 'the file' : formatList([...names], MAX_NAMED);
    return group.slice(0, 1).map(([step]) => ({ ...step, text: step.text.replaceAll(FILE, () => files) }));
  });
  const sorted = merged.toSorted((one, other) => Number(other.actor === 'author') - Number(one.actor === 'author'));
  return sorted.map((step) =>
    step.actor === 'author' && run.subject !== 'pull request' ? { ...step, actor: 'file owner' } : step,
  );
}

function dismissStep(mode: ReportFacts['mode'], service: StepSources['service']): Step {
  const host = service ? ` (\`${new URL(service.baseUrl).host}\`)` : '';
  const cost = mode === 'live' ? ' Nothing is billed again.' : '';
  return accountOwner(`If an issue is wrong, dismiss it at the service${host} and re-run this job.${cost}`);
}

function waiveStep({ waiversFile, run }: ReportFacts): Step {
  const merge = `If an issue is acceptable, merge a waiver into \`${waiversFile}\`, in a pull request of its own.`;
  const update = 'Then update this branch from its base: a re-run alone does not read it.';
  return workflowOwner(run.pullRequest ? `${merge} ${update}` : merge);
}
