import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Emulator, Scenario, Workspace } from '../../emulator/emulator.ts';
import { type GitHubModel, startGitHub } from '../github/github-server.ts';
import { payload } from '../github/payloads.ts';
import { startArtifacts } from './artifact-service.ts';
import { type HeldRun, runHeld, serviceFor, type Trial } from './held-run.ts';

/** A push to a branch. */
export interface Push extends Pick<Trial, 'workspace' | 'onStart' | 'onLine' | 'inputs' | 'clockFactor'> {
  readonly branch: string;
  readonly commit?: string;
}

/** A repository at GitHub, with its artifacts, and runs in it that know what a real one would know. */
export interface World extends AsyncDisposable {
  readonly service: Workspace;
  push(push: Push): Promise<HeldRun>;
}

export interface WorldOptions {
  /** Where two repositories share one. */
  readonly service?: Workspace;
  readonly scenario?: Scenario;
  readonly repositoryId?: number;
  readonly model?: Pick<GitHubModel, 'pulls' | 'pullsOf'>;
}

export async function startWorld(emulator: Emulator, options: WorldOptions = {}): Promise<World> {
  const { repositoryId = 4711, model, scenario } = options;
  const service = options.service ?? serviceFor(emulator, scenario);
  const artifacts = await startArtifacts(() => undefined, repositoryId);
  const github = await startGitHub({
    ...model,
    repositoryId,
    artifacts: artifacts.artifacts,
    archives: artifacts.archives,
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-world-'));
  const eventFile = path.join(folder, 'event.json');
  const event = payload('push', { 'repository.id': repositoryId, 'repository.default_branch': 'main' }, 4);
  await writeFile(eventFile, JSON.stringify(event));
  let runs = 40;
  return {
    service,
    async push({ branch, commit = 'c'.repeat(40), inputs, ...rest }) {
      runs += 1;
      return await runHeld({
        ...rest,
        service,
        baseUrl: emulator.baseUrl,
        inputs: { 'github-token': github.token, 'report-artifact': 'false', ...inputs },
        env: {
          ...artifacts.envOf(String(runs)),
          GITHUB_API_URL: github.url,
          GITHUB_EVENT_NAME: 'push',
          GITHUB_EVENT_PATH: eventFile,
          GITHUB_REF: `refs/heads/${branch}`,
          GITHUB_SHA: commit,
          GITHUB_REPOSITORY_ID: String(repositoryId),
          GITHUB_JOB: 'gate',
          GITHUB_ACTION: '__self',
        },
      });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([
        artifacts[Symbol.asyncDispose](),
        github[Symbol.asyncDispose](),
        rm(folder, { recursive: true }),
      ]);
    },
  };
}
