/** Runs the built action on a folder, as a workflow step would: `npm run try -- ../your-repository`. */
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startEmulator } from '../../emulator/emulator.ts';
import { READY_SCENARIOS } from '../../emulator/ready-scenarios.ts';
import { restoreWorkspace, saveWorkspace } from '../../emulator/saved.ts';
import { readScenario } from '../../emulator/scenario.ts';
import { LIVE_KEY } from '../../emulator/workspace.ts';
import { logLine } from '../../src/lib/escape.ts';
import { describeContent } from '../../src/report/phrases.ts';
import type { Report } from '../../src/report/report.ts';
import { parseCommand } from '../../test/harness/workflow-command.ts';
import { readAction } from '../action-yml.ts';
import { runnerLog, runOnFolder, type StepEnd } from '../step.ts';
import { listFlags, parseTrial, type Trial } from './options.ts';

const ACTION = new URL('../../action.yml', import.meta.url);

const usage = (flags: string): string => `npm run try -- FOLDER [flags]

Without a service, it lists what would be sent of the folder, and sends nothing.

  --scenario NAME               use the emulator: ${Object.keys(READY_SCENARIOS).join(', ')}, or a JSON file
  --base-url URL --api-key KEY  use a real service
  --state-file FILE             keep the results: the next run with this file sends only what changed
  --verbose                     print the whole log and the job summary

Every input of the action is a flag, except those that GitHub fills in. A path in --state-file starts in the folder in
which you are; patterns and --waivers-file start in FOLDER.
${flags}

Exit status: that of the step, so 1 if the verdict is fail or error; 2 if the command is wrong.`;

const INVENTED = 'The service is an emulator: all findings are invented.';

/** @returns the exit status */
async function tryIt({ folder, scenario, inputs: given, isVerbose }: Trial): Promise<number> {
  // npm runs scripts in the project's folder, and keeps the caller's folder in INIT_CWD.
  const here = path.resolve(process.env['INIT_CWD'] ?? '.');
  const workspace = path.resolve(here, folder);
  if (!statSync(workspace, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${workspace} is no folder. A file in a folder is named with --files.`);
  const stateFile = given['state-file'];
  const inputs = { ...given, ...(stateFile && { 'state-file': path.resolve(here, stateFile) }) };
  const service = scenario === undefined ? undefined : await startService(scenario, inputs);
  try {
    if (service) console.log(`${INVENTED}\n`);
    const log = isVerbose ? { show: runnerLog() } : shortLog();
    const end = await runOnFolder(workspace, { ...inputs, ...service?.inputs }, log.show);
    await printPlan(end);
    if ('errors' in log) printShort(end, log.errors);
    else console.log(`\n${end.summary}`);
    printEnd(end);
    if (service) console.log(`\n${INVENTED}`);
    return end.exitCode;
  } finally {
    await service?.end();
  }
}

/** With a state file, the emulator saves its submissions beside it: results are reused only if the service has them. */
async function startService(name: string, inputs: Trial['inputs']) {
  const scenario = await readScenario(name);
  const memory = inputs['state-file'] && `${inputs['state-file']}.emulator.json`;
  const emulator = await startEmulator();
  const workspace = emulator.workspace({ scenario, key: inputs['api-key'] ?? LIVE_KEY });
  if (memory) await restoreWorkspace(workspace, memory);
  return {
    inputs: { 'base-url': emulator.baseUrl, 'api-key': workspace.key },
    end: async () => {
      if (memory) await saveWorkspace(workspace, memory);
      await emulator.close();
    },
  };
}

/** Prints the log without uploads. What stops the check, or would stop a real run, is collected for the end. */
function shortLog() {
  const errors: string[] = [];
  const show = (line: string): void => {
    const command = parseCommand(line);
    if (command?.name === 'error') errors.push(command.message);
    else if (command?.properties.get('title')?.startsWith('Not checked: ')) errors.push(command.message);
    else if (command?.name === 'group') console.log(command.message);
    else if (!command && !/^(\[\d+\/\d+\] |$)/.test(line)) console.log(line);
  };
  return { show, errors };
}

/** The headline and what stops the check, or would stop a real run. The last one repeats the headline. */
function printShort({ summary }: StepEnd, errors: readonly string[]): void {
  const [first = ''] = summary.split('\n');
  const headline = first
    .replace(/^#+ /, '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
  console.log(`\n${headline}`);
  for (const error of errors.slice(0, -1)) console.log(`\n${error}`);
  console.log('\nLog and summary: add --verbose');
}

/** After a dry run, prints what a real run would do with each file, then the media that `files` does not select. */
async function printPlan({ outputs }: StepEnd): Promise<void> {
  if (outputs['reason'] !== 'dry-run') return;
  const file = path.join(outputs['report-dir'] ?? '', 'report.json');
  const report: Report = JSON.parse(await readFile(file, 'utf8'));
  const { contents, unchecked } = report;
  const rows = contents.flatMap((content) => {
    const { kind, origin } = describeContent(content, report);
    return content.paths.map((name) => [name, kind, origin] as const);
  });
  const all = [...rows, ...unchecked.map((name) => [name, 'media', 'not selected, so not checked'] as const)];
  const width = (column: 0 | 1): number => Math.min(60, Math.max(0, ...all.map((row) => row[column].length)));
  console.log('');
  for (const [name, kind, plan] of all)
    console.log(logLine(`${name.padEnd(width(0))}  ${kind.padEnd(width(1))}  ${plan}`));
}

function printEnd({ exitCode, outputs }: StepEnd): void {
  const report = path.join(outputs['report-dir'] ?? '', 'report.html');
  if (existsSync(report)) console.log(`Report: ${pathToFileURL(report).href}`);
  if (outputs['state-file']) console.log(`State: ${outputs['state-file']} (written because of --state-file)`);
  if (exitCode === 1)
    console.log(`\nThe verdict is ${outputs['verdict']}, so the step ends with exit status 1, as it would on GitHub.`);
}

// The terminal sends Ctrl+C to the action as well, so this process waits for it to end.
process.on('SIGINT', () => undefined);
try {
  const action = readAction(await readFile(ACTION, 'utf8'));
  const trial = parseTrial(process.argv.slice(2), action);
  if (trial) process.exitCode = await tryIt(trial);
  else console.log(usage(listFlags(action)));
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
