import { forOwner, GateError } from './causes/cause.ts';
import { type Connected, callsOf, deadlineIn, type Environment, openEnvironment } from './environment.ts';
import { causesOf, type Findings, nothingFound } from './findings.ts';
import { assertHeadCheckedOut, checkedCommit } from './github/checkout.ts';
import { assertSameBase, changesIn, noneChanged, onlyChanged, readChangedFiles } from './github/pull-request.ts';
import type { Runner } from './github/runner.ts';
import { type Inputs, MISSING_KEY } from './inputs/parse.ts';
import { plural } from './lib/format.ts';
import type { Content } from './media/content.ts';
import { describeSearch, discover, noFilesMatch } from './media/discover.ts';
import { type Inspection, inspect } from './media/inspect.ts';
import {
  awaitedSubmissions,
  contentsToSend,
  describeLosses,
  idOf,
  makePlan,
  needsOtherStates,
  type Plan,
  type PlanBasis,
  planRules,
  previousSubmissions,
  problemsIn,
  submissionsToAsk,
} from './plan/plan.ts';
import { publish, publishError } from './publish/publish.ts';
import { buildReport } from './report/build.ts';
import type { Analysis } from './service/analysis.ts';
import { withExtras } from './service/extras.ts';
import { createReader, type SubmissionReader } from './service/reader.ts';
import { metadataOf, submit } from './service/submit.ts';
import { uploadAll } from './service/upload.ts';
import type { OpenRecord } from './state/document.ts';
import type { RunResults } from './state/merge.ts';
import type { Binding } from './state/seal.ts';
import type { History } from './state/store.ts';
import { countedContents, judge } from './verdict/judge.ts';
import { Waivers } from './waivers/waivers.ts';
import { loadWaivers } from './waivers/waivers-file.ts';

/** The time limit for all that is asked before the upload. After it, the last known issues count. */
const ASK_MINUTES = 5;

const DRY_RUN = {
  cause: forOwner(
    'dry-run',
    'This was a dry run: nothing was sent or judged.',
    'Remove `dry-run: true` to send the files and judge the issues.',
  ),
  isExpected: false,
};

/**
 * The whole run: inputs → check (discover … wait) → save state → judge → report → publish. The exit status comes from
 * the verdict alone.
 */
export async function run(env: NodeJS.ProcessEnv, runner: Runner, signal: AbortSignal): Promise<void> {
  try {
    const { problems, ...environment } = await openEnvironment(env, { runner, signal });
    const { inputs, context, github } = environment;
    const found = nothingFound();
    try {
      if (problems.length > 0) throw new GateError(problems);
      found.skipped = await check(found, environment);
    } catch (error) {
      found.causes = causesOf(error, found).map((cause) =>
        // An unexpected error, and the value of a wrong input, may repeat a secret.
        ['internal', 'bad-input'].includes(cause.reason) ? { ...cause, message: runner.clean(cause.message) } : cause,
      );
      found.isCancelled = signal.aborted;
      // A dry run reports what would stop a real run, and passes.
      if (inputs.dryRun && problems.length === 0 && error instanceof GateError) found.skipped = DRY_RUN;
      if (found.causes.some(({ reason }) => reason === 'internal')) logStack(error, runner);
    }
    // A cancelled run has no time to save. It saved its submission, if it has one, right after the creation.
    const hasRead = found.analyses.some(({ outcome }) => outcome !== 'unread' && outcome !== 'last-known');
    const hasResults = hasRead || found.submissionIds.length > 0;
    if (hasResults && !found.isCancelled) found.stateFile = await saveState('state', found, environment);

    const verdict = judge(found, inputs.policy);
    await fireSandboxEvent(found, environment);
    const isFailing = verdict.name === 'fail' || verdict.name === 'error';
    const { files } = found.discovery;
    // A cancelled run has no time to ask GitHub. Its report does not say which files were changed.
    if (isFailing && files.length > 0 && !found.isCancelled)
      found.changedFiles ??= await readChangedFiles(context, inputs.files, github);
    const isChanged = changesIn(found.changedFiles);
    const report = buildReport({ found, verdict, inputs, context, isChanged, now: new Date() });
    await publish(report, { found, inputs, runner, github, context });
  } catch (error) {
    logStack(error, runner);
    publishError(error, runner);
  }
}

/**
 * The steps of a run, in their order. What a step has found is kept, even if a later step fails. Returns why nothing was
 * checked, if nothing was.
 */
async function check(found: Findings, environment: Environment): Promise<Findings['skipped']> {
  const { inputs, client, runner } = environment;
  const keep = ({ notices = [], ...part }: Partial<Findings>): void => {
    Object.assign(found, part, { notices: [...new Set([...found.notices, ...notices])] });
  };
  keep(await findFiles(environment));
  if (found.discovery.files.length === 0) return skipWithoutFiles(found, inputs);
  // After the search, so that the report names the files that nobody checks.
  if (!client && !inputs.dryRun) return { cause: MISSING_KEY, isExpected: false };
  keep(await inspectFiles(found, environment));
  keep(await loadStates(found, environment));
  const { failOnSeverity } = inputs.policy;
  const reader = client && !inputs.dryRun ? createReader({ client, log: runner.log, failOnSeverity }) : undefined;
  keep(await planSources(found, environment, reader));
  const problems = problemsIn(found.plan, found.inspection, inputs);
  if (problems.length > 0) throw new GateError(problems);
  if (!client || !reader) return DRY_RUN;
  keep(await sendFiles(found, { ...environment, client }));
  keep(await waitForResults(found, { ...environment, client }, reader));
  return undefined;
}

async function findFiles(environment: Environment): Promise<Partial<Findings>> {
  const { inputs, context, github, runner } = environment;
  const matched = await discover(inputs.files, inputs.searchRoot, inputs.dryRun);
  await assertHeadCheckedOut(context, github);
  const changedFiles = inputs.onlyChanged ? await readChangedFiles(context, inputs.files, github) : undefined;
  const discovery = changedFiles === undefined ? matched : onlyChanged(matched, changedFiles);
  runner.log.info(describeSearch(discovery));
  const pathsBeforeOnlyChanged = matched.files.map((file) => file.path);
  return { discovery, pathsBeforeOnlyChanged, changedFiles, notices: discovery.notices };
}

function skipWithoutFiles({ pathsBeforeOnlyChanged }: Findings, inputs: Inputs): Findings['skipped'] {
  const { length } = pathsBeforeOnlyChanged;
  if (length > 0) return { cause: noneChanged(length), isExpected: true };
  const isExpected = inputs.ifNoFilesFound === 'ignore';
  const cause = noFilesMatch(inputs.files, inputs.searchRoot, isExpected);
  if (inputs.ifNoFilesFound === 'error') throw new GateError(cause);
  return { cause, isExpected };
}

/** Checks the base branch and loads the waivers, both only if an input needs them, and inspects the files. */
async function inspectFiles({ discovery }: Findings, environment: Environment): Promise<Partial<Findings>> {
  const { inputs, context, github, signal } = environment;
  const { waiversFile: file, policy } = inputs;
  const isBaseUsed = file !== undefined || policy.failOnIssues === 'new';
  if (isBaseUsed) await assertSameBase(context, github);
  const loaded = file === undefined ? undefined : await loadWaivers({ ...context, file }, github);
  const inspection = await inspect(discovery.files, signal);
  return { waivers: loaded && new Waivers(loaded, new Date()), inspection, notices: inspection.warnings };
}

/** Loads the nearest states. By their plan the last known issues count if the service refuses every request. */
async function loadStates({ inspection }: Findings, environment: Environment): Promise<Partial<Findings>> {
  const history = await environment.store.nearest();
  return { history, plan: makePlan(basisOf(inspection, history, environment)), notices: history.notices };
}

/**
 * Asks the service about earlier submissions, loads other states if a file would be sent or stay unjudged, and plans. A dry
 * run has no reader and asks for nothing.
 */
async function planSources(
  { inspection, history: nearest }: Findings,
  environment: Environment,
  reader: SubmissionReader | undefined,
): Promise<Partial<Findings>> {
  const asked = new Map<string, Analysis>();
  const deadline = deadlineIn(ASK_MINUTES, environment);
  const planFrom = async (history: History): Promise<Plan> => {
    const basis = basisOf(inspection, history, environment);
    const results = reader ? await reader.ask(submissionsToAsk(basis, asked), deadline) : [];
    for (const each of results.flatMap(({ analyses }) => analyses)) asked.set(idOf(each), each);
    return makePlan(basis, asked);
  };
  let history = nearest;
  let plan = await planFrom(history);
  if (needsOtherStates(plan, asked)) {
    history = await environment.store.rest();
    plan = await planFrom(history);
  }
  const awaited = reader ? awaitedSubmissions(plan, history.earlierState) : [];
  const submissionIds = awaited.map(({ submissionId }) => submissionId);
  return { history, plan, analyses: [...asked.values()], submissionIds, notices: history.notices };
}

function basisOf(inspection: Inspection, { earlierState }: History, { inputs, context }: Environment): PlanBasis {
  return { ...inspection, ...planRules(inputs, context), earlierState, now: new Date() };
}

/** Uploads the files, creates one submission, and saves it. A run that cannot save its submission sends nothing. */
async function sendFiles(found: Findings, environment: Connected): Promise<Partial<Findings>> {
  const { inputs, context, runner, store, client } = environment;
  const { plan, history } = found;
  const contents = contentsToSend(plan);
  if (contents.length === 0) return {};
  const losses = describeLosses(plan, client.mode === 'sandbox');
  for (const text of [losses ?? [], history.notices].flat()) runner.log.warning(text);
  if (history.unread > 0)
    runner.log.info(
      `${plural(history.unread, 'saved state')} left unread. A file that only these know is analysed again.`,
    );
  // The longest id that the gate accepts, so that the state which is saved after the creation is not larger.
  const largest = recordsOf('0'.repeat(64), contents, environment);
  await store.tryOut(resultsToSave({ ...found, sent: largest }, environment));
  const uploads = await runner.log.group(`Uploading ${plural(contents.length, 'file')}`, () =>
    uploadAll(contents, callsOf(environment)),
  );
  const options = {
    sidekickIds: inputs.sidekickIds,
    simulationDelaySeconds: inputs.simulationDelaySeconds,
    metadata: metadataOf(inputs.metadata, { ...context, ...checkedCommit(context) }),
    previousSubmissionIds: previousSubmissions(plan, history.earlierState),
  };
  const created = await submit(uploads, options, callsOf(environment));
  const sent = recordsOf(created.submissionId, contents, environment);
  const stateFile = await saveState('open', { ...found, sent }, environment);
  const submissionIds = [created.submissionId, ...found.submissionIds];
  return { created, sent, stateFile, submissionIds, notices: created.notice === undefined ? [] : [created.notice] };
}

function recordsOf(
  submissionId: string,
  contents: readonly Content[],
  { inputs, context }: Environment,
): readonly OpenRecord[] {
  const { runId, sidekicks } = planRules(inputs, context);
  const at = new Date().toISOString();
  // If the type of a content is unknown, it is recorded as a document.
  return contents.map(({ sha256, name, type }) => {
    const category = type?.category ?? 'document';
    return { kind: 'open', at, runId, sha256, name, category, submissionId, sidekicks };
  });
}

/** Polls the submissions, retries failed assets and collects the results. */
async function waitForResults(
  found: Findings,
  environment: Connected,
  reader: SubmissionReader,
): Promise<Partial<Findings>> {
  const { submissionIds, created, plan, history } = found;
  if (submissionIds.length === 0) return {};
  const { runner } = environment;
  const calls = callsOf(environment);
  const awaited = awaitedSubmissions(plan, history.earlierState);
  const files = contentsToSend(plan).map((content) => ({ content }));
  const ours = created ? [{ submissionId: created.submissionId, files, knownAssets: new Set<string>() }] : [];
  const waiting = () => reader.wait([...ours, ...awaited], calls.deadline);
  const waited = await runner.log.group('Waiting for the analysis', waiting);
  const read = waited.flatMap(({ analyses }) => analyses);
  const own = read.filter(({ submissionId }) => submissionId === created?.submissionId);
  const extended = created ? await withExtras(created.submissionId, own, calls) : [];
  // Records the submissions to which the service has moved a retry.
  const moved = waited.flatMap(({ submissionId: id, analyses }) => {
    const movedContents = submissionIds.includes(id) ? [] : analyses.map(({ content }) => content);
    return recordsOf(id, movedContents, environment);
  });
  return {
    response: waited[0]?.response,
    sent: [...found.sent, ...moved],
    // The wait has read awaited files again.
    analyses: [...new Map([...found.analyses, ...read, ...extended].map((each) => [idOf(each), each])).values()],
  };
}

/** @returns the file of the last saved state; empty if no state was saved */
async function saveState(kind: Binding['kind'], found: Findings, environment: Environment): Promise<string> {
  return (await environment.store.save(kind, resultsToSave(found, environment))) || found.stateFile;
}

function resultsToSave(found: Findings, { inputs }: Environment): RunResults {
  const { analyses, sent, pathsBeforeOnlyChanged: foundPaths } = found;
  const contents = countedContents(found);
  return { analyses, sent, contents, foundPaths, reuseDays: inputs.reuseDays, now: new Date() };
}

/** A test workflow expects the event in every run. If every file was reused, the event names an earlier submission. */
async function fireSandboxEvent(found: Findings, environment: Environment): Promise<void> {
  const { inputs, client, signal } = environment;
  const { sandboxEvent: eventType, sandboxErrorMessage: errorMessage } = inputs;
  const submissionId = found.submissionIds[0] ?? found.analyses[0]?.submissionId;
  if (!client || !eventType || submissionId === undefined || found.causes.length > 0) return;
  await client.fireEvent({ eventType, submissionId, errorMessage }, signal);
}

function logStack(error: unknown, { log }: Runner): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  for (const part of text.split('\n')) log.info(part);
}
