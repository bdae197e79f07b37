import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertValidSarif } from '../report/sarif-schema.ts';
import { parseCommand } from './workflow-command.ts';
import { leaksIn, readWritten, secretsOf, type Written } from './written.ts';

/** What is started: the bundle of the repository, or another build while one works on it. */
const BUNDLE = process.env['GATE_BUNDLE'] ?? fileURLToPath(new URL('../../dist/index.js', import.meta.url));

/** Hundreds of processes: each would compile the same bundle again. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/gate', import.meta.url));

/** What the runner would show and keep of one step. */
export interface GateRun {
  readonly exitCode: number | null;
  /** Everything printed, commands included. */
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly annotations: readonly PrintedAnnotation[];
  /** Values that the runner was told to hide. */
  readonly masks: readonly string[];
  readonly written: Written;
}

export interface PrintedAnnotation {
  readonly level: string;
  readonly file: string | undefined;
  readonly line: string | undefined;
  readonly title: string | undefined;
  readonly message: string;
}

export interface GateOptions {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly workspace: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How many times faster the clock of the action runs. */
  readonly clockFactor?: number;
  /** Given the way to send a signal, as soon as the process runs. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
  /** Given every line as it is printed, and the way to send a signal. */
  readonly onLine?: (line: string, kill: (signal: NodeJS.Signals) => void) => void;
  /** Given the folder of all that the run has written outside the workspace, before it is removed. */
  readonly onEnd?: (folder: string) => Promise<void>;
}

/** Starts the built action as a runner does: a process with its inputs in the environment, in a workspace. */
export async function runGate(options: GateOptions): Promise<GateRun> {
  const temp = await mkdtemp(path.join(tmpdir(), 'gate-runner-'));
  const files = { GITHUB_OUTPUT: path.join(temp, 'output'), GITHUB_STEP_SUMMARY: path.join(temp, 'summary') };
  await Promise.all(Object.values(files).map(async (file) => await writeFile(file, '')));
  const inputs = Object.entries(options.inputs ?? {}).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const clock = options.clockFactor ? ['--import', new URL('./fast-clock.mjs', import.meta.url).href] : [];
  const child = spawn(process.execPath, [...clock, BUNDLE], {
    cwd: options.workspace,
    env: {
      PATH: process.env['PATH'],
      // What comes out of the cache is counted less precisely.
      ...(process.env['NODE_V8_COVERAGE'] === undefined && { NODE_COMPILE_CACHE: COMPILED }),
      ...files,
      RUNNER_TEMP: temp,
      GITHUB_WORKSPACE: options.workspace,
      GITHUB_REPOSITORY: 'acme/campaigns',
      GITHUB_REPOSITORY_ID: '4711',
      GITHUB_SHA: '0123456789abcdef0123456789abcdef01234567',
      GITHUB_REF: 'refs/heads/main',
      GITHUB_EVENT_NAME: 'push',
      GITHUB_RUN_ID: '42',
      GITHUB_SERVER_URL: 'https://github.com',
      ...(options.clockFactor && { FAST_CLOCK_FACTOR: String(options.clockFactor) }),
      ...Object.fromEntries(inputs),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  options.onStart?.((signal) => child.kill(signal));
  let log = '';
  let rest = '';
  const hear = (chunk: string): void => {
    log += chunk;
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) options.onLine?.(line, (signal) => child.kill(signal));
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const [outputText, summary] = await Promise.all([
    readFile(files.GITHUB_OUTPUT, 'utf8'),
    readFile(files.GITHUB_STEP_SUMMARY, 'utf8'),
  ]);
  const outputs = parseOutputs(outputText);
  const commands = parseCommands(log);
  const written = await readWritten({ folder: temp, log, masks: commands.masks, inputs: options.inputs ?? {} });
  await options.onEnd?.(temp);
  // Whatever a test is about: code scanning takes what the run has written, and no secret is in it.
  if (outputs['sarif-file']) assertValidSarif(await readFile(outputs['sarif-file'], 'utf8'));
  const leaks = leaksIn(written, secretsOf(options.inputs ?? {}));
  assert.deepEqual(leaks, [], `There are secrets in what the run has written: ${leaks.join(', ')}`);
  await rm(temp, { recursive: true });
  return { exitCode, log, outputs, summary, written, ...commands };
}

/** The runner's own format, of outputs and of what is saved for the post step: `name<<delimiter`, lines, delimiter. */
export function parseOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  for (const match of text.matchAll(/^(.+)<<(.+)\n([\s\S]*?)\n\2$/gm)) outputs[match[1] ?? ''] = match[3] ?? '';
  return outputs;
}

function parseCommands(log: string): Pick<GateRun, 'annotations' | 'masks'> {
  const annotations: PrintedAnnotation[] = [];
  const masks: string[] = [];
  // The runner ends a line in more places than we do.
  for (const line of log.split(/[\n\r\u2028\u2029]/)) {
    const { name = '', properties, message = '' } = parseCommand(line) ?? {};
    if (name === 'add-mask') masks.push(message);
    if (!['error', 'warning', 'notice'].includes(name)) continue;
    const [file, place, title] = ['file', 'line', 'title'].map((property) => properties?.get(property));
    annotations.push({ level: name, file, line: place, title, message });
  }
  return { annotations, masks };
}

/** A workspace with these files in it, removed by `remove`, or at the end of its scope. */
export async function makeWorkspace(
  files: Readonly<Record<string, Uint8Array | string>>,
): Promise<AsyncDisposable & { path: string; remove: () => Promise<void> }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gate-workspace-'));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(directory, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  const remove = async (): Promise<void> => await rm(directory, { recursive: true, force: true });
  return { path: directory, remove, [Symbol.asyncDispose]: remove };
}
