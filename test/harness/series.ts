import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Emulator, WorkspaceOptions } from '../../emulator/emulator.ts';
import type { StateDocument } from '../../src/state/document.ts';
import { type ActionOptions, runAction } from './run-action.ts';
import { writeFiles } from './workspace.ts';

type Changes = Parameters<typeof writeFiles>[1];

export interface SeriesOptions extends WorkspaceOptions, Pick<ActionOptions, 'clockFactor'> {}

/** Runs of one gate in one checkout. Each run reads the state of the runs before from a file. */
export async function startSeries(
  emulator: Emulator,
  files: Changes,
  { clockFactor, ...workspaceOptions }: SeriesOptions = {},
) {
  const root = await mkdtemp(path.join(tmpdir(), 'gate-series-'));
  const workspace = path.join(root, 'workspace');
  const stateFile = path.join(root, 'state.json');
  const service = emulator.workspace(workspaceOptions);
  await mkdir(workspace);
  await writeFiles(workspace, files);

  const readState = async (): Promise<{ readonly document: StateDocument }> =>
    JSON.parse(JSON.parse(await readFile(stateFile, 'utf8')).payload);
  return {
    service,
    workspace,
    stateFile,
    write: async (changes: Changes) => await writeFiles(workspace, changes),
    async run({ inputs, ...options }: Omit<ActionOptions, 'workspace' | 'service'> = {}) {
      // Each job has its own machine, and so its own temporary folder.
      const temp = options.temp ?? (await mkdtemp(path.join(root, 'job-')));
      const withState = { 'state-file': stateFile, ...inputs };
      return { ...(await runAction({ workspace, service, clockFactor, ...options, temp, inputs: withState })), temp };
    },
    readState,
    [Symbol.asyncDispose]: async () => await rm(root, { recursive: true }),
  };
}
