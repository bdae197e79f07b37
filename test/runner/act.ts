import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(fileURLToPath(new URL('../../', import.meta.url)));
export const ACT_VERSION = '0.2.87';
export const ACT_BINARY = path.join(ROOT, `test/runner/.act/${ACT_VERSION}/act`);

export type ActRun = ReturnType<typeof readRun>;

/** A line of `act --json`, as pkg/runner/logger.go and command.go write it. */
interface Line
  extends Partial<Record<'jobID' | 'stage' | 'jobResult' | 'command' | 'name' | 'arg' | 'content', string>> {
  readonly msg: string;
  readonly matrix?: object | null;
  readonly stepID?: readonly string[];
  readonly kvPairs?: { readonly title?: string } | null;
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
function readLine(line: string): Line {
  return line.startsWith('{') ? JSON.parse(line) : { msg: line };
}

function readRun(exitCode: number | null, lines: readonly Line[]) {
  const outputs = lines.filter(({ command, stage }) => command === 'set-output' && stage === 'Main');
  const steps = Map.groupBy(outputs, ({ jobID, matrix, stepID }) => JSON.stringify([jobID, matrix, stepID]));
  const legs = Map.groupBy(
    lines.filter(({ jobResult }) => jobResult !== undefined),
    ({ jobID }) => jobID,
  );
  return {
    exitCode,
    /** Such as `media failure`. A matrix failed if one of its legs did. */
    jobs: [...legs]
      .map(([job, each]) => `${job} ${each.some(({ jobResult }) => jobResult === 'failure') ? 'failure' : 'success'}`)
      .toSorted(),
    annotations: lines
      .filter(({ command = '' }) => ['error', 'warning', 'notice'].includes(command))
      .map(({ kvPairs, arg = '' }) => ({ title: kvPairs?.title, message: arg })),
    /** The outputs of each step, without post steps. */
    outputs: [...steps.values()].map(
      (step): Readonly<Record<string, string>> =>
        Object.fromEntries(step.map(({ name = '', arg = '' }) => [name, arg])),
    ),
    summaries: lines.flatMap(({ command, content }) => (command === 'summary' && content ? [content] : [])),
    /** Everything that the runner and the steps printed. */
    log: lines.map(({ msg }) => msg.trimEnd()).join('\n'),
  };
}
