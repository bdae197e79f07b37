import { causesOf, type Findings, nothingFound } from './findings.ts';
import { createGitHubApi, type GitHubApi } from './github/api.ts';
import { markChanged, readChangedPaths } from './github/changed-files.ts';
import { assertHeadCheckedOut } from './github/checkout.ts';
import { type RunContext, readContext } from './github/context.ts';
import { noneChanged, onlyChanged } from './github/only-changed.ts';
import type { Runner } from './github/runner.ts';
import { type Inputs, SECRET_INPUTS } from './inputs/inputs.ts';
import { type ReadInputs, readInputs } from './inputs/parse.ts';
import { missingKey, skippedWithoutKey } from './inputs/service-access.ts';
import { type Cause, GateError, Interruption } from './lib/cause.ts';
import { plural } from './lib/format.ts';
import { type Discovery, discover, noFilesMatch } from './media/discover.ts';
import { inspect } from './media/inspect.ts';
import { pointerProblem } from './media/lfs.ts';
import type { PlanBasis } from './plan/candidates.ts';
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
  lostIn,
  makePlan,
  openSubmissions,
  type Plan,
  previousSubmissions,
  tooMany,
  withSource,
} from './plan/plan.ts';
import { NOTHING_QUERIED, querySubmissions } from './plan/query.ts';
import { explainEarlierFailure, readReused } from './plan/reuse.ts';
import { publish, publishError } from './publish/publish.ts';
import { buildReport } from './report/build.ts';
import { type Deadline, openSession, type ServiceSession } from './service/client.ts';
import { fireEvent } from './service/fire-event.ts';
import { metadataOf, submit } from './service/submit.ts';
import { upload } from './service/upload.ts';
import { waitForAll } from './service/wait.ts';
import type { EarlierState, IsEnough } from './state/earlier-state.ts';
import type { StateKind } from './state/gate-id.ts';
import { openStore, type StateStore } from './state/store.ts';
import { missingBaselineNotice } from './verdict/baseline.ts';
import { judge, type Verdict } from './verdict/judge.ts';
import { loadWaivers } from './waivers/load.ts';
import { Waivers } from './waivers/waivers.ts';

/** What every step of a run can use, besides the findings of the steps before. */
interface Environment {
  readonly inputs: Inputs;
  readonly context: RunContext;
  readonly runner: Runner;
  readonly github: GitHubApi;
  readonly store: StateStore;
  /** Undefined if the run has no API key. */
  readonly session: ServiceSession | undefined;
  readonly signal: AbortSignal;
  readonly now: Date;
}

type Connected = Environment & { readonly session: ServiceSession };

/** The time limit for reading earlier analyses again. After it, their last known issues count. */
const QUERY_MINUTES = 5;

/** Each step that sends requests to the service has its own time limit, which begins when the step starts. */
function deadlineOf({ inputs, signal }: Environment, minutes = inputs.waitTimeoutMinutes): Deadline {
  return { signal, until: Date.now() + minutes * 60_000 };
}

/**
 * The whole run: inputs → check (discover … wait) → save state → judge → report → publish. The exit status comes from
 * the verdict alone.
 */
export async function run(env: NodeJS.ProcessEnv, runner: Runner, signal: AbortSignal): Promise<void> {
  const context = readContext(env);
  try {
    const { inputs, problems } = configure(runner, context);
    const { service } = inputs;
    const session = service && openSession(service, context.runId, runner.log);
    const github = createGitHubApi({ ...context, token: inputs.githubToken, signal });
    const store = await openStore({ inputs, context, api: github, runner });
    const environment = { inputs, context, runner, github, store, session, signal, now: new Date() };

    const found = nothingFound();
    try {
      if (problems.length > 0) throw new GateError(problems);
      await check(found, environment);
    } catch (error) {
      found.causes = causesOf(error, found);
      found.isCancelled = signal.aborted;
      if (found.causes.some(({ reason }) => reason === 'internal')) logStack(error, runner);
    }
    // A run without new results keeps the last state. A cancelled run has no time, and has saved its open submissions.
    const hasResults = (found.analyses.length > 0 && !found.lastKnownCause) || found.open.length > 0;
    if (hasResults && !found.isCancelled) found.stateFile = await saveState('state', found, environment);

    const verdict = judge(found, inputs.policy);
    await fireSandboxEvent(found, environment);
    const changed = await findChanged(found, verdict, environment);
    const report = buildReport({ found, verdict, inputs, context, changed, now: new Date() });
    await publish(report, { found, inputs, runner, github, context });
  } catch (error) {
    logStack(error, runner);
    publishError(error, runner);
  }
}

function configure(runner: Runner, context: RunContext): ReadInputs {
  for (const name of SECRET_INPUTS) runner.mask(runner.input(name));
  return readInputs((name) => runner.input(name), {
    workspace: context.workspace,
    missingKey: missingKey(context),
  });
}

/** Each step gets the findings so far and returns its own. Without an API key, only a dry run is possible. */
async function check(found: Findings, environment: Environment): Promise<void> {
  const { session } = environment;
  await runSteps([findFiles, inspectFiles, loadStates], found, environment);
  if (session) {
    await runSteps([planSources, submitFiles, saveSubmission, waitForResults], found, { ...environment, session });
  }
}

/** Makes a search for states read every state that its limits allow. */
const readAll: IsEnough = () => false;

/** The findings of one step. Its notices are added to the notices of the steps before. */
type Found = Partial<Omit<Findings, 'notices'>> & { readonly notices?: readonly (string | undefined)[] };

/** Runs the steps in order. Stops when a step finds that there is nothing to check, or a cause to end the run. */
async function runSteps<Needs>(
  steps: readonly ((found: Findings, environment: Needs) => Promise<Found>)[],
  found: Findings,
  environment: Needs,
): Promise<void> {
  for (const step of steps) {
    if (found.skipped || found.causes.length > 0) return;
    const { notices = [], ...part } = await step(found, environment);
    const all = [...found.notices, ...notices].filter((notice) => notice !== undefined);
    Object.assign(found, part, { notices: [...new Set(all)] });
  }
}

/** Discovers the files to check. */
async function findFiles(_: Findings, environment: Environment): Promise<Found> {
  const { inputs, context, github, runner, session } = environment;
  const { searchRoot } = inputs;
  if (!session && !inputs.dryRun) return { skipped: { cause: skippedWithoutKey(context), isExpected: false } };
  const checkout = { ...context, searchRoot };
  const matched = await discover(inputs.files, searchRoot, inputs.dryRun);
  await assertHeadCheckedOut(checkout, github);
  const changedPaths = inputs.onlyChanged ? await readChangedPaths(checkout, github) : undefined;
  const discovery =
    changedPaths === undefined
      ? matched
      : await onlyChanged(matched, changedPaths, { patterns: inputs.files, searchRoot });
  runner.log.info(`${plural(discovery.files.length, 'file')} to check`);
  return { discovery, changedPaths, notices: discovery.notices, ...withoutFiles(matched, discovery, inputs) };
}

function withoutFiles(matched: Discovery, { files }: Discovery, inputs: Inputs): Found {
  if (files.length > 0) return {};
  if (matched.files.length > 0) return { skipped: { cause: noneChanged(matched.files.length), isExpected: true } };
  const cause = noFilesMatch(inputs.searchRoot);
  if (inputs.ifNoFilesFound === 'error') return { causes: [cause] };
  return { skipped: { cause, isExpected: inputs.ifNoFilesFound === 'ignore' } };
}

/** Loads the waivers and inspects the files. */
async function inspectFiles({ discovery }: Findings, environment: Environment): Promise<Found> {
  const { inputs, context, github, signal, now } = environment;
  const { waiversFile: file, searchRoot } = inputs;
  const loaded = file === undefined ? undefined : await loadWaivers({ ...context, searchRoot, file }, github);
  const inspection = await inspect(discovery.files, { selects: inputs.files.selects, signal });
  return {
    waivers: loaded && new Waivers(loaded.waivers, now),
    inspection,
    notices: [...(loaded?.notices ?? []), ...inspection.warnings],
  };
}

/** Loads earlier states and plans as far as possible without the service. A dry run ends here. */
async function loadStates(found: Findings, environment: Environment): Promise<Found> {
  const { inputs, context, runner, session, store } = environment;
  const planFrom = (earlierState: EarlierState): Plan => makePlan(basisOf(found, earlierState, environment));
  const history = await store.load((earlierState) => isAllReused(planFrom(earlierState)));
  const plan = planFrom(history.earlierState);
  const isUncompared = inputs.policy.failOnIssues === 'new' && !history.baseline;
  const notices = [...history.notices, isUncompared ? missingBaselineNotice(context) : undefined];
  if (session && !inputs.dryRun) return { history, plan, notices };
  for (const text of describePlan(plan, found.discovery.files.length)) runner.log.info(text);
  const failures = withSource(plan, 'failed').map(explainEarlierFailure);
  const problems = [...problemsIn({ ...found, plan }, environment), ...failures];
  return { history, plan, notices, skipped: { cause: DRY_RUN, problems, isExpected: false } };
}

/** Asks the service about earlier analyses, makes the plan, and reads the issues of the reused analyses. */
async function planSources(found: Findings, environment: Connected): Promise<Found> {
  const { inputs, session, runner, store } = environment;
  const { log } = runner;
  const { client, access } = session;
  const { failOnSeverity } = inputs.policy;
  const deadline = deadlineOf(environment, QUERY_MINUTES);
  const options = { client, mode: access.mode, log, deadline, failOnSeverity };
  let { history } = found;
  let basis = basisOf(found, history.earlierState, environment);
  let queried = await querySubmissions(basis, NOTHING_QUERIED, options);
  // Load all states before a file is sent again: a cancelled run may have paid for its analysis.
  if (!isAllReused(makePlan(basis, queried.statuses))) {
    history = await store.load(readAll);
    basis = basisOf(found, history.earlierState, environment);
    queried = await querySubmissions(basis, queried, options);
  }
  const plan = makePlan(basis, queried.statuses);
  const { analyses, lastKnownCause } = await readReused(plan, queried, options);
  const losses = describeLosses(plan);
  if (losses !== undefined) log.warning(losses);
  if (lastKnownCause) log.warning(lastKnownOf(lastKnownCause, plan)?.message ?? lastKnownCause.message);
  return {
    history,
    plan,
    statuses: queried.statuses,
    analyses,
    lastKnownCause,
    open: openSubmissions(withSource(plan, 'open')),
    notices: [...history.notices, lastKnownCause ? undefined : describeLastKnown(analyses)],
    causes: problemsIn({ ...found, plan }, environment),
  };
}

/** Uploads the files and creates one submission. */
async function submitFiles({ plan, open }: Findings, environment: Connected): Promise<Found> {
  const { inputs, context, session, runner } = environment;
  const { log } = runner;
  const { client, http, access } = session;
  const contents = withSource(plan, 'submit')
    .map(({ content }) => content)
    .filter(isSendable);
  if (contents.length === 0) return {};
  const settings = { concurrency: inputs.uploadConcurrency, client, http, log, baseUrl: access.baseUrl };
  const uploads = await log.group(`Uploading ${plural(contents.length, 'file')}`, () =>
    upload(contents, settings, deadlineOf(environment)),
  );
  const options = {
    sidekickIds: inputs.sidekickIds,
    simulationDelaySeconds: inputs.simulationDelaySeconds,
    metadata: metadataOf(inputs.metadata, context),
    previousSubmissionIds: previousSubmissions(plan),
  };
  const created = await submit(uploads, options, { client, log, deadline: deadlineOf(environment) });
  return { created, open: [created, ...open], notices: [created.notice] };
}

async function saveSubmission(found: Findings, environment: Connected): Promise<Found> {
  return found.created ? { stateFile: await saveState('open', found, environment) } : {};
}

/** Polls the open submissions, retries failed assets and collects the results. */
async function waitForResults(found: Findings, environment: Connected): Promise<Found> {
  const { session, runner } = environment;
  const { log } = runner;
  if (found.open.length === 0) return {};
  const { client, access } = session;
  const deadline = deadlineOf(environment);
  const waited = await log.group('Waiting for the analysis', () =>
    waitForAll(found.open, { client, mode: access.mode, log, deadline }),
  );
  const analysed = waited.flatMap(({ analyses }) => analyses);
  const messages = waited.map(({ submission: { submissionId }, response }) =>
    response?.errorMessage ? `The service says about submission ${submissionId}: ${response.errorMessage}` : undefined,
  );
  const links = found.created?.previousSubmissionIds ?? new Map();
  return {
    waited,
    analyses: [...found.analyses, ...analysed],
    notices: [...messages, describeUnlinkedVersions(found.plan, analysed, links)],
  };
}

function basisOf(
  { inspection }: Findings,
  earlierState: EarlierState,
  { inputs, context, now }: Environment,
): PlanBasis {
  const { repositoryId, runAttempt } = context;
  const sidekicks = hashSidekicks(inputs.sidekickIds);
  const rules = { repositoryId, reuseDays: inputs.reuseDays, sidekicks, isRerun: runAttempt > 1, now };
  return { ...inspection, earlierState, rules };
}

/** Every reason why a file cannot be sent. All reasons are reported together, before a file is sent. */
function problemsIn({ plan, inspection }: Findings, { inputs, context }: Environment): readonly Cause[] {
  const unknown = plan.unknownPointers.map((pointer) => pointerProblem(pointer, context.workflow));
  return [...inspection.problems, ...unknown, ...tooMany(plan, inputs.maxFiles)];
}

/** Finds which matched files the pull request changes, so that nobody is blamed for a file that they did not touch. */
async function findChanged(
  { discovery: { files }, changedPaths }: Findings,
  { name }: Verdict,
  { inputs: { searchRoot }, context, github }: Environment,
): Promise<ReadonlyMap<string, boolean>> {
  if (files.length === 0 || (name !== 'fail' && name !== 'error')) return new Map();
  try {
    const paths = changedPaths ?? (await readChangedPaths({ ...context, searchRoot }, github));
    return await markChanged(files, paths, searchRoot);
  } catch (error) {
    // A cancelled run has no time to ask GitHub, so its report does not say which files were changed.
    if (error instanceof Interruption) return new Map();
    throw error;
  }
}

/** @returns the file of the last saved state; empty if no state was saved */
async function saveState(kind: StateKind, found: Findings, { inputs, store }: Environment): Promise<string> {
  const { analyses, open, statuses } = found;
  const results = {
    analyses,
    submissions: open,
    lost: lostIn(statuses),
    sidekicks: hashSidekicks(inputs.sidekickIds),
    reuseDays: inputs.reuseDays,
    now: new Date(),
  };
  return (await store.save(kind, results)) || found.stateFile;
}

/** A test workflow expects the event in every run. If every file was reused, the event names an earlier submission. */
async function fireSandboxEvent(
  { open, analyses, causes }: Findings,
  { inputs, runner: { log }, session, signal }: Environment,
): Promise<void> {
  const { sandboxEvent: eventType, sandboxErrorMessage: errorMessage } = inputs;
  const submissionId = open[0]?.submissionId ?? analyses[0]?.submissionId;
  if (!session || !eventType || submissionId === undefined || causes.length > 0) return;
  await fireEvent({ eventType, submissionId, errorMessage }, { client: session.client, log, signal });
}

function logStack(error: unknown, { log }: Runner): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  for (const part of text.split('\n')) log.info(part);
}
