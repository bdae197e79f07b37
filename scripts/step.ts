import { spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { parseCommand, parseFileCommands } from '../test/harness/workflow-command.ts';

/** The bundle to start. Tests set GATE_BUNDLE to a build of the current sources. */
const BUNDLE = process.env['GATE_BUNDLE'] ?? fileURLToPath(new URL('../dist/index.js', import.meta.url));

export interface StepEnd {
  readonly exitCode: number;
  readonly outputs: Readonly<Record<string, string>>;
  /** Markdown. */
  readonly summary: string;
}

/** Starts the built action on a folder, as a workflow step would. */
export async function runOnFolder(
  workspace: string,
  inputs: Readonly<Record<string, string>>,
  onLine: (line: string) => void,
): Promise<StepEnd> {
  const temp = await mkdtemp(path.join(tmpdir(), 'media-compliance-'));
  const files = { GITHUB_OUTPUT: path.join(temp, 'output'), GITHUB_STEP_SUMMARY: path.join(temp, 'summary.md') };
  await Promise.all(Object.values(files).map(async (file) => await writeFile(file, '')));
  // Drop the variables of the runner that this script may itself run on.
  const own = Object.entries(process.env).filter(([name]) => !/^(GITHUB|RUNNER|ACTIONS|INPUT)_/i.test(name));
  const child = spawn(process.execPath, [BUNDLE], {
    cwd: workspace,
    env: {
      ...Object.fromEntries(own),
      ...files,
      RUNNER_TEMP: temp,
      GITHUB_WORKSPACE: workspace,
      ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine);
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    // A process that was killed has no status.
    exitCode: exitCode ?? 1,
    outputs: parseFileCommands(await readFile(files.GITHUB_OUTPUT, 'utf8')),
    summary: await readFile(files.GITHUB_STEP_SUMMARY, 'utf8'),
  };
}

type Style = Parameters<typeof styleText>[0];

const LEVELS: Readonly<Record<string, { readonly label: string; readonly style: Style }>> = {
  error: { label: 'Error', style: 'red' },
  warning: { label: 'Warning', style: 'yellow' },
  notice: { label: 'Notice', style: 'blue' },
};

/** Prints the log of a step as GitHub does: groups, coloured levels, masked secrets; of an annotation the message alone. */
export function runnerLog(): (line: string) => void {
  const masks: string[] = [];
  let indent = '';
  const show = (text: string, style: Style = 'reset'): void => {
    const masked = masks.reduce((shown, mask) => shown.replaceAll(mask, '***'), text);
    for (const line of masked.split('\n')) console.log(indent + styleText(style, line));
  };
  return (line) => {
    const { name, message } = parseCommand(line) ?? { name: 'text', message: line };
    const level = LEVELS[name];
    if (level) show(`${level.label}: ${message}`, level.style);
    else if (name === 'add-mask') masks.push(message);
    else if (name === 'text' && line !== '') show(line);
    else if (name === 'endgroup') indent = '';
    else if (name === 'group') {
      show(`▾ ${message}`, 'bold');
      indent = '    ';
    }
  };
}
