import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const ACT_VERSION = '0.2.87';
export const ACT_BINARY = fileURLToPath(new URL(`./.act/${ACT_VERSION}/act`, import.meta.url));

export interface ActOptions {
  readonly event: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** What the runner made of a run, read from its log. */
export interface ActRun {
  readonly exitCode: number | null;
  /** In the order in which they ended. */
  readonly jobs: readonly (Place & { readonly result: string })[];
  readonly steps: readonly ActStep[];
  readonly annotations: readonly ActAnnotation[];
  /** Of main stages. */
  readonly outputs: readonly ActOutputs[];
  readonly summaries: readonly string[];
  /** What the runner and the steps printed. */
  readonly log: string;
}

interface Place {
  readonly job: string;
  /** `folder=spring`; empty outside a matrix. */
  readonly leg: string;
}

export interface ActOutputs extends Place {
  readonly values: Readonly<Record<string, string>>;
}

interface ActStep extends Place {
  readonly name: string;
  readonly stage: string;
  readonly result: string;
}

interface ActAnnotation {
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
  readonly command?: string;
  readonly kvPairs?: Readonly<Record<string, string>> | null;
  readonly arg?: string;
  readonly name?: string;
  readonly content?: string;
}

export async function runAct({ event, args, env, cwd }: ActOptions): Promise<ActRun> {
  const child = spawn(ACT_BINARY, [event, '--json', ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return readRun(await ended, `${stdout}${stderr}`.trim().split('\n').map(readLine));
}

function readRun(exitCode: number | null, lines: readonly Line[]): ActRun {
  const steps = lines.flatMap((line) => {
    const { step: name = '', stage, stepResult: result } = line;
    return result && stage ? [{ ...placeOf(line), name, stage, result }] : [];
  });
  return {
    exitCode,
    jobs: lines.flatMap(({ jobResult, ...line }) => {
      const place = placeOf(line);
      return jobResult ? [{ ...place, result: place.leg === '' ? jobResult : legResult(place, steps) }] : [];
    }),
    steps,
    annotations: lines.flatMap(({ command = '', kvPairs, arg = '' }) =>
      ['error', 'warning', 'notice'].includes(command)
        ? [{ level: command, title: kvPairs?.['title'], file: kvPairs?.['file'], message: arg }]
        : [],
    ),
    outputs: readOutputs(lines),
    summaries: lines.flatMap(({ command, content }) => (command === 'summary' && content ? [content] : [])),
    log: lines.map(({ msg }) => msg.trimEnd()).join('\n'),
  };
}

function readOutputs(all: readonly Line[]): readonly ActOutputs[] {
  const lines = all.filter(({ command, stage }) => command === 'set-output' && stage === 'Main');
  const steps = Map.groupBy(lines, (line) => JSON.stringify([placeOf(line), line.stepID]));
  return [...steps.values()].map((set) => ({
    ...placeOf(set[0] ?? {}),
    values: Object.fromEntries(set.map(({ name = '', arg = '' }) => [name, arg])),
  }));
}

/** act keeps one result for all legs and logs its current value: pkg/runner/job_executor.go, setJobResult. */
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
