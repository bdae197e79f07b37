import { createGitHubApi, type GitHubApi } from './github/api.ts';
import { readChangedPaths, untouchedPaths } from './github/changed-files.ts';
import { assertHeadCheckedOut } from './github/checkout.ts';
import { type RunContext, readContext } from './github/context.ts';
import { noneChanged, onlyChanged } from './github/only-changed.ts';
import type { Runner } from './github/runner.ts';
import { type Inputs, SECRET_INPUTS } from './inputs/inputs.ts';
import { type ReadInputs, readInputs } from './inputs/parse.ts';
import { missingKey, skippedWithoutKey } from './inputs/service-access.ts';
import { type Cause, GateError } from './lib/cause.ts';
import { plural } from './lib/format.ts';
import { discover, noFilesMatch } from './media/discover.ts';
import { inspect } from './media/inspect.ts';
import { pointerProblem } from './media/lfs.ts';
import { confirm, lostIn } from './plan/confirm.ts';
import {
  DRY_RUN,
  describeLastKnown,
  describeLosses,
  describePlan,
  describeUnlinkedVersions,
  lastKnownOf,
} from './plan/describe.ts';
import {
  hashSidekicks,
  isAllReused,
  isSendable,
  makePlan,
  openSubmissions,
  type PlanBasis,
  previousSubmissions,
  tooMany,
  withSource,
} from './plan/plan.ts';
import { publish, publishError } from './publish/publish.ts';
import { buildReport } from './report/build.ts';
import { openSession, type ServiceSession } from './service/client.ts';
import { fireEvent } from './service/fire-event.ts';
import { metadataOf, type OpenSubmission, submit, withMoved } from './service/submit.ts';
import { upload } from './service/upload.ts';
import { waitForAll } from './service/wait.ts';
import type { EarlierState, StateNeeds } from './state/earlier-state.ts';
import type { StateKind } from './state/gate-id.ts';
import { openStore, type StateStore } from './state/store.ts';
import { missingBaselineNotice } from './verdict/baseline.ts';
import { causesOf, type Findings, nothingFound } from './verdict/findings.ts';
import { judge, type Verdict } from './verdict/judge.ts';
import { loadWaivers } from './waivers/load.ts';
import { Waivers } from './waivers/waivers.ts';

/** Reading earlier analyses again must not hold up a run for longer. */
const CONFIRM_MS = 5 * 60_000;

/** What the steps of a run use besides what was found before them. */
interface Environment {
  readonly inputs: Inputs;
  readonly context: RunContext;
  readonly runner: Runner;
  readonly github: GitHubApi;
  readonly store: StateStore;
  /** Undefined without a key. */
  readonly session: ServiceSession | undefined;
  readonly signal: AbortSignal;
}

/**
 * The whole run: inputs → check (discover … wait) → save state → judge → report → publish. The exit status comes from
 * the verdict alone.
 */
export async function run(env: NodeJS.ProcessEnv, runner: Runner, signal: AbortSignal): Promise<void> {
  const context = readContext(env);
  let session: ServiceSession | undefined;
  try {
    const { inputs, problems } = configure(runner, context);
    const { service } = inputs;
    session = service && openSession(service, context.runId, runner.log);
    const github = createGitHubApi({ ...context, token: inputs.githubToken, signal });
    const store = await openStore({ inputs, context, api: github, runner });
    const environment = { inputs, context, runner, github, store, session, signal };

    const found = nothingFound();
    try {
      if (problems.length > 0) throw new GateError(problems);
      await check(found, environment);
    } catch (error) {
      found.causes = causesOf(error, found);
      found.isCancelled = signal.aborted;
      if (found.causes.some(({ reason }) => reason === 'internal')) logStack(error, runner);
    }
    // A run that found nothing new keeps the last state; a cancelled one has only seconds left, and has saved what is open.
    const hasResults = (found.reused.length > 0 && !found.outage) || found.open.length > 0;
    if (hasResults && !found.isCancelled) await save('state', found, environment);

    const verdict = judge(found, inputs.policy);
    await fireSandboxEvent(found, environment);
    const untouched = await findUntouched(found, verdict, environment);
    const report = buildReport({ found, verdict, inputs, context, untouched, now: new Date() });
    await publish(report, { found, inputs, runner, github, context });
  } catch (error) {
    logStack(error, runner);
    publishError(error, runner);
  } finally {
    await session?.http.close();
  }
}

function configure(runner: Runner, context: RunContext): ReadInputs {
  for (const name of SECRET_INPUTS) runner.mask(runner.input(name));
  return readInputs((name) => runner.input(name), {
    workspace: context.workspace,
    windows: process.platform === 'win32',
    missingKey: missingKey(context),
  });
}

/** discover → inspect → history → plan (confirmed) → upload → submit → save state → wait. */
async function check(found: Findings, environment: Environment): Promise<void> {
  const { inputs, context, runner, github, store, session, signal } = environment;
  const { log } = runner;
  const now = new Date();
  const note = (...notices: readonly (string | undefined)[]): void => {
    found.notices = [...new Set([...found.notices, ...notices.filter((notice) => notice !== undefined)])];
  };
  if (!session && !inputs.dryRun) {
    found.skipped = { cause: skippedWithoutKey(context), isExpected: false };
    return;
  }

  // discover
  const checkout = { ...context, searchRoot: inputs.searchRoot };
  const matched = await discover(inputs.files, inputs.searchRoot);
  await assertHeadCheckedOut(checkout, github);
  found.discovery = inputs.onlyChanged
    ? await onlyChanged(matched, await readChangedPaths(checkout, github), {
        selects: inputs.files.selects,
        searchRoot: inputs.searchRoot,
      })
    : matched;
  note(...found.discovery.notices);
  log.info(`${plural(found.discovery.files.length, 'file')} to check`);
  if (found.discovery.files.length === 0) {
    found.skipped = skipWithoutFiles(matched.files.length, inputs);
    return;
  }
  if (inputs.waiversFile !== undefined) {
    const { waivers, notices } = await loadWaivers({ ...checkout, file: inputs.waiversFile }, github);
    found.waivers = new Waivers(waivers, now);
    note(...notices);
  }

  // inspect
  found.inspection = await inspect(found.discovery, { selects: inputs.files.selects, signal });
  note(...found.inspection.warnings);

  // history
  const { repositoryId } = context;
  const rules = { repositoryId, reuseDays: inputs.reuseDays, sidekicks: hashSidekicks(inputs.sidekickIds), now };
  const isComparing = inputs.policy.failOnIssues === 'new';
  const basisOf = (earlierState: EarlierState): PlanBasis => ({ ...found.inspection, earlierState, rules });
  const readHistory = async (isEnough: StateNeeds['isEnough']): Promise<void> => {
    found.history = await store.load({
      canReuse: inputs.reuseDays > 0 && !inputs.dryRun,
      hasBaseline: isComparing && context.baseBranch !== undefined,
      isEnough,
    });
    note(...found.history.notices);
    found.plan = makePlan(basisOf(found.history.earlierState));
  };
  await readHistory((earlierState) => isAllReused(makePlan(basisOf(earlierState))));
  if (isComparing && !found.history.baseline) note(missingBaselineNotice(context));

  // plan
  if (!session || inputs.dryRun) {
    for (const text of describePlan(found.plan)) log.info(text);
    found.skipped = { cause: DRY_RUN, problems: problemsIn(found, environment), isExpected: false };
    return;
  }

  // plan, confirmed with the service
  const { client, http, access } = session;
  const { mode } = access;
  const { failOnSeverity } = inputs.policy;
  const confirmed = await confirm(basisOf(found.history.earlierState), {
    mode,
    failOnSeverity,
    client,
    log,
    deadline: { signal, until: Date.now() + CONFIRM_MS },
    now,
    readAllStates: async () => {
      await readHistory(() => false);
      return found.history.earlierState;
    },
  });
  found.plan = confirmed.plan;
  found.checks = confirmed.checks;
  found.reused = confirmed.analyses;
  found.outage = confirmed.lastKnownCause;
  const losses = describeLosses(found.plan);
  if (losses !== undefined) log.warning(losses);
  if (found.outage) log.warning(lastKnownOf(found.outage, found.plan)?.message ?? found.outage.message);
  else note(describeLastKnown(found.reused));
  const problems = problemsIn(found, environment);
  if (problems.length > 0) throw new GateError(problems);

  // upload → submit → save state
  const waitMs = inputs.waitTimeoutMinutes * 60_000;
  const toSend = withSource(found.plan, 'submit');
  found.open = openSubmissions(withSource(found.plan, 'await'));
  if (toSend.length > 0) {
    const contents = toSend.map(({ content }) => content).filter(isSendable);
    const deadline = { signal, until: Date.now() + waitMs };
    const uploads = await log.group(`Uploading ${plural(contents.length, 'file')}`, () =>
      upload(contents, { concurrency: inputs.uploadConcurrency, client, http, log, baseUrl: access.baseUrl }, deadline),
    );
    const options = {
      sidekickIds: inputs.sidekickIds,
      simulationDelaySeconds: inputs.simulationDelaySeconds,
      metadata: metadataOf(inputs.metadata, context),
      previousSubmissionIds: previousSubmissions(found.plan),
    };
    found.created = await submit(uploads, options, { client, log, deadline: { signal, until: Date.now() + waitMs } });
    found.open = [found.created, ...found.open];
    await save('open', found, environment);
  }

  // wait
  if (found.open.length === 0) return;
  const deadline = { signal, until: Date.now() + waitMs };
  let saving = Promise.resolve();
  const saveAfter = async (before: Promise<void>): Promise<void> => {
    await before;
    await save('open', found, environment);
  };
  // A retry in another submission is saved at once: a later run that does not know it would pay again.
  const onMoved = async (moved: OpenSubmission): Promise<void> => {
    found.open = withMoved(found.open, moved);
    // One after the other: all of them write the same file.
    saving = saveAfter(saving);
    await saving;
  };
  found.waited = await log.group('Waiting for the analysis', () =>
    waitForAll(found.open, { client, mode, log, deadline, onMoved }),
  );
  for (const { submission, response } of found.waited) {
    if (response?.errorMessage)
      note(`The service says about submission ${submission.submissionId}: ${response.errorMessage}`);
  }
  found.analysed = found.waited.flatMap(({ analyses }) => analyses);
  note(describeUnlinkedVersions(found.plan, found.analysed, found.created?.previousSubmissionIds ?? new Map()));
}

function skipWithoutFiles(matched: number, inputs: Inputs): Findings['skipped'] {
  if (matched > 0) return { cause: noneChanged(matched), isExpected: true };
  if (inputs.ifNoFilesFound === 'error') throw new GateError(noFilesMatch(inputs.searchRoot));
  return { cause: noFilesMatch(inputs.searchRoot), isExpected: inputs.ifNoFilesFound === 'ignore' };
}

/** The files that stop the check although the pull request does not change them. None of them is `only-changed`. */
async function findUntouched(
  { discovery, isCancelled }: Findings,
  { name, contents, causes }: Verdict,
  { inputs, context, github }: Environment,
): Promise<ReadonlySet<string>> {
  if (!context.pullRequest || inputs.onlyChanged || isCancelled || (name !== 'fail' && name !== 'error'))
    return new Set();
  const failing = contents.filter(({ issues }) => issues.some(({ failsGate }) => failsGate));
  const paths = new Set([...failing.flatMap(({ content }) => content.paths), ...causes.map(({ path }) => path)]);
  const files = discovery.files.filter((file) => paths.has(file.path));
  return await untouchedPaths(files, { ...context, searchRoot: inputs.searchRoot }, github);
}

/** Every reason why a file cannot be sent. They are reported together, before anything is sent. */
function problemsIn({ plan, inspection }: Findings, { inputs, context }: Environment): readonly Cause[] {
  const unknown = plan.unknownPointers.map((pointer) => pointerProblem(pointer, context.workflow));
  return [...inspection.problems, ...unknown, ...tooMany(plan, inputs.maxFiles)];
}

async function save(kind: StateKind, found: Findings, { inputs, store }: Environment): Promise<void> {
  const { discovery, reused, analysed, open, checks } = found;
  const results = {
    seen: new Set(discovery.files.map(({ path }) => path)),
    analyses: [...reused, ...analysed],
    submissions: open,
    lost: lostIn(checks),
    sidekicks: hashSidekicks(inputs.sidekickIds),
    reuseDays: inputs.reuseDays,
    now: new Date(),
  };
  const file = await store.save(kind, results);
  found.stateFile = file || found.stateFile;
}

/** A test workflow expects the event in every run: if everything was reused, it is fired for an earlier submission. */
async function fireSandboxEvent(
  { open, reused, causes, skipped }: Findings,
  { inputs, runner: { log }, session, signal }: Environment,
): Promise<void> {
  const { sandboxEvent: eventType, sandboxErrorMessage: errorMessage } = inputs;
  const submissionId = open[0]?.submissionId ?? reused[0]?.submissionId;
  if (!session || !eventType || submissionId === undefined || causes.length > 0 || skipped) return;
  await fireEvent({ eventType, submissionId, errorMessage }, { client: session.client, log, signal });
}

function logStack(error: unknown, { log }: Runner): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  for (const part of text.split('\n')) log.info(part);
}
