import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { type Scenario, startEmulator, type WorkspaceOptions } from '../../emulator/emulator.ts';
import type { Handler } from '../../emulator/http.ts';
import type { StateDocument } from '../../src/state/document.ts';
import type { ArtifactOptions } from './artifact-service.ts';
import type { GitHubModel } from './github-model.ts';
import { startGitHub } from './github-server.ts';
import { png } from './media.ts';
import { type RepositoryOptions, startRepository } from './repository.ts';
import { type ActionOptions, runAction, type ServiceRun } from './run-action.ts';
import { type Files, makeWorkspace, writeFiles } from './workspace.ts';

export interface GateOptions extends Partial<ActionOptions>, Pick<WorkspaceOptions, 'scenario' | 'mode'> {
  /** The files of a new checkout, unless `workspace` is the path of an existing one. Default: one image. */
  readonly files?: Files;
  /** Comes before the service, which may respond as the emulator never does. */
  readonly handler?: Handler;
}

/** The default files of tests in which the files do not matter. */
export const ONE_FILE: Files = { 'a.png': png('a') };
/** A service that finds a CRITICAL issue in every file. */
export const CRITICAL: Scenario = { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] } };

/** A service that confirms a creation after this time. */
export function slowCreation(ms: number): Handler {
  return async ({ endpoint }, respond) => {
    const response = await respond();
    if (endpoint === 'submissions/create') await sleep(ms);
    return response;
  };
}

/** A minute of the action takes one and a half seconds. */
const CLOCK_FACTOR = 40;

/** Vitest's `it` with fixtures for the built action. What a test starts with them is closed when the test ends. */
export const it = test
  /** The emulated service; `emulator.workspace({ scenario })` is an account at it. */
  .extend('emulator', { scope: 'file' }, async ({}, { onCleanup }) => {
    const emulator = await startEmulator();
    onCleanup(async () => await emulator.close());
    return emulator;
  })
  /** Waits until a server or folder is ready, and closes it when the test ends. */
  .extend('end', ({}, { onCleanup }) => {
    const started: AsyncDisposable[] = [];
    onCleanup(async () => {
      for (const each of started.toReversed()) await each[Symbol.asyncDispose]();
    });
    return async <T extends AsyncDisposable>(starting: Promise<T>): Promise<T> => {
      const each = await starting;
      started.push(each);
      return each;
    };
  })
  /** Makes a folder with these files, and returns its path. */
  .extend(
    'makeFolder',
    ({ end }) =>
      async (files: Files = {}) =>
        (await end(makeWorkspace(files))).path,
  )
  /** Runs the built action once, by default on one image and with a service that finds nothing. */
  .extend(
    'gate',
    ({ emulator, makeFolder }) =>
      async ({
        files = ONE_FILE,
        scenario = {},
        mode = 'live',
        handler,
        ...options
      }: GateOptions = {}): Promise<ServiceRun> => {
        const workspace = options.workspace ?? (await makeFolder(files));
        const service = options.service ?? emulator.workspace({ scenario, mode });
        service.handler = handler;
        return await runAction({ clockFactor: CLOCK_FACTOR, ...options, workspace, service });
      },
  )
  /** Runs of one gate in one checkout. Each run reads the state of the runs before from a file. */
  .extend(
    'startSeries',
    ({ gate, emulator, makeFolder }) =>
      async (files: Files = ONE_FILE, options: WorkspaceOptions = {}) => {
        const [workspace, service] = [await makeFolder(files), emulator.workspace(options)];
        const stateFile = path.join(await makeFolder(), 'state.json');
        return {
          service,
          workspace,
          stateFile,
          write: async (changes: Parameters<typeof writeFiles>[1]) => await writeFiles(workspace, changes),
          readState: async (): Promise<{ readonly document: StateDocument }> =>
            JSON.parse(JSON.parse(await readFile(stateFile, 'utf8')).payload),
          run: async ({ inputs, ...run }: Partial<ActionOptions> = {}) =>
            await gate({ workspace, service, ...run, inputs: { 'state-file': stateFile, ...inputs } }),
        };
      },
  )
  .extend(
    'startRepository',
    ({ emulator, end }) =>
      async (options: RepositoryOptions = {}) =>
        await end(startRepository(emulator, { clockFactor: CLOCK_FACTOR, ...options })),
  )
  .extend(
    'startGitHub',
    ({ end }) =>
      async (model: GitHubModel = {}) =>
        await end(startGitHub(model)),
  )
  .extend(
    'startArtifacts',
    ({ startGitHub }) =>
      async (options: ArtifactOptions = {}) =>
        (await startGitHub(options)).artifacts,
  );
