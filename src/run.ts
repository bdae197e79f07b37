import { createGitHubApi, type GitHubApi } from './github/api.ts';
import { type RunContext, readContext } from './github/context.ts';
import type { Runner } from './github/runner.ts';
import { createHttp } from './http/create-http.ts';
import type { Http } from './http/http.ts';
import { type Inputs, SECRET_INPUTS } from './inputs/inputs.ts';
import { missingKey, skippedWithoutKey } from './inputs/missing-key.ts';
import { parseInputs } from './inputs/parse.ts';
import { findWaivers } from './inputs/read-waivers.ts';
import { type Cause, GateError } from './lib/cause.ts';
import { plural } from './lib/format.ts';
import { VERSION } from './lib/version.ts';
import { assertHeadCheckedOut } from './media/checkout.ts';
import { discover } from './media/discover.ts';
import { type Inspection, inspect } from './media/inspect.ts';
import { pointerProblem } from './media/lfs.ts';
import { noneChanged, onlyChanged } from './media/only-changed.ts';
import { confirmAll } from './plan/confirm.ts';
import { describePlan } from './plan/describe-plan.ts';
import { type Losses, NO_LOSSES, type Plan, plan, previousSubmissions, settingsOf, tooMany } from './plan/plan.ts';
import { type Deadline, ServiceClient } from './service/client.ts';
import { collect } from './service/collect.ts';
import { metadataOf } from './service/metadata.ts';
import { fireSandboxEvent } from './service/sandbox-event.ts';
import type { ServiceAccess } from './service/service-access.ts';
import { type OpenSubmission, submit } from './service/submit.ts';
import { upload } from './service/upload.ts';
import { wait } from './service/wait.ts';
import { chooseStore } from './state/choose-store.ts';
import type { StateStore } from './state/store.ts';
import { historyOf } from './verdict/baseline.ts';
import { causesOf, DRY_RUN, defect, lastKnown, NOTHING_MATCHES, noBaseline, wouldBeRefused } from './verdict/ending.ts';
import { saveOpen, saveState } from './verdict/save-state.ts';
import { newTrail, type Trail } from './verdict/trail.ts';
import { Waivers } from './verdict/waivers.ts';

/** What every step may use, and the trail on which it leaves what it learnt. */
interface Gate {
  readonly trail: Trail;
  readonly context: RunContext;
  readonly runner: Runner;
  readonly api: GitHubApi;
  readonly signal: AbortSignal;
}

/**
 * The whole run: inputs → discover → inspect → plan → upload → submit → wait → collect → verdict → report → save.
 * The exit status comes from the verdict alone.
 */
export async function run(env: NodeJS.ProcessEnv, runner: Runner, signal: AbortSignal): Promise<void> {
  for (const name of SECRET_INPUTS) runner.mask(runner.input(name).trim());
  const context = readContext(env);
  const api = createGitHubApi({ ...context, token: runner.input('github-token').trim(), signal });
  const trail = newTrail();
  try {
    await check({ trail, context, runner, api, signal });
  } catch (error) {
    trail.wasStopped = signal.aborted;
    trail.stoppedBy = causesOf(error, trail, runner.log);
  }
  // A quarter of our code, and little of it is needed before: loaded when there is something to tell.
  const { tell, tellDefect } = await import('./publish/tell.ts');
  try {
    await tell(trail, { runner, api, context });
  } catch (error) {
    tellDefect(defect(error, runner.log), runner, context);
  }
}

async function check(gate: Gate): Promise<void> {
  const { trail, context, runner } = gate;
  const inputs = parseInputs((name) => runner.input(name), missingKey(context), {
    workspace: context.workspace,
    windows: process.platform === 'win32',
  });
  trail.inputs = inputs;
  const { service } = inputs;
  if (!service && !inputs.dryRun) {
    trail.skipped = skippedWithoutKey(context);
    return;
  }
  const inspection = await findFiles(gate, inputs);
  if (!inspection) return;
  const store = service && chooseStore(inputs, service, context, gate);
  await recall(gate, inputs, store);
  const planWithout = planner(gate, inputs, inspection);
  trail.plan = planWithout(NO_LOSSES);
  if (!service || !store || inputs.dryRun) {
    for (const line of describePlan(trail.plan)) runner.log.info(line);
    trail.notices.push(...problemsOf(trail.plan, inspection, inputs).map(wouldBeRefused));
    trail.skipped = DRY_RUN;
    return;
  }
  const http = createHttp();
  try {
    const desk = openDesk(gate, inputs, service, http);
    const final = await confirmPlan(desk, trail.plan, planWithout);
    refuseProblems(problemsOf(final, inspection, inputs), trail);
    if (trail.outage) runner.log.warning(lastKnown(trail.outage, final));
    await send(desk, final, store);
    await receive(desk, final);
    await fireEvent(desk, final);
  } finally {
    await http.close();
    await saveState(trail, store, gate);
  }
}

/** discover → inspect. Undefined where there is nothing to check. */
async function findFiles(
  { trail, context, runner, api, signal }: Gate,
  inputs: Inputs,
): Promise<Inspection | undefined> {
  const { log } = runner;
  const matched = await discover(inputs.files, context.workspace, { isDefault: inputs.filesAreDefault, signal });
  await assertHeadCheckedOut(matched, context, api);
  const discovery = inputs.onlyChanged ? await onlyChanged(matched, inputs.files, context, api) : matched;
  trail.discovery = discovery;
  trail.notices.push(...discovery.notices);
  log.info(`${plural(discovery.files.length, 'file')} to check`);
  if (discovery.files.length === 0) {
    const isUnchanged = matched.files.length > 0;
    if (!isUnchanged && inputs.ifNoFilesFound === 'error') throw new GateError(NOTHING_MATCHES);
    trail.skipped = isUnchanged ? noneChanged(matched.files.length) : NOTHING_MATCHES;
    trail.skipIsExpected = isUnchanged || inputs.ifNoFilesFound === 'ignore';
    return undefined;
  }
  const inspection = await inspect(discovery, { signal });
  trail.notices.push(...inspection.warnings);
  return inspection;
}

/** What earlier runs know, and what a person has accepted. */
async function recall({ trail, context, api }: Gate, inputs: Inputs, store: StateStore | undefined): Promise<void> {
  if (store) {
    const loaded = await store.load();
    trail.history = historyOf(loaded, context);
    trail.notices.push(...loaded.notices);
  }
  if (inputs.failOnIssues === 'new' && !trail.history.baseline) trail.notices.push(noBaseline(context));
  if (inputs.waiversFile === undefined) return;
  const { waivers, notices } = await findWaivers(inputs.waiversFile, context, api);
  trail.waivers = new Waivers(waivers, new Date());
  trail.notices.push(...notices);
}

function planner({ trail, context }: Gate, inputs: Inputs, inspection: Inspection): (losses: Losses) => Plan {
  const rules = {
    repositoryId: context.repositoryId,
    reuseDays: inputs.reuseDays,
    settings: settingsOf(inputs.sidekickIds),
    now: new Date(),
  };
  return (losses) => plan(inspection.files, inspection.pointers, trail.history.earlierState, losses, rules);
}

/** Everything it takes to deal with the service. */
interface Desk extends Gate {
  readonly inputs: Inputs;
  readonly service: ServiceAccess;
  readonly http: Http;
  readonly client: ServiceClient;
  /** A new one for each step: the time limit is the step's own. */
  readonly deadline: () => Deadline;
}

function openDesk(gate: Gate, inputs: Inputs, service: ServiceAccess, http: Http): Desk {
  const userAgent = `media-compliance-gate/${VERSION} (run ${gate.context.runId || 'local'})`;
  const client = new ServiceClient(service, http, userAgent, gate.runner.log);
  const deadline = (): Deadline => ({ signal: gate.signal, until: Date.now() + inputs.waitTimeoutMinutes * 60_000 });
  return { ...gate, inputs, service, http, client, deadline };
}

/** Asks the service for what the plan counts on; what is lost has to be sent after all. */
async function confirmPlan(
  { trail, service, client, deadline }: Desk,
  draft: Plan,
  planWithout: (losses: Losses) => Plan,
): Promise<Plan> {
  const { plan: final, reused, outage } = await confirmAll(draft, planWithout, service.mode, client, deadline());
  trail.reused = reused;
  trail.plan = final;
  if (outage) trail.outage = outage;
  return final;
}

/** What keeps files from being sent, whoever is to blame for it. */
function problemsOf(made: Plan, { problems }: Inspection, { maxFiles }: Inputs): readonly Cause[] {
  return [...problems, ...made.unknownPointers.map(pointerProblem), ...tooMany(made, maxFiles)];
}

/** Before the first byte is sent, and with all problems at once. An outage forgives none of them. */
function refuseProblems(problems: readonly Cause[], { plan: made, outage }: Trail): void {
  const needsService = made && (made.submit.length > 0 || made.await.length > 0);
  const all = outage && needsService ? [...problems, outage] : problems;
  if (all.length > 0) throw new GateError(all);
}

/** upload → submit, and the state is saved at once: from here on something was paid for. */
async function send(desk: Desk, { submit: entries }: Plan, store: StateStore): Promise<void> {
  const { trail, inputs, service, context, client, http, deadline, runner } = desk;
  const { log } = runner;
  if (entries.length === 0) return;
  const contents = entries.map(({ content }) => content);
  const uploads = await log.group(`Uploading ${plural(contents.length, 'file')}`, () =>
    upload(contents, inputs.uploadConcurrency, { client, http, log, baseUrl: service.baseUrl }, deadline()),
  );
  const options = {
    sidekickIds: inputs.sidekickIds,
    simulationDelaySeconds: inputs.simulationDelaySeconds,
    metadata: metadataOf(inputs.metadata, context),
    previousSubmissionIds: previousSubmissions(entries),
  };
  const submission = await submit(uploads, options, client, log, deadline());
  trail.submission = { ...submission, createdAt: new Date().toISOString() };
  await saveOpen(trail, store, log);
}

/** wait → collect, for what this run sent and for what an earlier one did. */
async function receive(
  { trail, inputs, service, client, deadline, runner, signal }: Desk,
  { await: awaited }: Plan,
): Promise<void> {
  const { log } = runner;
  const open: readonly OpenSubmission[] = [...(trail.submission ? [trail.submission] : []), ...awaited];
  if (open.length === 0) return;
  const options = { mode: service.mode, timeoutMinutes: inputs.waitTimeoutMinutes, signal };
  trail.waited = await log.group('Waiting for the analysis', () =>
    Promise.all(open.map((submission) => wait(submission, options, client, log))),
  );
  const results = await Promise.all(trail.waited.map((waited) => collect(waited, service.mode, client, deadline())));
  trail.analysed = results.flat();
}

/** Asked for by a test workflow, which counts on it in every run: where all is reused, for what was sent once. */
async function fireEvent(
  { trail, inputs: { sandboxEvent }, client, deadline, runner }: Desk,
  { await: [awaited], reuse: [reused] }: Plan,
): Promise<void> {
  const id = trail.submission?.submissionId ?? awaited?.submissionId ?? reused?.known.submissionId;
  if (sandboxEvent && id) await fireSandboxEvent(sandboxEvent, id, client, runner.log, deadline());
}
