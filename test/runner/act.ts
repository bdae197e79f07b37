import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(fileURLToPath(new URL('../../', import.meta.url)));
export const ACT_VERSION = '0.2.87';
export const ACT_BINARY = path.join(ROOT, `test/runner/.act/${ACT_VERSION}/act`);

interface Place {
  readonly job: string;
  /** The values of the job's matrix, for example `spring`. Empty without a matrix. */
  readonly leg: string;
}

export interface ActOutputs extends Place {
  readonly values: Readonly<Record<string, string>>;
}

export type ActRun = ReturnType<typeof readRun>;

/** A line of `act --json`, as pkg/runner/logger.go and command.go write it. */
interface Line extends Partial<Record<'jobID' | 'stage' | 'stepResult' | 'jobResult' | 'command', string>> {
  readonly msg: string;
  readonly matrix?: object | null;
  readonly stepID?: readonly string[];
  readonly kvPairs?: Readonly<Record<string, string>> | null;
  readonly name?: string;
  readonly arg?: string;
  readonly content?: string;
}

export async function runAct(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<ActRun> {
  const child = spawn(ACT_BINARY, ['--json', ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return readRun(await ended, `${stdout}${stderr}`.trim().split('\n').map(readLine));
}

/** A line that is not JSON is a message that act prints before its log begins, or when it gives up. */
function readLine(line: string): Line & Place {
  const read: Line = line.startsWith('{') ? JSON.parse(line) : { msg: line };
  return { ...read, job: read.jobID ?? '', leg: Object.values(read.matrix ?? {}).join() };
}

function readRun(exitCode: number | null, lines: readonly (Line & Place)[]) {
  const outputs = lines.filter(({ command, stage }) => command === 'set-output' && stage === 'Main');
  const steps = Map.groupBy(outputs, ({ job, leg, stepID }) => JSON.stringify([job, leg, stepID]));
  return {
    exitCode,
    /** The jobs in the order in which they ended. */
    jobs: lines
      .filter(({ jobResult }) => jobResult !== undefined)
      .map(({ job, leg, jobResult = '' }) => ({ job, leg, result: leg === '' ? jobResult : resultOf(leg, lines) })),
    annotations: lines
      .filter(({ command = '' }) => ['error', 'warning', 'notice'].includes(command))
      .map(({ command: level, kvPairs, arg: message = '' }) => {
        const { title, file }: { title?: string; file?: string } = kvPairs ?? {};
        return { level, title, file, message };
      }),
    /** The outputs of each step, without post steps. */
    outputs: [...steps.values()].map(
      (step): ActOutputs => ({
        job: step[0]?.job ?? '',
        leg: step[0]?.leg ?? '',
        values: Object.fromEntries(step.map(({ name = '', arg = '' }) => [name, arg])),
      }),
    ),
    summaries: lines.flatMap(({ command, content }) => (command === 'summary' && content ? [content] : [])),
    /** Everything that the runner and the steps printed. */
    log: lines.map(({ msg }) => msg.trimEnd()).join('\n'),
  };
}

/** act keeps one result for all legs of a matrix: pkg/runner/job_executor.go, setJobResult. */
function resultOf(wanted: string, lines: readonly (Line & Place)[]): string {
  return lines.some(({ leg, stepResult }) => leg === wanted && stepResult === 'failure') ? 'failure' : 'success';
}
