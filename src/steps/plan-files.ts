import type { Inputs } from '../inputs/inputs.ts';
import { type Cause, GateError } from '../lib/cause.ts';
import { formatBytes, formatList, plural } from '../lib/format.ts';
import { assertHeadCheckedOut } from '../media/checkout.ts';
import type { Content } from '../media/content.ts';
import { discover } from '../media/discover.ts';
import { inspect } from '../media/inspect.ts';
import { pointerProblem } from '../media/lfs.ts';
import { noneChanged, onlyChanged } from '../media/only-changed.ts';
import { confirmPlan, describeLastKnown } from '../plan/confirm.ts';
import { makePlan, type Plan, type PlanOptions, tooMany } from '../plan/plan.ts';
import { readEarlier } from '../plan/read-earlier.ts';
import { DIRECT_UPLOAD_CAP } from '../service/upload.ts';
import { lastKnownOf } from '../verdict/last-known.ts';
import { type Outcome, type Skipped, skip } from '../verdict/outcome.ts';
import type { Confirmed, Discovered, HistoryLoaded, Inspected, Planned, WaiversLoaded } from '../verdict/progress.ts';
import { type Environment, type Session, startDeadline } from './environment.ts';

const MAX_PATTERNS = 5;

function noFilesMatch({
  files,
  filesAreDefault,
  searchRoot,
}: Pick<Inputs, 'files' | 'filesAreDefault' | 'searchRoot'>): Cause {
  const patterns = filesAreDefault
    ? 'the default patterns'
    : formatList(
        files.map(({ text }) => `\`${text}\``),
        MAX_PATTERNS,
      );
  return {
    reason: 'no-files',
    message: 'No file matches the input `files`, so nothing was checked.',
    fix: `Searched in ${searchRoot} for ${patterns}. If there should be media, correct \`files\` or \`working-directory\`. If not, set \`if-no-files-found: ignore\`.`,
  };
}

/** inputs → discover: the files to check, or why there are none. */
export async function discoverFiles(
  environment: Environment,
): Promise<{ readonly discovered: Discovered; readonly nothingToCheck: Skipped | undefined }> {
  const { inputs, context, github, runner, signal } = environment;
  const checkout = { ...context, searchRoot: inputs.searchRoot };
  const matched = await discover(inputs.files, inputs.searchRoot, { isDefault: inputs.filesAreDefault, signal });
  await assertHeadCheckedOut(checkout, github);
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

/** waivers → inspect: type, size and hash of each file. */
export async function inspectFiles(loaded: WaiversLoaded, { signal }: Environment): Promise<Inspected> {
  const inspection = await inspect(loaded.discovery, signal);
  const notices = [...loaded.notices, ...inspection.warnings];
  return { ...loaded, stage: 'inspected', notices, inspection };
}

/** history → plan: the source of each file, from what earlier runs analysed. */
export function planFiles(loaded: HistoryLoaded): Planned {
  const { inspection, history, rules } = loaded;
  return { ...loaded, stage: 'planned', plan: makePlan({ ...inspection, earlierState: history.earlierState, rules }) };
}

/** Every reason why a file cannot be sent. */
function problemsIn(
  { plan, inspection }: Planned | Confirmed,
  { inputs, context }: Pick<Environment, 'inputs' | 'context'>,
): readonly Cause[] {
  const pointers = plan.unknownPointers.map((pointer) => pointerProblem(pointer, context.workflow));
  return [...inspection.problems, ...pointers, ...tooMany(plan, inputs.maxFiles)];
}

const DRY_RUN: Cause = {
  reason: 'dry-run',
  message: 'This was a dry run: nothing was sent or judged.',
  fix: 'Remove `dry-run: true` to send the files and judge the issues.',
};

/** A dry run reports what would make a real run fail. */
function dryRunNotice({ path, message, fix }: Cause): string {
  return `A real run would fail: ${path === undefined ? '' : `${path}: `}${message} ${fix}`;
}

/** plan → end: logs the plan, and reports what would make a real run fail. */
export function dryRun(planned: Planned, { inputs, context, runner: { log } }: Environment): Outcome {
  for (const text of describePlan(planned.plan)) log.info(text);
  const notices = [...planned.notices, ...problemsIn(planned, { inputs, context }).map(dryRunNotice)];
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
    (losses) => makePlan({ ...basis, losses }),
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
export function refuseProblems(confirmed: Confirmed, { inputs, context, runner: { log } }: Environment): void {
  const { plan, outage } = confirmed;
  const needsService = plan.toSubmit.length > 0 || plan.toAwait.length > 0;
  const problems = [...problemsIn(confirmed, { inputs, context }), ...(outage && needsService ? [outage] : [])];
  if (problems.length > 0) throw new GateError(problems);
  if (outage) log.warning(lastKnownOf(outage, plan)?.message ?? outage.message);
}

/** The lines that a dry run prints: what would be sent, to where and why, and what would be reused or awaited. */
export function describePlan({ toSubmit, toReuse, toAwait }: Plan): readonly string[] {
  const open = toAwait.flatMap(({ submissionId, contents }) => contents.map((content) => ({ content, submissionId })));
  const total = toSubmit.reduce((sum, { content }) => sum + content.size, 0);
  return [
    ...toSubmit.map(({ content, why }) => {
      const what = content.size <= DIRECT_UPLOAD_CAP ? 'send to service' : 'send to storage';
      return line(what, content, `${content.file.type.mime}; ${why}`);
    }),
    ...open.map(({ content, submissionId }) => line('wait', content, `in submission ${submissionId}`)),
    ...toReuse.map(({ content, known }) => line('reuse', content, `analysed ${known.analysedAt.slice(0, 10)}`)),
    `${toSubmit.length} to send (${formatBytes(total)}), ${toReuse.length} to reuse, ${open.length} to wait for`,
  ];
}

function line(what: string, { size, paths }: Content, why: string): string {
  return `${what.padEnd(16)} ${formatBytes(size).padStart(9)}  ${paths.join(', ')} (${why})`;
}
