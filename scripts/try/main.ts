/** Runs the built action on a folder, as a workflow step would: `npm run try -- ../your-repository --dry-run`. */
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { styleText } from 'node:util';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { restoreWorkspace, saveWorkspace } from '../../emulator/saved.ts';
import { readScenario, readyScenarios } from '../../emulator/scenario.ts';
import { LIVE_KEY, type Workspace } from '../../emulator/workspace.ts';
import { parseFileCommands } from '../../test/harness/workflow-command.ts';
import { readAction } from '../action-yml.ts';
import { page } from '../terminal/page.ts';
import { runnerLog } from '../terminal/runner-log.ts';
import { table, wrap } from '../terminal/text.ts';
import { flagGroups, flagTakenByNpm, NOT_FLAGS, parseTrial, type Trial, UsageError } from './options.ts';
import { shortLog } from './short-log.ts';

const ACTION = new URL('../../action.yml', import.meta.url);
/** Tests start their own build. */
const BUNDLE = process.env['GATE_BUNDLE'] ?? fileURLToPath(new URL('../../dist/index.js', import.meta.url));
const columns = Math.min(process.stdout.columns ?? 120, 120);
const print = (line: string): void => console.log(line);

const action = readAction(await readFile(ACTION, 'utf8'));

function usage(): string {
  const rows = [
    ['--dry-run', 'list what would be sent, and send nothing'],
    ['--scenario NAME', `use the emulator: ${readyScenarios().join(', ')}, or a JSON file`],
    ['--base-url URL --api-key KEY', 'use a real service'],
    ['--state-file FILE', 'keep the results: the next run with this file sends only what changed'],
    ['--verbose', 'print the whole log and the job summary'],
  ];
  const groups = [...flagGroups(action)].map(([group, flags]) => `${group}\n${indented(flags)}\n`);
  return `npm run try -- FOLDER [flags]

${indented(rows)}

Every input of the action is a flag, except ${NOT_FLAGS.join(' and ')}, which GitHub fills in. A path in --state-file or
--report-dir starts in the folder in which you are; patterns and --waivers-file start in FOLDER.

${groups.join('\n')}
Exit status: that of the step, so 1 if the verdict is fail or error; 2 if the command is wrong.`;
}

function indented(rows: readonly (readonly string[])[]): string {
  return table(rows, columns - 2)
    .map((line) => `  ${line}`)
    .join('\n');
}

type Inputs = Readonly<Record<string, string>>;

async function run({ folder, scenario, inputs: given, isVerbose }: Extract<Trial, { kind: 'run' }>): Promise<number> {
  // npm runs scripts in the project's folder, and keeps the caller's folder in INIT_CWD.
  const here = path.resolve(process.env['INIT_CWD'] ?? '.');
  const workspace = path.resolve(here, folder);
  const found = statSync(workspace, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`There is no folder ${workspace}.`);
  if (!found.isDirectory()) {
    const example = `npm run try -- ${path.dirname(folder)} --files ${path.basename(folder)}`;
    throw new UsageError(`${workspace} is a file. Name its folder, and the file with --files: ${example}`);
  }
  const places = ['state-file', 'report-dir'].filter((name) => given[name]);
  const inputs = {
    ...given,
    ...Object.fromEntries(places.map((name) => [name, path.resolve(here, given[name] ?? '')])),
  };
  const service = scenario === undefined ? undefined : await startService(scenario, inputs);
  try {
    return await runStep(workspace, { ...inputs, ...service?.inputs }, isVerbose);
  } finally {
    await service?.end();
  }
}

interface Service {
  readonly inputs: Inputs;
  end(): Promise<void>;
}

/** With a state file the emulator keeps what it knows beside it, as a service does: state alone could not be reused. */
async function startService(name: string, inputs: Inputs): Promise<Service> {
  const scenario = await readScenario(name);
  const memory = inputs['state-file'] && `${inputs['state-file']}.emulator.json`;
  const emulator: Emulator = await startEmulator();
  const workspace: Workspace = emulator.workspace({ scenario, key: inputs['api-key'] ?? LIVE_KEY });
  if (memory) await restoreWorkspace(workspace, memory);
  return {
    inputs: { 'base-url': emulator.baseUrl, 'api-key': workspace.key },
    end: async () => {
      if (memory) await saveWorkspace(workspace, memory);
      await emulator.close();
    },
  };
}

/** Starts the action and prints what GitHub would show, in short unless asked for all. Returns its exit status. */
async function runStep(workspace: string, inputs: Inputs, isVerbose: boolean): Promise<number> {
  const temp = await mkdtemp(path.join(tmpdir(), 'media-compliance-'));
  const files = { GITHUB_OUTPUT: path.join(temp, 'output'), GITHUB_STEP_SUMMARY: path.join(temp, 'summary.md') };
  await Promise.all(Object.values(files).map(async (file) => await writeFile(file, '')));
  const child = spawn(process.execPath, [BUNDLE], {
    cwd: workspace,
    env: {
      ...ownEnvironment(),
      ...files,
      RUNNER_TEMP: temp,
      GITHUB_WORKSPACE: workspace,
      ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const short = shortLog(print, showCounter);
  const show = isVerbose ? runnerLog(print) : short.show;
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', show);
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));

  const summary = page(await readFile(files.GITHUB_STEP_SUMMARY, 'utf8'), columns);
  if (isVerbose) print(`\n${styleText('bold', 'Summary')}\n\n${summary}`);
  else printShort(summary, exitCode === 0 ? [] : short.errors());
  const outputs = parseFileCommands(await readFile(files.GITHUB_OUTPUT, 'utf8'));
  const report = path.join(outputs['report-dir'] || temp, 'report.html');
  print('');
  if (existsSync(report)) print(`Report: ${pathToFileURL(report).href}`);
  if (outputs['state-file']) print(`State: ${outputs['state-file']} (written because of --state-file)`);
  if (!isVerbose) print(`Log and summary, with ${short.leftOut()} more messages: add --verbose`);
  if (exitCode === 1) {
    print(`\nThe verdict is ${outputs['verdict']}, so the step ends with exit status 1, as it would on GitHub.`);
  }
  // A process that was killed has no status.
  return exitCode ?? 1;
}

/** The headline and what stops the check. An error whose message is the headline adds only what to do. */
function printShort(summary: string, errors: readonly string[]): void {
  const [headline = ''] = summary.split('\n');
  print(`\n${headline}`);
  for (const error of errors) {
    const [first = '', ...rest] = error.split('\n');
    const lines = headline.endsWith(first.replaceAll('`', '')) ? rest : [first, ...rest];
    print(`\n${lines.flatMap((line) => wrap(line, columns)).join('\n')}`);
  }
}

/** Only a terminal can replace a line. */
function showCounter(text: string): void {
  if (process.stdout.isTTY) process.stdout.write(`${text}\r`);
}

/** The environment without the variables of a runner: the outcome must not depend on them. */
function ownEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(GITHUB|RUNNER|ACTIONS|INPUT)_/i.test(name)),
  );
}

// The terminal sends Ctrl+C to the action as well, which then ends in order.
process.on('SIGINT', () => undefined);
try {
  const args = process.argv.slice(2);
  const taken = flagTakenByNpm(process.env, args, action);
  if (taken !== undefined) {
    throw new UsageError(`npm took --${taken} for itself. Put -- before your flags: npm run try -- FOLDER --${taken}`);
  }
  const trial = parseTrial(args, action);
  if (trial.kind === 'help') console.log(usage());
  else process.exitCode = await run(trial);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
