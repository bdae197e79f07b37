/** Runs the built action on a folder, as a workflow step would: `npm run try -- ../your-repository --dry-run`. */
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import { readScenario, readyScenarios } from '../../emulator/scenario.ts';
import { parseFileCommands } from '../../test/harness/workflow-command.ts';
import { readAction } from '../action-yml.ts';
import { page } from '../terminal/page.ts';
import { runnerLog } from '../terminal/runner-log.ts';
import { flagTakenByNpm, listFlags, NOT_FLAGS, parseTrial, type Trial, UsageError } from './options.ts';

const ACTION = new URL('../../action.yml', import.meta.url);
/** Tests start their own build. */
const BUNDLE = process.env['GATE_BUNDLE'] ?? fileURLToPath(new URL('../../dist/index.js', import.meta.url));
const MAX_COLUMNS = 120;

const action = readAction(await readFile(ACTION, 'utf8'));

function usage(): string {
  return `npm run try -- FOLDER [flags]

  --dry-run          list what would be sent, and send nothing
  --scenario NAME    use the emulator: ${readyScenarios().join(', ')}, or a JSON file
  --base-url URL --api-key KEY
                     use a real service

Every input of the action is a flag, except ${NOT_FLAGS.join(' and ')}, which GitHub fills in. ${listFlags(action)}

Exit status: that of the step, so 1 if the verdict is fail or error; 2 if the command is wrong.`;
}

async function run({ folder, scenario, inputs }: Extract<Trial, { kind: 'run' }>): Promise<number> {
  // npm runs scripts in the project's folder, and keeps the caller's folder in INIT_CWD.
  const workspace = path.resolve(process.env['INIT_CWD'] ?? '.', folder);
  const found = statSync(workspace, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`There is no folder ${workspace}.`);
  if (!found.isDirectory()) {
    const example = `npm run try -- ${path.dirname(folder)} --files ${path.basename(folder)}`;
    throw new UsageError(`${workspace} is a file. Name its folder, and the file with --files: ${example}`);
  }
  const service = scenario === undefined ? undefined : await startService(scenario, inputs['api-key']);
  try {
    return await runStep(workspace, { ...inputs, ...service?.inputs });
  } finally {
    await service?.emulator.close();
  }
}

interface Service {
  readonly emulator: Emulator;
  readonly inputs: Readonly<Record<string, string>>;
}

async function startService(name: string, key: string | undefined): Promise<Service> {
  const scenario = await readScenario(name);
  const emulator = await startEmulator();
  const workspace = emulator.workspace(key === undefined ? { scenario } : { scenario, key });
  return { emulator, inputs: { 'base-url': emulator.baseUrl, 'api-key': workspace.key } };
}

/** Starts the action and prints what GitHub would show. Returns its exit status. */
async function runStep(workspace: string, inputs: Readonly<Record<string, string>>): Promise<number> {
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
  const show = runnerLog((line) => console.log(line));
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', show);
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));

  const columns = Math.min(process.stdout.columns ?? MAX_COLUMNS, MAX_COLUMNS);
  console.log(
    `\n${styleText('bold', 'Summary')}\n\n${page(await readFile(files.GITHUB_STEP_SUMMARY, 'utf8'), columns)}`,
  );
  const outputs = parseFileCommands(await readFile(files.GITHUB_OUTPUT, 'utf8'));
  const report = path.join(outputs['report-dir'] || temp, 'report.html');
  if (existsSync(report)) console.log(`\nReport: ${report}`);
  if (outputs['state-file']) console.log(`State: ${outputs['state-file']} (written because of --state-file)`);
  if (exitCode === 1) {
    console.log(`\nThe verdict is ${outputs['verdict']}, so the step ends with exit status 1, as it would on GitHub.`);
  }
  // A process that was killed has no status.
  return exitCode ?? 1;
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
