import { createGitHubApi, type GitHubApi } from './github/api.ts';
import { type RunContext, readContext } from './github/context.ts';
import type { Runner } from './github/runner.ts';
import { createHttp } from './http/create-http.ts';
import type { Http } from './http/http.ts';
import { type Inputs, SECRET_INPUTS } from './inputs/inputs.ts';
import { missingKey, skippedWithoutKey } from './inputs/missing-key.ts';
import { type ReadInputs, readInputs } from './inputs/parse.ts';
import { findWaivers } from './inputs/read-waivers.ts';
import { type Cause, GateError } from './lib/cause.ts';
import { plural } from './lib/format.ts';
import { VERSION } from './lib/version.ts';
import { assertHeadCheckedOut } from './media/checkout.ts';
import { discover } from './media/discover.ts';
import { type Inspection, inspect } from './media/inspect.ts';
import { pointerProblem } from './media/lfs.ts';
import { noneChanged, onlyChanged } from './media/only-changed.ts';
import { type ConfirmOptions, confirmAll, describeLastKnown } from './plan/confirm.ts';
import { describePlan } from './plan/describe-plan.ts';
import {
  describeUnlinkedVersions,
  type Losses,
  NO_LOSSES,
  type Plan,
  plan,
  previousSubmissions,
  settingsOf,
  tooMany,
} from './plan/plan.ts';
import { publish, publishDefect } from './publish/publish.ts';
import { saveOpenState, saveState, withMoves } from './publish/save-state.ts';
import { buildReport } from './report/build.ts';
import { type Deadline, ServiceClient } from './service/client.ts';
import { collect } from './service/collect.ts';
import { fireSandboxEvent } from './service/sandbox-event.ts';
import type { ServiceAccess } from './service/service-access.ts';
import { metadataOf, type OpenSubmission, submit } from './service/submit.ts';
import { upload } from './service/upload.ts';
import { type WaitedSubmission, wait } from './service/wait.ts';
import { chooseStore, NO_STORE } from './state/choose-store.ts';
import type { EarlierState } from './state/earlier-state.ts';
import type { StateStore } from './state/store.ts';
import { historyOf } from './verdict/baseline.ts';
import { DRY_RUN, dryRunNotice, missingBaselineNotice, NO_FILES_MATCH, skip } from './verdict/ending-causes.ts';
import { judge } from './verdict/judge.ts';
import { lastKnownOf } from './verdict/last-known.ts';
import {
  type Collected,
  type Confirmed,
  type Discovered,
  endingAfter,
  factsOf,
  isDefect,
  type Outcome,
  type Planned,
  type Progress,
  type Skipped,
  STARTED,
  type Submitted,
  type Waited,
} from './verdict/outcome.ts';
import { Waivers } from './verdict/waivers.ts';

/** Everything outside this process that a run uses. */
interface Edges {
  readonly runner: Runner;
  readonly context: RunContext;
  readonly github: GitHubApi;
  readonly store: StateStore;
  readonly signal: AbortSignal;
}

/** The connection to the service. */
interface Session {
  readonly access: ServiceAccess;
  readonly http: Http;
  readonly client: ServiceClient;
}

/**
 * The whole run: inputs → check (discover … collect) → save state → judge → report → publish. The exit status comes from
 * the verdict alone.
 */
export async function run(env: NodeJS.ProcessEnv, runner: Runner, signal: AbortSignal): Promise<void> {
  const context = readContext(env);
  let session: Session | undefined;
  const connect = (access: ServiceAccess): Session => {
    session ??= openSession(access, context, runner);
    return session;
  };
  try {
    const { inputs, problems } = configure(runner, context);
    const github = createGitHubApi({ ...context, token: inputs.githubToken, signal });
    const store = inputs.service
      ? chooseStore({ inputs, service: inputs.service, context, api: github, runner, signal })
      : NO_STORE;
    const edges = { runner, context, github, store, signal };

    const outcome = await check({ inputs, problems }, edges, connect);
    const stateFile = await saveState(outcome, inputs, edges);
    const verdict = judge(outcome, inputs.policy);
    await fireEvent(outcome, inputs, edges, connect);
    const report = buildReport({ outcome, verdict, inputs, context, stateFile, now: new Date() });
    await publish(report, { outcome, inputs, stateFile, runner, github, context });
  } catch (error) {
    logStack(error, runner);
    publishDefect(error, runner, context);
  } finally {
    await session?.http.close();
  }
}

function configure(runner: Runner, context: RunContext): ReadInputs {
  for (const name of SECRET_INPUTS) runner.mask(runner.input(name).trim());
  const place = { workspace: context.workspace, windows: process.platform === 'win32' };
  return readInputs((name) => runner.input(name), { missingKey: missingKey(context), place });
}

function openSession(access: ServiceAccess, { runId }: RunContext, { log }: Runner): Session {
  const http = createHttp();
  const userAgent = `media-compliance-gate/${VERSION} (run ${runId || 'local'})`;
  return { access, http, client: new ServiceClient({ access, http, userAgent, log }) };
}

/** discover → inspect → plan → upload → submit → save state → wait → collect, as far as it gets. */
async function check(
  { inputs, problems }: ReadInputs,
  edges: Edges,
  connect: (access: ServiceAccess) => Session,
): Promise<Outcome> {
  const { context, runner } = edges;
  let progress: Progress = STARTED;
  try {
    if (problems.length > 0) throw new GateError(problems);
    const { service } = inputs;
    if (!service && !inputs.dryRun) return { progress: STARTED, ending: skip(skippedWithoutKey(context)) };

    const discovered = await discoverFiles(inputs, edges);
    progress = discovered.progress;
    if (discovered.nothingToCheck) return { progress: discovered.progress, ending: discovered.nothingToCheck };

    const inspection = await inspect(discovered.progress.discovery, { signal: edges.signal });
    const { planned, planWithout } = await planFiles(discovered.progress, inspection, inputs, edges);
    progress = planned;
    if (!service || inputs.dryRun) return dryRun(planned, inspection, inputs, runner);

    const session = connect(service);
    const deadline = (): Deadline => ({
      signal: edges.signal,
      until: Date.now() + inputs.waitTimeoutMinutes * 60_000,
    });
    const { failOnSeverity } = inputs.policy;
    const confirmed = await confirmPlan(planned, planWithout, session, { failOnSeverity, deadline: deadline() });
    progress = confirmed;
    refuseProblems(confirmed, inspection, inputs);
    warnOfOutage(confirmed, runner);

    const submitted = await sendFiles(confirmed, inputs, edges, { session, deadline: deadline() });
    progress = submitted;
    if (submitted.submission) await saveOpenState(submitted, inputs, edges);

    // One time limit for waiting, rate limits and reading results together.
    const resultsDeadline = deadline();
    const waited = await waitForResults(submitted, inputs, edges, { session, deadline: resultsDeadline });
    progress = waited;
    const collected = await collectResults(waited, session, resultsDeadline);
    return { progress: collected, ending: { kind: 'complete' } };
  } catch (error) {
    const outcome: Outcome = { progress, ending: endingAfter(error, progress, edges.signal.aborted) };
    if (isDefect(outcome)) logStack(error, runner);
    return outcome;
  }
}

/** inputs → discover: the files to check, and why there are none. */
async function discoverFiles(
  inputs: Inputs,
  { context, github, runner, signal }: Edges,
): Promise<{ readonly progress: Discovered; readonly nothingToCheck: Skipped | undefined }> {
  const place = { ...context, workspace: inputs.root };
  const matched = await discover(inputs.files, inputs.root, { isDefault: inputs.filesAreDefault, signal });
  await assertHeadCheckedOut(matched, place, github);
  const discovery = inputs.onlyChanged ? await onlyChanged(matched, inputs.files, { place, api: github }) : matched;
  runner.log.info(`${plural(discovery.files.length, 'file')} to check`);
  const progress: Discovered = { stage: 'discovered', notices: discovery.notices, discovery };
  if (discovery.files.length > 0) return { progress, nothingToCheck: undefined };
  if (matched.files.length > 0) return { progress, nothingToCheck: skip(noneChanged(matched.files.length), true) };
  if (inputs.ifNoFilesFound === 'error') throw new GateError(NO_FILES_MATCH);
  return { progress, nothingToCheck: skip(NO_FILES_MATCH, inputs.ifNoFilesFound === 'ignore') };
}

/** inspect → plan: what earlier runs analysed and what people accepted decide about each file. */
async function planFiles(
  discovered: Discovered,
  inspection: Inspection,
  inputs: Inputs,
  { context, github, store }: Edges,
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

function dryRun(planned: Planned, inspection: Inspection, inputs: Inputs, { log }: Runner): Outcome {
  for (const text of describePlan(planned.plan)) log.info(text);
  const problems = problemsIn(planned.plan, inspection, inputs).map(dryRunNotice);
  return { progress: { ...planned, notices: [...planned.notices, ...problems] }, ending: skip(DRY_RUN) };
}

/** plan → confirmed plan: a reused or awaited analysis that the service no longer has is submitted again. */
async function confirmPlan(
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
function refuseProblems({ plan: final, outage }: Confirmed, inspection: Inspection, inputs: Inputs): void {
  const problems = problemsIn(final, inspection, inputs);
  const needsService = final.submit.length > 0 || final.await.length > 0;
  const all = outage && needsService ? [...problems, outage] : problems;
  if (all.length > 0) throw new GateError(all);
}

function warnOfOutage({ plan: final, outage }: Confirmed, { log }: Runner): void {
  if (outage) log.warning(lastKnownOf(outage, final)?.message ?? outage.message);
}

/** upload → submit: one submission with everything that has to be analysed. */
async function sendFiles(
  confirmed: Confirmed,
  inputs: Inputs,
  { context, runner: { log } }: Edges,
  { session, deadline }: { readonly session: Session; readonly deadline: Deadline },
): Promise<Submitted> {
  const entries = confirmed.plan.submit;
  if (entries.length === 0) return { ...confirmed, stage: 'submitted', submission: undefined };
  const { access, client, http } = session;
  const contents = entries.map(({ content }) => content);
  const uploads = await log.group(`Uploading ${plural(contents.length, 'file')}`, () =>
    upload(contents, { concurrency: inputs.uploadConcurrency, client, http, log, baseUrl: access.baseUrl }, deadline),
  );
  const options = {
    sidekickIds: inputs.sidekickIds,
    simulationDelaySeconds: inputs.simulationDelaySeconds,
    metadata: metadataOf(inputs.metadata, context),
    previousSubmissionIds: previousSubmissions(entries),
  };
  const submission = await submit(uploads, options, { client, log, deadline });
  return { ...confirmed, stage: 'submitted', submission: { ...submission, createdAt: new Date().toISOString() } };
}

/** submit → wait: polls the submission of this run and those of earlier runs together. */
async function waitForResults(
  submitted: Submitted,
  inputs: Inputs,
  edges: Edges,
  { session, deadline }: { readonly session: Session; readonly deadline: Deadline },
): Promise<Waited> {
  const { log } = edges.runner;
  const open = [...(submitted.submission ? [submitted.submission] : []), ...submitted.plan.await];
  if (open.length === 0) return { ...submitted, stage: 'waited', waited: [] };
  const moves = new Map<string, readonly OpenSubmission[]>();
  const waitFor = async (submission: OpenSubmission): Promise<WaitedSubmission> => {
    // A retry in another submission is saved at once: a later run that does not know it would pay again.
    const onMoved = async (submissions: readonly OpenSubmission[]): Promise<void> => {
      moves.set(submission.submissionId, submissions);
      await saveOpenState(withMoves(submitted, moves), inputs, edges);
    };
    return await wait(submission, { client: session.client, log, mode: session.access.mode, deadline, onMoved });
  };
  const waited = await log.group('Waiting for the analysis', () => Promise.all(open.map(waitFor)));
  const messages = waited.flatMap(({ submission: { submissionId }, errorMessage }) =>
    errorMessage ? [`The service says about submission ${submissionId}: ${errorMessage}`] : [],
  );
  return { ...submitted, notices: [...submitted.notices, ...messages], stage: 'waited', waited };
}

/** wait → collect */
async function collectResults(waited: Waited, { access, client }: Session, deadline: Deadline): Promise<Collected> {
  const options = { client, mode: access.mode, deadline };
  const analysed = (await Promise.all(waited.waited.map((each) => collect(each, options)))).flat();
  const links = waited.submission?.previousSubmissionIds ?? new Map();
  const unlinked = describeUnlinkedVersions(waited.plan.submit, analysed, links);
  const notices = unlinked === undefined ? waited.notices : [...waited.notices, unlinked];
  return { ...waited, notices, stage: 'collected', analysed };
}

/** A test workflow expects the event in every run: if everything was reused, it is fired for an earlier submission. */
async function fireEvent(
  { progress, ending }: Outcome,
  { service, sandboxEvent, sandboxErrorMessage, waitTimeoutMinutes }: Inputs,
  { runner: { log }, signal }: Edges,
  connect: (access: ServiceAccess) => Session,
): Promise<void> {
  if (!sandboxEvent || !service || ending.kind !== 'complete') return;
  const { submission, plan: final } = factsOf(progress);
  const id = submission?.submissionId ?? final?.await[0]?.submissionId ?? final?.reuse[0]?.known.submissionId;
  if (id === undefined) return;
  const deadline = { signal, until: Date.now() + waitTimeoutMinutes * 60_000 };
  const event = { eventType: sandboxEvent, submissionId: id, errorMessage: sandboxErrorMessage };
  await fireSandboxEvent(event, connect(service).client, { log, deadline });
}

function logStack(error: unknown, { log }: Runner): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  for (const part of text.split('\n')) log.info(part);
}
