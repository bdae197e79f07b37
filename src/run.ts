import { createGitHubApi } from './github/api.ts';
import { type RunContext, readContext } from './github/context.ts';
import type { Runner } from './github/runner.ts';
import { SECRET_INPUTS } from './inputs/inputs.ts';
import { type ReadInputs, readInputs } from './inputs/parse.ts';
import { missingKey, skippedWithoutKey } from './inputs/service-access.ts';
import { GateError } from './lib/cause.ts';
import { inspect } from './media/inspect.ts';
import { publish, publishDefect } from './publish/publish.ts';
import { buildReport } from './report/build.ts';
import type { Deadline } from './service/client.ts';
import { chooseStore, NO_STORE } from './state/choose-store.ts';
import { collectResults, fireEvent, sendFiles, waitForResults } from './steps/analyse-files.ts';
import { type Environment, ServiceConnection } from './steps/environment.ts';
import { confirmPlan, discoverFiles, dryRun, planFiles, refuseProblems, warnOfOutage } from './steps/plan-files.ts';
import { saveOpenState, saveState } from './steps/save-state.ts';
import { skip } from './verdict/ending-causes.ts';
import { judge } from './verdict/judge.ts';
import { endingAfter, isDefect, type Outcome, type Progress, STARTED } from './verdict/outcome.ts';

/**
 * The whole run: inputs → check (discover … collect) → save state → judge → report → publish. The exit status comes from
 * the verdict alone.
 */
export async function run(env: NodeJS.ProcessEnv, runner: Runner, signal: AbortSignal): Promise<void> {
  const context = readContext(env);
  const connection = new ServiceConnection(context, runner);
  try {
    const { inputs, problems } = configure(runner, context);
    const github = createGitHubApi({ ...context, token: inputs.githubToken, signal });
    const store = inputs.service
      ? chooseStore({ inputs, service: inputs.service, context, api: github, runner, signal })
      : NO_STORE;
    const environment = { runner, context, github, store, signal };

    const outcome = await check({ inputs, problems }, environment, connection);
    const stateFile = await saveState(outcome, inputs, environment);
    const verdict = judge(outcome, inputs.policy);
    await fireEvent(outcome, inputs, environment, connection);
    const report = buildReport({ outcome, verdict, inputs, context, stateFile, now: new Date() });
    await publish(report, { outcome, inputs, stateFile, runner, github, context });
  } catch (error) {
    logStack(error, runner);
    publishDefect(error, runner, context);
  } finally {
    await connection.close();
  }
}

function configure(runner: Runner, context: RunContext): ReadInputs {
  for (const name of SECRET_INPUTS) runner.mask(runner.input(name).trim());
  const root = { workspace: context.workspace, windows: process.platform === 'win32' };
  return readInputs((name) => runner.input(name), { ...root, missingKey: missingKey(context) });
}

/** discover → inspect → plan → upload → submit → save state → wait → collect, as far as it gets. */
async function check(
  { inputs, problems }: ReadInputs,
  environment: Environment,
  connection: ServiceConnection,
): Promise<Outcome> {
  const { context, runner, signal } = environment;
  let progress: Progress = STARTED;
  try {
    if (problems.length > 0) throw new GateError(problems);
    const { service } = inputs;
    if (!service && !inputs.dryRun) return { progress: STARTED, ending: skip(skippedWithoutKey(context)) };

    const discovered = await discoverFiles(inputs, environment);
    progress = discovered.progress;
    if (discovered.nothingToCheck) return { progress: discovered.progress, ending: discovered.nothingToCheck };

    const inspection = await inspect(discovered.progress.discovery, signal);
    const { planned, planWithout } = await planFiles(discovered.progress, inspection, inputs, environment);
    progress = planned;
    if (!service || inputs.dryRun) return dryRun(planned, inspection, inputs, runner);

    const session = connection.open(service);
    const deadline = (): Deadline => ({ signal, until: Date.now() + inputs.waitTimeoutMinutes * 60_000 });
    const { failOnSeverity } = inputs.policy;
    const confirmed = await confirmPlan(planned, planWithout, session, { failOnSeverity, deadline: deadline() });
    progress = confirmed;
    refuseProblems(confirmed, inspection, inputs);
    warnOfOutage(confirmed, runner);

    const submitted = await sendFiles(confirmed, inputs, environment, { session, deadline: deadline() });
    progress = submitted;
    if (submitted.submission) await saveOpenState(submitted, inputs, environment);

    // One time limit for waiting, rate limits and reading results together.
    const resultsDeadline = deadline();
    const waited = await waitForResults(submitted, inputs, environment, { session, deadline: resultsDeadline });
    progress = waited;
    const collected = await collectResults(waited, session, resultsDeadline);
    return { progress: collected, ending: { kind: 'complete' } };
  } catch (error) {
    const outcome: Outcome = { progress, ending: endingAfter(error, progress, signal.aborted) };
    if (isDefect(outcome)) logStack(error, runner);
    return outcome;
  }
}

function logStack(error: unknown, { log }: Runner): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  for (const part of text.split('\n')) log.info(part);
}
