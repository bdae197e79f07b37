import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertValidSarif } from '../report/sarif-schema.ts';
import { type ProcessOptions, startProcess } from './action-process.ts';
import { type ListedRun, listedRun } from './artifact-service.ts';
import type { GitHubServer } from './github-server.ts';
import { type PrintedAnnotation, parseCommands, parseFileCommands } from './workflow-command.ts';
import { leaksIn, readWritten, secretsOf, type Written } from './written.ts';

/** Shared by all runs, because each process would otherwise compile the same bundle again. */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/gate', import.meta.url));

type Environment = Readonly<Record<string, string>>;

/** A step of a job. Default: a push to main, without GitHub's API, artifacts and secrets. */
export interface StepOptions extends Omit<ProcessOptions, 'cwd' | 'env'> {
  readonly workspace: string;
  /** `${{ runner.temp }}` is replaced by the job's own folder. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Variables that are added to those of the runner, or replace them. */
  readonly env?: Environment;
  /** Default: a push with an empty payload. A payload that is text is written as it is. */
  readonly event?: { readonly name: string; readonly payload: unknown } | undefined;
  readonly github?: (Pick<GitHubServer, 'url' | 'token'> & Partial<Pick<GitHubServer, 'serverUrl'>>) | undefined;
  readonly artifacts?:
    | { envOf(runId: string, attempt: number): Environment; beginRun?(runId: string, run: ListedRun): void }
    | undefined;
  readonly runId?: string | number | undefined;
  readonly attempt?: number | undefined;
  /** RUNNER_TEMP, kept for the post step and for other steps of the job. Default: a folder that is removed. */
  readonly temp?: string | undefined;
}

/** What the runner shows and keeps of one step. */
export interface ActionRun {
  readonly exitCode: number | null;
  readonly inputs: Readonly<Record<string, string>>;
  /** Everything printed, commands included. */
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly annotations: readonly PrintedAnnotation[];
  readonly masks: readonly string[];
  readonly written: Written;
  /** The text of a report file, by its name. */
  file(name: string): string;
  readonly text: string;
  readonly readableSummary: string;
  readonly notices: string;
  readonly warnings: string;
  /** Runs the post step of the same job. Needs `temp`. */
  post(): Promise<ActionRun>;
}

/** Starts the built action as a runner does: a process with its inputs in the environment, in a workspace. */
export async function runStep(options: StepOptions): Promise<ActionRun> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-runner-'));
  const temp = options.temp ?? folder;
  const given = Object.entries({ ...(options.github && { 'github-token': options.github.token }), ...options.inputs });
  const inputs = Object.fromEntries(given.map(([name, value]) => [name, value.replaceAll('${{ runner.temp }}', temp)]));
  const { event = { name: 'push', payload: {} } } = options;
  const files = {
    GITHUB_OUTPUT: path.join(folder, 'output'),
    GITHUB_STEP_SUMMARY: path.join(folder, 'summary'),
    GITHUB_STATE: path.join(folder, 'saved-for-post'),
  };
  const eventFile = path.join(folder, 'event.json');
  await Promise.all(Object.values(files).map(async (file) => await writeFile(file, '')));
  await writeFile(eventFile, typeof event.payload === 'string' ? event.payload : JSON.stringify(event.payload));
  const env = {
    ...runnerEnv(options),
    ...files,
    GITHUB_EVENT_NAME: event.name,
    GITHUB_EVENT_PATH: eventFile,
    RUNNER_TEMP: temp,
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    ...options.env,
  };
  const { GITHUB_RUN_ID: runId = '', ...rest }: Record<string, string | undefined> = env;
  options.artifacts?.beginRun?.(runId, listedRun(rest, event.payload));
  const { exitCode, log } = await startProcess({ ...options, cwd: options.workspace, env });
  const [outputText, summary, savedText] = await Promise.all(
    Object.values(files).map(async (file) => await readFile(file, 'utf8').catch(() => '')),
  );
  const outputs = parseFileCommands(outputText ?? '');
  const { annotations, masks } = parseCommands(log);
  const written = await readWritten({ folders: new Set([folder, temp]), log, masks, inputs });
  // Every test checks that the SARIF file is valid, and that no secret was written.
  if (outputs['sarif-file']) {
    assert(existsSync(outputs['sarif-file']), 'The output `sarif-file` names a file that is not there.');
    assertValidSarif(await readFile(outputs['sarif-file'], 'utf8'));
  }
  assertNoSecret(written, secretsOf(inputs));
  await rm(folder, { recursive: true });
  return {
    exitCode,
    inputs,
    log,
    outputs,
    summary: summary ?? '',
    annotations,
    masks,
    written,
    file: (name) => [...written].find(([file]) => file.endsWith(name))?.[1] ?? '',
    text: (written.get('log') ?? '') + summary,
    readableSummary: withoutEntities(summary ?? ''),
    notices: [...log.matchAll(/^Note: (.*)$/gm)].map((match) => match[1]).join('\n'),
    warnings: annotations
      .filter(({ level }) => level === 'warning')
      .map(({ message }) => message)
      .join('\n'),
    post: async () => {
      assert.ok(options.temp, 'The post step needs the folder of its job: give `temp`.');
      const saved = Object.entries(parseFileCommands(savedText ?? '')).map(([name, value]) => [`STATE_${name}`, value]);
      const { workspace, github, artifacts, runId, attempt, clockFactor } = options;
      const postEnv = { ...options.env, ...Object.fromEntries(saved) };
      const post = { event, github, artifacts, runId, attempt, clockFactor, temp, env: postEnv, isPost: true };
      return await runStep({ workspace, ...post });
    },
  };
}

export const PUSH_TO_MAIN = {
  GITHUB_REPOSITORY: 'acme/campaigns',
  GITHUB_REPOSITORY_ID: '4711',
  GITHUB_SHA: '0123456789abcdef0123456789abcdef01234567',
  GITHUB_REF: 'refs/heads/main',
  GITHUB_WORKFLOW_REF: 'acme/campaigns/.github/workflows/media.yml@refs/heads/main',
  GITHUB_JOB: 'gate',
  GITHUB_SERVER_URL: 'https://github.com',
};

function runnerEnv(options: StepOptions): Record<string, string | undefined> {
  const { workspace, github, artifacts, runId = '42', attempt = 1 } = options;
  return {
    PATH: process.env['PATH'],
    // Coverage counts code from the cache less precisely.
    ...(process.env['NODE_V8_COVERAGE'] === undefined && { NODE_COMPILE_CACHE: COMPILE_CACHE }),
    GITHUB_WORKSPACE: workspace,
    ...PUSH_TO_MAIN,
    GITHUB_ACTION: '__self',
    GITHUB_RUN_ID: String(runId),
    GITHUB_RUN_ATTEMPT: String(attempt),
    ...(github && { GITHUB_API_URL: github.url }),
    ...(github?.serverUrl && { GITHUB_SERVER_URL: github.serverUrl }),
    ...artifacts?.envOf(String(runId), attempt),
  };
}

export function assertNoSecret(written: Written, secrets: readonly string[]): void {
  const leaks = leaksIn(written, secrets);
  assert.deepEqual(leaks, [], `There are secrets in what the run has written: ${leaks.join(', ')}`);
}

function withoutEntities(summary: string): string {
  return summary.replaceAll(/<\/?code>/g, '`').replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}
