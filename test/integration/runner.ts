import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Emulator } from '../../emulator/emulator.ts';
import { type GateOptions, type GateRun, runGate } from '../harness/run-action.ts';
import { type Series, type SeriesRun, startSeries } from '../harness/series.ts';
import type { ArtifactService, RunIds } from './artifact-service.ts';

export interface JobOptions extends Partial<RunIds>, Omit<GateOptions, 'workspace'> {
  readonly event?: { readonly name: string; readonly payload: unknown };
}

export interface JobRun extends SeriesRun {
  /** Requests to GitHub's REST API, without the repository. */
  readonly asked: readonly string[];
  /** The machine's folder for things that end with the job. */
  readonly temp: string;
  /** The post step of the same job. */
  post(): Promise<GateRun>;
}

/** A repository whose jobs keep their state in artifacts. */
export interface Repository extends Series {
  job(options?: JobOptions): Promise<JobRun>;
}

type Arguments = Parameters<typeof startSeries>;

export async function startRepository(
  emulator: Emulator,
  artifacts: ArtifactService,
  files: Arguments[1],
  options: Arguments[2] = {},
): Promise<Repository> {
  const series = await startSeries(emulator, files, options);
  const temps = await mkdtemp(path.join(tmpdir(), 'gate-jobs-'));
  let runs = 41;
  return {
    ...series,
    async job({ runId, attempt = 1, inputs, env, event, ...rest } = {}) {
      runs += 1;
      // Each job has a machine of its own.
      const temp = await mkdtemp(path.join(temps, 'job-'));
      const stateFile = path.join(temp, 'state');
      await writeFile(stateFile, '');
      const ids = { runId: runId ?? runs, attempt };
      const jobEnv = {
        RUNNER_TEMP: temp,
        GITHUB_STATE: stateFile,
        GITHUB_RUN_ID: String(ids.runId),
        GITHUB_RUN_ATTEMPT: String(attempt),
        GITHUB_JOB: 'gate',
        GITHUB_ACTION: '__self',
        GITHUB_WORKFLOW_REF: 'acme/campaigns/.github/workflows/media.yml@refs/heads/main',
        GITHUB_API_URL: artifacts.github.url,
        ACTIONS_RESULTS_URL: artifacts.resultsUrl,
        ACTIONS_RUNTIME_TOKEN: artifacts.tokenFor(ids),
        ...env,
      };
      const before = artifacts.github.asked.length;
      const run = await series.run({
        inputs: { 'state-file': '', 'github-token': artifacts.github.token, 'report-artifact': 'false', ...inputs },
        env: jobEnv,
        ...(event && { event }),
        ...rest,
      });
      return {
        ...run,
        temp,
        asked: artifacts.github.asked.slice(before).map((line) => line.replace('/repos/acme/campaigns', '')),
        post: async () =>
          await runGate({
            workspace: series.workspace,
            env: { ...jobEnv, ...savedStates(await readFile(stateFile, 'utf8')) },
          }),
      };
    },
    [Symbol.asyncDispose]: async () => {
      await series[Symbol.asyncDispose]();
      await rm(temps, { recursive: true });
    },
  };
}

/** What the runner makes of a step's state for its post step. The last value of a name counts. */
function savedStates(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^(.+)<<(.+)\n([\s\S]*?)\n?\2$/gm)].map((match) => [`STATE_${match[1]}`, match[3] ?? '']),
  );
}
