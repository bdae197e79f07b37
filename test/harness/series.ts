import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Emulator, Workspace, WorkspaceOptions } from '../../emulator/emulator.ts';
import type { StateDocument } from '../../src/state/document.ts';
import { type Binding, seal, signingKey } from '../../src/state/seal.ts';
import { analyse, bindingOf } from './earlier-run.ts';
import { type ActionOptions, runAction, type ServiceRun } from './run-action.ts';
import { writeFiles } from './workspace.ts';

type Files = Parameters<typeof writeFiles>[1];

export interface SeriesOptions extends WorkspaceOptions, Pick<ActionOptions, 'clockFactor'> {}

export interface SeriesRun extends ServiceRun {
  readonly temp: string;
}

/** Runs of one gate in one checkout, one after the other, each with the state of those before, in a file. */
export interface Series extends AsyncDisposable {
  readonly service: Workspace;
  readonly workspace: string;
  readonly stateFile: string;
  /** Writes files into the workspace; undefined removes one. */
  write(files: Files): Promise<void>;
  run(options?: Omit<ActionOptions, 'workspace' | 'service'>): Promise<SeriesRun>;
  /** Adds images that an earlier run has sent, in a submission of their own: as that run would, without its time. */
  addAnalysed(files: Readonly<Record<string, Buffer>>): Promise<void>;
  readState(): Promise<Sealed>;
  /** Changes the state and signs it again, as only the gate can. */
  changeState(change: (sealed: Sealed) => Sealed): Promise<void>;
}

export interface Sealed {
  readonly binding: Binding;
  readonly document: StateDocument;
}

export async function startSeries(
  emulator: Emulator,
  files: Files,
  { clockFactor, ...workspaceOptions }: SeriesOptions = {},
): Promise<Series> {
  const root = await mkdtemp(path.join(tmpdir(), 'gate-series-'));
  const workspace = path.join(root, 'workspace');
  const stateFile = path.join(root, 'state.json');
  const service = emulator.workspace(workspaceOptions);
  await mkdir(workspace);
  await writeFiles(workspace, files);

  const writeState = async ({ binding, document }: Sealed): Promise<void> =>
    await writeFile(stateFile, seal(document, binding, signingKey(service.key)));
  const series: Series = {
    service,
    workspace,
    stateFile,
    write: async (changes) => await writeFiles(workspace, changes),
    async run({ inputs, ...options } = {}) {
      // Each job has its own machine.
      const temp = options.temp ?? (await mkdtemp(path.join(root, 'job-')));
      const withState = { 'state-file': stateFile, ...inputs };
      return { ...(await runAction({ workspace, service, clockFactor, ...options, temp, inputs: withState })), temp };
    },
    async addAnalysed(added) {
      await writeFiles(workspace, added);
      const before = existsSync(stateFile) ? (await series.readState()).document : { contents: [], paths: [] };
      const { contents, paths } = await analyse(service, added);
      const document = {
        contents: [...before.contents, ...contents],
        paths: [...before.paths, ...paths],
      };
      await writeState({ binding: bindingOf({ mode: service.mode }), document });
    },
    async readState() {
      return JSON.parse(JSON.parse(await readFile(stateFile, 'utf8')).payload);
    },
    async changeState(change) {
      await writeState(change(await series.readState()));
    },
    [Symbol.asyncDispose]: async () => await rm(root, { recursive: true }),
  };
  return series;
}
