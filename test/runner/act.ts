import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ACT_VERSION = '0.2.87';
export const ACT_BINARY = fileURLToPath(new URL(`./.act/${ACT_VERSION}/act`, import.meta.url));

export interface ActOptions {
  readonly event: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly onStart?: (control: ActControl) => void;
}

/** A run that has been started. */
export interface ActControl {
  /** As Ctrl+C does: the current step is killed, and post steps run. */
  readonly cancel: () => void;
  /** What has been logged so far. */
  readonly current: () => ActRun;
}

/** What the runner made of a run, read from its log. */
export interface ActRun {
  readonly exitCode: number | null;
  /** In the order in which they ended. */
  readonly jobs: readonly ActJob[];
  readonly steps: readonly ActStep[];
  readonly annotations: readonly ActAnnotation[];
  /** Of main stages. */
  readonly outputs: readonly ActOutputs[];
  readonly summaries: readonly string[];
  /** What the steps printed. */
  readonly log: string;
  /** What the runner itself printed. */
  readonly messages: readonly string[];
}

interface Place {
  readonly job: string;
  /** `folder=spring`; empty outside a matrix. */
  readonly leg: string;
}

export interface ActJob extends Place {
  readonly result: string;
}

export interface ActOutputs extends Place {
  readonly values: Readonly<Record<string, string>>;
}

export interface ActStep extends Place {
  readonly name: string;
  readonly stage: string;
  readonly result: string;
}

export interface ActAnnotation extends Place {
  /** Within a composite action: `emulator/start`. */
  readonly step: string;
  readonly level: string;
  readonly title: string | undefined;
  readonly file: string | undefined;
  readonly message: string;
}

/** A line of `act --json`, as pkg/runner/logger.go and command.go write it. */
interface Line {
  readonly msg: string;
  readonly jobID?: string;
  readonly matrix?: Readonly<Record<string, unknown>> | null;
  readonly step?: string;
  readonly stepID?: readonly string[];
  readonly stage?: string;
  readonly stepResult?: string;
  readonly jobResult?: string;
  readonly raw_output?: boolean;
  readonly command?: string;
  readonly kvPairs?: Readonly<Record<string, string>>;
  readonly arg?: string;
  readonly name?: string;
  readonly content?: string;
}

/** @remarks With ACT_LOG set to a path, the log is also appended to that file. */
export async function runAct({ event, args, env, cwd, onStart }: ActOptions): Promise<ActRun> {
  const child = spawn(ACT_BINARY, [event, '--json', ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  const read = (exitCode: number | null): ActRun => readRun(exitCode, log.slice(0, log.lastIndexOf('\n')).split('\n'));
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk;
    });
  }
  onStart?.({ cancel: () => void child.kill('SIGINT'), current: () => read(null) });
  const exitCode = await new Promise<number | null>((resolve, reject) =>
    child.on('close', resolve).on('error', reject),
  );
  if (process.env['ACT_LOG']) appendFileSync(process.env['ACT_LOG'], log);
  return read(exitCode);
}

function readRun(exitCode: number | null, lines: readonly string[]): ActRun {
  const entries = lines.map(readLine);
  const steps = entries.flatMap((line) => {
    const { step: name = '', stage, stepResult: result } = line;
    return result && stage ? [{ ...placeOf(line), name, stage, result }] : [];
  });
  return {
    exitCode,
    jobs: entries.flatMap(({ jobResult, ...line }) => {
      const place = placeOf(line);
      return jobResult ? [{ ...place, result: place.leg === '' ? jobResult : legResult(place, steps) }] : [];
    }),
    steps,
    annotations: entries.flatMap((line) => {
      const { command = '', kvPairs, arg = '', stepID = [] } = line;
      if (!['error', 'warning', 'notice'].includes(command)) return [];
      const { title, file } = kvPairs ?? {};
      return [{ ...placeOf(line), step: stepID.join('/'), level: command, title, file, message: arg }];
    }),
    outputs: readOutputs(entries),
    summaries: entries.flatMap(({ command, content }) => (command === 'summary' && content ? [content] : [])),
    log: entries
      .filter(({ raw_output }) => raw_output)
      .map(({ msg }) => msg)
      .join(''),
    messages: entries
      .filter(({ raw_output, command, msg }) => !raw_output && !command && !msg.startsWith('LocalRepositoryCache'))
      .map(({ msg }) => msg),
  };
}

function readOutputs(entries: readonly Line[]): readonly ActOutputs[] {
  const lines = entries.filter(({ command, stage }) => command === 'set-output' && stage === 'Main');
  const steps = Map.groupBy(lines, (line) => JSON.stringify([placeOf(line), line.stepID]));
  return [...steps.values()].map((set) => ({
    ...placeOf(set[0] ?? {}),
    values: Object.fromEntries(set.map(({ name = '', arg = '' }) => [name, arg])),
  }));
}

/** act keeps one result for all legs, and logs for each leg what it is by then: pkg/runner/job_executor.go, setJobResult. */
function legResult({ job, leg }: Place, steps: readonly ActStep[]): string {
  const isFailed = steps.some((step) => step.job === job && step.leg === leg && step.result === 'failure');
  return isFailed ? 'failure' : 'success';
}

/** What is no JSON is a message that act prints before its log begins, or when it gives up. */
function readLine(line: string): Line {
  return line.startsWith('{') ? JSON.parse(line) : { msg: line };
}

function placeOf({ jobID: job = '', matrix }: Partial<Line>): Place {
  const leg = Object.entries(matrix ?? {}).map(([name, value]) => `${name}=${String(value)}`);
  return { job, leg: leg.join(',') };
}

export const ROOT = path.resolve(fileURLToPath(new URL('../../', import.meta.url)));
