import { createGitHubApi } from './github/api.ts';
import { type RunContext, readContext } from './github/context.ts';
import type { Runner } from './github/runner.ts';
import { SECRET_INPUTS } from './inputs/inputs.ts';
import { type ReadInputs, readInputs } from './inputs/parse.ts';
import { missingKey, skippedWithoutKey } from './inputs/service-access.ts';
import { type Cause, GateError } from './lib/cause.ts';
import { publish, publishDefect } from './publish/publish.ts';
import { buildReport } from './report/build.ts';
import { chooseStore, NO_STORE } from './state/choose-store.ts';
import { collectResults, fireEvent, sendFiles, waitForResults } from './steps/analyse-files.ts';
import { type Environment, ServiceConnection, startDeadline } from './steps/environment.ts';
import { loadHistory } from './steps/load-history.ts';
import { loadWaivers } from './steps/load-waivers.ts';
import { confirmFiles, discoverFiles, dryRun, inspectFiles, planFiles, refuseProblems } from './steps/plan-files.ts';
import { saveFinalState, saveOpenState } from './steps/save-state.ts';
import { judge } from './verdict/judge.ts';
import { endingAfter, isDefect, type Outcome, skip } from './verdict/outcome.ts';
import { type Progress, STARTED } from './verdict/progress.ts';

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
      ? await chooseStore({ inputs, service: inputs.service, context, api: github, runner, signal })
      : NO_STORE;
    const environment = { inputs, runner, context, github, store, signal };

    const outcome = await check(problems, environment, connection);
    const stateFile = await saveFinalState(outcome, environment);
    const verdict = judge(outcome, inputs.policy);
    await fireEvent(outcome, environment, connection);
    const { unsavedNotice } = store;
    const report = buildReport({ outcome, verdict, inputs, context, stateFile, unsavedNotice, now: new Date() });
    await publish(report, { outcome, inputs, stateFile, runner, github, context });
  } catch (error) {
    logStack(error, runner);
    publishDefect(error, runner, context);
  } finally {
    await connection.close();
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

/**
 * discover → waivers → inspect → history → plan → confirm → upload → submit → save state → wait → collect. If a step
 * fails, the outcome has what the steps before it found.
 */
async function check(
  inputProblems: readonly Cause[],
  environment: Environment,
  connection: ServiceConnection,
): Promise<Outcome> {
  const { inputs, context, runner, signal } = environment;
  let progress: Progress = STARTED;
  try {
    if (inputProblems.length > 0) throw new GateError(inputProblems);
    const { service } = inputs;
    if (!service && !inputs.dryRun) return { progress: STARTED, ending: skip(skippedWithoutKey(context)) };

    const { discovered, nothingToCheck } = await discoverFiles(environment);
    progress = discovered;
    if (nothingToCheck) return { progress: discovered, ending: nothingToCheck };

    const withWaivers = await loadWaivers(discovered, environment);
    progress = withWaivers;

    const inspected = await inspectFiles(withWaivers, environment);
    progress = inspected;

    const planned = planFiles(await loadHistory(inspected, environment));
    progress = planned;
    if (!service || inputs.dryRun) return dryRun(planned, environment);

    const session = connection.open(service);
    const confirmed = await confirmFiles(planned, environment, session);
    progress = confirmed;
    refuseProblems(confirmed, environment);

    const sent = await sendFiles(confirmed, environment, session);
    progress = sent;
    const submitted = sent.submission ? await saveOpenState(sent, environment) : sent;
    progress = submitted;

    const timedSession = { ...session, deadline: startDeadline(environment) };
    const waited = await waitForResults(submitted, environment, timedSession);
    progress = waited;

    const collected = await collectResults(waited, timedSession);
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
