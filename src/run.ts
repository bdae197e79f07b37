import { type Cause, GateError } from './cause.ts';
import { missingKey } from './github/missing-key.ts';
import { readContext, type RunContext } from './github/context.ts';
import type { Runner } from './github/runner.ts';
import { type Inputs, SECRET_INPUTS, type ServiceAccess } from './inputs/inputs.ts';
import { parseInputs } from './inputs/parse.ts';
import { Interruption } from './interruption.ts';
import { discover } from './media/discover.ts';
import { inspect } from './media/inspect.ts';
import { pointerProblem } from './media/lfs.ts';
import { buildReport } from './report/build.ts';
import { publish } from './report/publish.ts';
import { ServiceClient } from './service/client.ts';
import { collect } from './service/collect.ts';
import { explain, ServiceError } from './service/service-error.ts';
import { submit } from './service/submit.ts';
import { createHttp } from './service/undici-http.ts';
import { upload } from './service/upload.ts';
import { wait } from './service/wait.ts';
import { describePlan, plan, refuseTooMany } from './state/plan.ts';
import type { Trail } from './trail.ts';
import { VERSION } from './version.ts';

/**
 * The whole run: inputs → discover → inspect → plan → upload → submit → wait → collect → verdict → report.
 * The exit status comes from the verdict alone.
 */
export async function run(env: NodeJS.ProcessEnv, runner: Runner, signal: AbortSignal): Promise<void> {
  for (const name of SECRET_INPUTS) {
    const secret = runner.input(name).trim();
    if (secret) runner.mask(secret);
  }
  const context = readContext(env);
  const trail: Trail = { wasStopped: false, notices: [] };
  try {
    await check(trail, context, runner, signal);
  } catch (error) {
    trail.wasStopped = signal.aborted;
    trail.stoppedBy = causesOf(error, trail);
  }
  await publish(buildReport(trail, context), runner);
}

/** Leaves on the trail what each step found. */
async function check(trail: Trail, context: RunContext, runner: Runner, signal: AbortSignal): Promise<void> {
  const { log } = runner;
  const inputs = parseInputs((name) => runner.input(name), missingKey(context));
  trail.inputs = inputs;
  if (!inputs.service && !inputs.dryRun) {
    trail.skipped = missingKey(context);
    return;
  }

  const discovery = await discover(inputs.files, context.workspace, { isDefault: inputs.filesAreDefault, signal });
  trail.discovery = discovery;
  trail.notices.push(...discovery.notices);
  log.info(`${discovery.files.length} files match`);
  if (discovery.files.length === 0) {
    trail.skipped = noFiles(inputs);
    return;
  }

  const inspection = await log.group('Inspecting the files', async () => await inspect(discovery, { signal }));
  trail.inspection = inspection;
  trail.notices.push(...inspection.warnings);
  const problems = [...inspection.problems, ...inspection.pointers.map(pointerProblem)];
  if (problems.length > 0) throw new GateError(problems);

  const planned = plan(inspection.files, context.repositoryId);
  trail.plan = planned;
  refuseTooMany(planned, inputs.maxFiles);
  if (!inputs.service || inputs.dryRun) {
    await log.group('What would be sent', async () => describePlan(planned, log));
    trail.skipped = DRY_RUN;
    return;
  }
  await analyse(trail, inputs, inputs.service, context, runner, signal);
}

/** The part that talks to the service. */
async function analyse(
  trail: Trail,
  inputs: Inputs,
  service: ServiceAccess,
  context: RunContext,
  { log }: Runner,
  signal: AbortSignal,
): Promise<void> {
  if (!trail.plan) return;
  const planned = trail.plan;
  const http = createHttp();
  try {
    const client = new ServiceClient(
      service,
      http,
      `media-compliance-gate/${VERSION} (run ${context.runId || 'local'})`,
      log,
    );
    const effort = () => ({ signal, until: Date.now() + inputs.waitTimeoutMinutes * 60_000 });

    const uploads = await log.group(
      `Uploading ${planned.submit.length} files`,
      async () =>
        await upload(planned, inputs.uploadConcurrency, { client, http, log, baseUrl: service.baseUrl }, effort()),
    );
    const submission = await submit(
      uploads,
      { ...inputs, metadata: metadataFor(inputs, context) },
      client,
      log,
      effort(),
    );
    trail.submission = submission;

    const waited = await log.group(
      'Waiting for the analysis',
      async () =>
        await wait(submission, { mode: service.mode, timeoutMinutes: inputs.waitTimeoutMinutes, signal }, client, log),
    );
    trail.waited = waited;
    trail.results = await log.group(
      'Reading the results',
      async () => await collect(waited, service.mode, client, effort()),
    );
  } finally {
    await http.close();
  }
}

const DRY_RUN: Cause = {
  reason: 'dry-run',
  message: 'This was a dry run: nothing was sent, and nothing was judged.',
  fix: 'Remove `dry-run: true` to send the files and gate on what is found.',
};

function noFiles({ ifNoFilesFound }: Inputs): Cause {
  const cause: Cause = {
    reason: 'no-files',
    message: 'No file matches the input `files`, so nothing was checked.',
    fix: 'If there should be media here, check the patterns in `files`; if not, set `if-no-files-found: ignore`.',
  };
  if (ifNoFilesFound === 'error') throw new GateError(cause);
  return cause;
}

/** What the service keeps beside the submission, so that a person there finds the way back to the run. */
function metadataFor({ metadata }: Inputs, context: RunContext): Readonly<Record<string, unknown>> | undefined {
  if (metadata === 'none') return undefined;
  const { repository, commit, ref, runUrl } = context;
  return { repository, commit, ref, runUrl, ...metadata };
}

/** What a person is told about whatever was thrown. */
function causesOf(error: unknown, trail: Trail): readonly Cause[] {
  if (error instanceof GateError) return error.causes;
  if (error instanceof ServiceError) return [explain(error)];
  if (error instanceof Interruption) return [interrupted(error, trail)];
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [
    {
      reason: 'results',
      message: `The gate itself broke: ${detail}`,
      fix: 'This is a defect of the action, not of your files. Please report it with this message.',
    },
  ];
}

function interrupted({ signalName }: Interruption, { submission }: Trail): Cause {
  return {
    reason: 'timeout',
    message: submission
      ? `The run was stopped (${signalName}) while submission ${submission.submissionId} was being analysed.`
      : `The run was stopped (${signalName}) before anything was submitted.`,
    fix: submission
      ? 'The analysis goes on at the service. Re-run the job: it goes on waiting for this submission and sends nothing again.'
      : 'Nothing was billed. Re-run the job.',
  };
}
