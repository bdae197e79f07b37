import type { Inputs } from '../inputs/inputs.ts';
import { type Cause, GateError } from '../lib/cause.ts';
import { formatBytes, plural } from '../lib/format.ts';
import { assertHeadCheckedOut } from '../media/checkout.ts';
import type { Content } from '../media/content.ts';
import { discover } from '../media/discover.ts';
import { inspect } from '../media/inspect.ts';
import { pointerProblem } from '../media/lfs.ts';
import { noneChanged, onlyChanged } from '../media/only-changed.ts';
import { confirmPlan, describeLastKnown } from '../plan/confirm.ts';
import { hashSidekicks, type Plan, type PlanOptions, plan, tooMany } from '../plan/plan.ts';
import { readEarlier } from '../plan/read-earlier.ts';
import { DIRECT_UPLOAD_CAP } from '../service/upload.ts';
import { historyOf } from '../verdict/baseline.ts';
import {
  DRY_RUN,
  dryRunNotice,
  lastKnownOf,
  missingBaselineNotice,
  noFilesMatch,
  skip,
} from '../verdict/ending-causes.ts';
import type { Outcome, Skipped } from '../verdict/outcome.ts';
import type { Confirmed, Discovered, Inspected, Planned } from '../verdict/progress.ts';
import { Waivers } from '../verdict/waivers.ts';
import { checkoutContext, type Environment, type Session, startDeadline } from './environment.ts';
import { findWaivers } from './find-waivers.ts';

/** inputs → discover: the files to check, or why there are none. */
export async function discoverFiles(
  environment: Environment,
): Promise<{ readonly discovered: Discovered; readonly nothingToCheck: Skipped | undefined }> {
  const { inputs, github, runner, signal } = environment;
  const checkout = checkoutContext(environment);
  const matched = await discover(inputs.files, inputs.root, { isDefault: inputs.filesAreDefault, signal });
  await assertHeadCheckedOut(matched, checkout, github);
  const discovery = inputs.onlyChanged
    ? await onlyChanged(matched, inputs.files, { run: checkout, api: github })
    : matched;
  runner.log.info(`${plural(discovery.files.length, 'file')} to check`);
  const discovered: Discovered = { stage: 'discovered', notices: discovery.notices, discovery };
  if (discovery.files.length > 0) return { discovered, nothingToCheck: undefined };
  if (matched.files.length > 0) return { discovered, nothingToCheck: skip(noneChanged(matched.files.length), true) };
  if (inputs.ifNoFilesFound === 'error') throw new GateError(noFilesMatch(inputs));
  return { discovered, nothingToCheck: skip(noFilesMatch(inputs), inputs.ifNoFilesFound === 'ignore') };
}

/** discover → inspect: type, size and hash of each file. */
export async function inspectFiles(discovered: Discovered, { signal }: Environment): Promise<Inspected> {
  const inspection = await inspect(discovered.discovery, signal);
  const notices = [...discovered.notices, ...inspection.warnings];
  return { ...discovered, stage: 'inspected', notices, inspection };
}

/** inspect → plan: the source of each file, from what earlier runs analysed. */
export async function planFiles(inspected: Inspected, environment: Environment): Promise<Planned> {
  const { inputs, context, github, store } = environment;
  const { failOnIssues } = inputs.policy;
  const rules = {
    repositoryId: context.repositoryId,
    reuseDays: inputs.reuseDays,
    settings: hashSidekicks(inputs.sidekickIds),
    now: new Date(),
  };
  const loaded = await store.load({
    canReuse: inputs.reuseDays > 0 && !inputs.dryRun,
    hasBaseline: failOnIssues === 'new' && context.baseBranch !== undefined,
    isEnough: (earlierState) => {
      const draft = plan({ ...inspected.inspection, earlierState, rules });
      // What is open in one state may be analysed in another.
      return draft.submit.length + draft.await.length + draft.unknownPointers.length === 0;
    },
  });
  const history = historyOf(loaded, context);
  const { waiversFile } = inputs;
  const found =
    waiversFile === undefined ? undefined : await findWaivers(waiversFile, checkoutContext(environment), github);
  const isBaselineMissing = failOnIssues === 'new' && !history.baseline;
  return {
    ...inspected,
    stage: 'planned',
    notices: [
      ...inspected.notices,
      ...loaded.notices,
      ...history.notices,
      ...(isBaselineMissing ? [missingBaselineNotice(context)] : []),
      ...(found?.notices ?? []),
    ],
    history,
    waivers: found && new Waivers(found.waivers, new Date()),
    rules,
    plan: plan({ ...inspected.inspection, earlierState: history.earlierState, rules }),
  };
}

/** Every reason why a file cannot be sent. */
function problemsIn({ plan: made, inspection }: Planned | Confirmed, { maxFiles }: Inputs): readonly Cause[] {
  return [...inspection.problems, ...made.unknownPointers.map(pointerProblem), ...tooMany(made, maxFiles)];
}

export function dryRun(planned: Planned, { inputs, runner: { log } }: Environment): Outcome {
  for (const text of describePlan(planned.plan)) log.info(text);
  const notices = [...planned.notices, ...problemsIn(planned, inputs).map(dryRunNotice)];
  return { progress: { ...planned, notices }, ending: skip(DRY_RUN) };
}

/** plan → confirmed plan: a reused or awaited analysis that the service no longer has is submitted again. */
export async function confirmFiles(
  planned: Planned,
  environment: Environment,
  { access: { mode }, client }: Session,
): Promise<Confirmed> {
  const { inspection, history, rules } = planned;
  const basis: PlanOptions = { ...inspection, earlierState: history.earlierState, rules };
  const { failOnSeverity } = environment.inputs.policy;
  const options = { mode, client, failOnSeverity, deadline: startDeadline(environment) };
  const confirmed = await confirmPlan(
    planned.plan,
    (losses) => plan({ ...basis, losses }),
    (draft) => readEarlier(draft, options),
  );
  const notice = confirmed.outage ? undefined : describeLastKnown(confirmed.reused);
  const notices = notice === undefined ? planned.notices : [...planned.notices, notice];
  return { ...planned, ...confirmed, stage: 'confirmed', notices };
}

/**
 * Reports all problems at once, before anything is sent. An outage of the service excuses none of them, and is only a
 * warning if nothing has to be sent or awaited.
 */
export function refuseProblems(confirmed: Confirmed, { inputs, runner: { log } }: Environment): void {
  const { plan: final, outage } = confirmed;
  const needsService = final.submit.length > 0 || final.await.length > 0;
  const problems = [...problemsIn(confirmed, inputs), ...(outage && needsService ? [outage] : [])];
  if (problems.length > 0) throw new GateError(problems);
  if (outage) log.warning(lastKnownOf(outage, final)?.message ?? outage.message);
}

/** The lines that a dry run prints: what would be sent, to where and why, and what would be reused or awaited. */
export function describePlan({ submit, reuse, await: awaited }: Plan): readonly string[] {
  const open = awaited.flatMap(({ submissionId, contents }) => contents.map((content) => ({ content, submissionId })));
  const total = submit.reduce((sum, { content }) => sum + content.size, 0);
  return [
    ...submit.map(({ content, why }) => {
      const what = content.size <= DIRECT_UPLOAD_CAP ? 'send to service' : 'send to storage';
      return line(what, content, `${content.file.type.mime}; ${why}`);
    }),
    ...open.map(({ content, submissionId }) => line('wait', content, `in submission ${submissionId}`)),
    ...reuse.map(({ content, known }) => line('reuse', content, `analysed ${known.analysedAt.slice(0, 10)}`)),
    `${submit.length} to send (${formatBytes(total)}), ${reuse.length} to reuse, ${open.length} to wait for`,
  ];
}

function line(what: string, { size, paths }: Content, why: string): string {
  return `${what.padEnd(16)} ${formatBytes(size).padStart(9)}  ${paths.join(', ')} (${why})`;
}
