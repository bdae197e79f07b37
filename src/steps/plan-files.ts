import type { Runner } from '../github/runner.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { type Cause, GateError } from '../lib/cause.ts';
import { formatBytes, plural } from '../lib/format.ts';
import { assertHeadCheckedOut } from '../media/checkout.ts';
import type { Content } from '../media/content.ts';
import { discover } from '../media/discover.ts';
import type { Inspection } from '../media/inspect.ts';
import { pointerProblem } from '../media/lfs.ts';
import { noneChanged, onlyChanged } from '../media/only-changed.ts';
import { type ConfirmOptions, confirmAll, describeLastKnown } from '../plan/confirm.ts';
import { type Losses, NO_LOSSES, type Plan, plan, settingsOf, tooMany } from '../plan/plan.ts';
import { DIRECT_UPLOAD_CAP } from '../service/upload.ts';
import type { EarlierState } from '../state/earlier-state.ts';
import { historyOf } from '../verdict/baseline.ts';
import {
  DRY_RUN,
  dryRunNotice,
  lastKnownOf,
  missingBaselineNotice,
  NO_FILES_MATCH,
  skip,
} from '../verdict/ending-causes.ts';
import type { Confirmed, Discovered, Outcome, Planned, Skipped } from '../verdict/outcome.ts';
import { Waivers } from '../verdict/waivers.ts';
import type { Environment, Session } from './environment.ts';
import { findWaivers } from './find-waivers.ts';

/** inputs → discover: the files to check, and why there are none. */
export async function discoverFiles(
  inputs: Inputs,
  { context, github, runner, signal }: Environment,
): Promise<{ readonly progress: Discovered; readonly nothingToCheck: Skipped | undefined }> {
  const place = { ...context, workspace: inputs.root };
  const matched = await discover(inputs.files, inputs.root, { isDefault: inputs.filesAreDefault, signal });
  await assertHeadCheckedOut(matched, place, github);
  const discovery = inputs.onlyChanged
    ? await onlyChanged(matched, inputs.files, { run: place, api: github })
    : matched;
  runner.log.info(`${plural(discovery.files.length, 'file')} to check`);
  const progress: Discovered = { stage: 'discovered', notices: discovery.notices, discovery };
  if (discovery.files.length > 0) return { progress, nothingToCheck: undefined };
  if (matched.files.length > 0) return { progress, nothingToCheck: skip(noneChanged(matched.files.length), true) };
  if (inputs.ifNoFilesFound === 'error') throw new GateError(NO_FILES_MATCH);
  return { progress, nothingToCheck: skip(NO_FILES_MATCH, inputs.ifNoFilesFound === 'ignore') };
}

/** inspect → plan: what earlier runs analysed and what people accepted decide about each file. */
export async function planFiles(
  discovered: Discovered,
  inspection: Inspection,
  inputs: Inputs,
  { context, github, store }: Environment,
): Promise<{ readonly planned: Planned; readonly planWithout: (losses: Losses) => Plan }> {
  const rules = {
    repositoryId: context.repositoryId,
    reuseDays: inputs.reuseDays,
    settings: settingsOf(inputs.sidekickIds),
    now: new Date(),
  };
  const planFrom = (earlierState: EarlierState, losses: Losses): Plan =>
    plan({ files: inspection.files, pointers: inspection.pointers, earlierState, losses, rules });
  const loaded = await store.load({
    canReuse: inputs.reuseDays > 0 && !inputs.dryRun,
    hasBaseline: inputs.policy.failOnIssues === 'new' && context.baseBranch !== undefined,
    isEnough: (earlierState) => {
      const draft = planFrom(earlierState, NO_LOSSES);
      // What is open in one state may be analysed in another.
      return draft.submit.length + draft.await.length + draft.unknownPointers.length === 0;
    },
  });
  const history = historyOf(loaded, context);
  const place = { ...context, workspace: inputs.root };
  const found = inputs.waiversFile === undefined ? undefined : await findWaivers(inputs.waiversFile, place, github);
  const planWithout = (losses: Losses): Plan => planFrom(history.earlierState, losses);
  const isBaselineMissing = inputs.policy.failOnIssues === 'new' && !history.baseline;
  const planned: Planned = {
    ...discovered,
    stage: 'planned',
    notices: [
      ...discovered.notices,
      ...inspection.warnings,
      ...loaded.notices,
      ...history.notices,
      ...(isBaselineMissing ? [missingBaselineNotice(context)] : []),
      ...(found?.notices ?? []),
    ],
    history,
    waivers: found && new Waivers(found.waivers, new Date()),
    plan: planWithout(NO_LOSSES),
  };
  return { planned, planWithout };
}

/** Every reason why a file cannot be sent. */
function problemsIn(made: Plan, { problems }: Inspection, { maxFiles }: Inputs): readonly Cause[] {
  return [...problems, ...made.unknownPointers.map(pointerProblem), ...tooMany(made, maxFiles)];
}

export function dryRun(planned: Planned, inspection: Inspection, inputs: Inputs, { log }: Runner): Outcome {
  for (const text of describePlan(planned.plan)) log.info(text);
  const problems = problemsIn(planned.plan, inspection, inputs).map(dryRunNotice);
  return { progress: { ...planned, notices: [...planned.notices, ...problems] }, ending: skip(DRY_RUN) };
}

/** plan → confirmed plan: a reused or awaited analysis that the service no longer has is submitted again. */
export async function confirmPlan(
  planned: Planned,
  planWithout: (losses: Losses) => Plan,
  { access: { mode }, client }: Session,
  options: Pick<ConfirmOptions, 'failOnSeverity' | 'deadline'>,
): Promise<Confirmed> {
  const { plan: final, reused, outage } = await confirmAll(planned.plan, planWithout, { mode, client, ...options });
  const notice = outage ? undefined : describeLastKnown(reused);
  const notices = notice === undefined ? planned.notices : [...planned.notices, notice];
  return { ...planned, notices, stage: 'confirmed', plan: final, reused, outage };
}

/** Reports all problems at once, before anything is sent. An outage of the service excuses none of them. */
export function refuseProblems({ plan: final, outage }: Confirmed, inspection: Inspection, inputs: Inputs): void {
  const problems = problemsIn(final, inspection, inputs);
  const needsService = final.submit.length > 0 || final.await.length > 0;
  const all = outage && needsService ? [...problems, outage] : problems;
  if (all.length > 0) throw new GateError(all);
}

export function warnOfOutage({ plan: final, outage }: Confirmed, { log }: Runner): void {
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
