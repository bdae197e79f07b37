import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Emulator, Workspace, WorkspaceOptions } from '../../emulator/emulator.ts';
import type { StateDocument } from '../../src/state/document.ts';
import { type Binding, seal, signingKey } from '../../src/state/seal.ts';
import type { GitHubServer } from './github-server.ts';
import { type ActionOptions, runAction, type ServiceRun } from './run-action.ts';
import { writeFiles } from './workspace.ts';

type Files = Parameters<typeof writeFiles>[1];

export interface SeriesOptions extends WorkspaceOptions, Pick<ActionOptions, 'clockFactor'> {
  /** Keeps the state in artifacts; default: in a file. */
  readonly artifacts?: NonNullable<ActionOptions['artifacts']> & { readonly github: GitHubServer };
}

export interface SeriesRun extends ServiceRun {
  readonly temp: string;
  /** Requests to GitHub's REST API, without the repository. */
  readonly asked: readonly string[];
}

/** Runs of one gate in one checkout, one after the other, each with the state of those before. */
export interface Series extends AsyncDisposable {
  readonly service: Workspace;
  readonly workspace: string;
  readonly stateFile: string;
  /** Writes files into the workspace; undefined removes one. */
  write(files: Files): Promise<void>;
  run(options?: Omit<ActionOptions, 'workspace' | 'service' | 'emulator'>): Promise<SeriesRun>;
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
  { artifacts, clockFactor, ...workspaceOptions }: SeriesOptions = {},
): Promise<Series> {
  const root = await mkdtemp(path.join(tmpdir(), 'gate-series-'));
  const workspace = path.join(root, 'workspace');
  const stateFile = path.join(root, 'state.json');
  const service = emulator.workspace(workspaceOptions);
  await mkdir(workspace);
  await writeFiles(workspace, files);
  const common = artifacts
    ? { artifacts, github: artifacts.github, inputs: { 'report-artifact': 'false' } }
    : { inputs: { 'state-file': stateFile } };
  let lastRun = 41;

  const series: Series = {
    service,
    workspace,
    stateFile,
    write: async (changes) => await writeFiles(workspace, changes),
    async run({ inputs, ...options } = {}) {
      lastRun += 1;
      // Each job has its own machine.
      const temp = options.temp ?? (await mkdtemp(path.join(root, 'job-')));
      const before = artifacts?.github.asked.length;
      const run = await runAction({
        workspace,
        service,
        clockFactor,
        ...common,
        ...(artifacts && { runId: lastRun }),
        ...options,
        temp,
        inputs: { ...common.inputs, ...inputs },
      });
      const asked = artifacts?.github.asked.slice(before) ?? [];
      return { ...run, temp, asked: asked.map((line) => line.replace('/repos/acme/campaigns', '')) };
    },
    async readState() {
      return JSON.parse(JSON.parse(await readFile(stateFile, 'utf8')).payload);
    },
    async changeState(change) {
      const { binding, document } = change(await series.readState());
      await writeFile(stateFile, seal(document, binding, signingKey(service.key)));
    },
    [Symbol.asyncDispose]: async () => await rm(root, { recursive: true }),
  };
  return series;
}
