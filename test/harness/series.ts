import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Emulator, RecordedRequest, Workspace, WorkspaceOptions } from '../../emulator/emulator.ts';
import type { Endpoint } from '../../emulator/record.ts';
import type { StateDocument } from '../../src/state/document.ts';
import { type Binding, seal, signingKey } from '../../src/state/seal.ts';
import { type GateOptions, type GateRun, runGate } from './run-action.ts';

type Files = Readonly<Record<string, Uint8Array | string | undefined>>;

interface Options extends Omit<GateOptions, 'workspace'> {
  /** What started the run, and GitHub's payload of it. Default: a push to main. */
  readonly event?: { readonly name: string; readonly payload: unknown };
}

/** One run of a series, and what it did at the service. */
export interface SeriesRun extends GateRun {
  readonly requests: readonly RecordedRequest[];
  /** What was sent, without the part of the names that stands for the content. */
  readonly sent: readonly string[];
  count(endpoint: Endpoint): number;
}

/** Runs of one gate, one after the other, with its state in a file. */
export interface Series extends AsyncDisposable {
  readonly service: Workspace;
  readonly workspace: string;
  readonly stateFile: string;
  /** Writes files into the workspace; undefined takes one away. */
  write(files: Files): Promise<void>;
  run(options?: Options): Promise<SeriesRun>;
  readState(): Promise<Sealed>;
  /** Changes the state as only we can: it is signed anew. */
  changeState(change: (sealed: Sealed) => Sealed): Promise<void>;
}

export interface Sealed {
  readonly binding: Binding;
  readonly document: StateDocument;
}

export async function startSeries(emulator: Emulator, files: Files, options: WorkspaceOptions = {}): Promise<Series> {
  const root = await mkdtemp(path.join(tmpdir(), 'gate-series-'));
  const workspace = path.join(root, 'workspace');
  const stateFile = path.join(root, 'state.json');
  const service = emulator.workspace(options);
  await mkdir(workspace);

  const series: Series = {
    service,
    workspace,
    stateFile,
    async write(changes) {
      for (const [name, content] of Object.entries(changes)) {
        const file = path.join(workspace, name);
        await mkdir(path.dirname(file), { recursive: true });
        await (content === undefined ? rm(file) : writeFile(file, content));
      }
    },
    async run({ inputs, event, env, ...rest } = {}) {
      const eventFile = path.join(root, 'event.json');
      await writeFile(eventFile, JSON.stringify(event?.payload ?? {}));
      const [requests, submissions] = [service.requests.length, service.submissions.length];
      const run = await runGate({
        workspace,
        inputs: { 'api-key': service.key, 'base-url': emulator.baseUrl, 'state-file': stateFile, ...inputs },
        env: { GITHUB_EVENT_NAME: event?.name ?? 'push', GITHUB_EVENT_PATH: eventFile, ...env },
        ...rest,
      });
      const own = service.requests.slice(requests);
      const assets = service.submissions.slice(submissions).flatMap((submission) => submission.assets);
      return {
        ...run,
        requests: own,
        sent: assets.map(({ filename }) => filename.replace(/-[0-9a-f]{16}(?=\.)/, '')).toSorted(),
        count: (endpoint) => own.filter((request) => request.endpoint === endpoint).length,
      };
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
  await series.write(files);
  return series;
}
