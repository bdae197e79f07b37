import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Emulator, Scenario, Workspace } from '../../emulator/emulator.ts';
import { startArtifacts } from './artifact-service.ts';
import { type GitHubModel, startGitHub } from './github-server.ts';
import { type HeldRun, runHeld, serviceFor, type Trial } from './held-run.ts';
import { payload } from './payloads.ts';

/** A push to a branch. */
export interface Push extends Pick<Trial, 'workspace' | 'onStart' | 'onLine' | 'inputs' | 'clockFactor'> {
  readonly branch: string;
  readonly commit?: string;
  /** Where it is a job of the same run as another one; else a new one. */
  readonly runId?: string;
}

/** A merge queue's run into main. */
export interface Queued extends Pick<Trial, 'workspace'> {
  readonly pull: number;
  /** The commit that the queue is built on. */
  readonly onto: string;
}

/** A repository at GitHub, with its artifacts, and runs in it that know what a real one would know. */
export interface World extends AsyncDisposable {
  readonly service: Workspace;
  push(push: Push): Promise<HeldRun>;
  queue(queued: Queued): Promise<HeldRun>;
}

export interface WorldOptions {
  /** Where two repositories share one. */
  readonly service?: Workspace;
  readonly scenario?: Scenario;
  readonly repositoryId?: number;
  readonly model?: Pick<GitHubModel, 'pulls' | 'pullsOf'>;
}

/** What starts a run. */
interface Event {
  readonly name: string;
  readonly payload: unknown;
  readonly ref: string;
  readonly commit: string;
  readonly runId?: string | undefined;
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
  const repository = { 'repository.id': repositoryId, 'repository.default_branch': 'main' };
  let runs = 40;
  const start = async (event: Event, { inputs, ...trial }: Omit<Trial, 'service' | 'baseUrl'>): Promise<HeldRun> => {
    runs += 1;
    const eventFile = path.join(folder, `event-${runs}.json`);
    await writeFile(eventFile, JSON.stringify(event.payload));
    return await runHeld({
      ...trial,
      service,
      baseUrl: emulator.baseUrl,
      inputs: { 'github-token': github.token, 'report-artifact': 'false', ...inputs },
      env: {
        ...artifacts.envOf(event.runId ?? String(runs)),
        GITHUB_API_URL: github.url,
        GITHUB_EVENT_NAME: event.name,
        GITHUB_EVENT_PATH: eventFile,
        GITHUB_REF: event.ref,
        GITHUB_SHA: event.commit,
        GITHUB_REPOSITORY_ID: String(repositoryId),
        GITHUB_JOB: 'gate',
        GITHUB_ACTION: '__self',
      },
    });
  };
  return {
    service,
    async push({ branch, commit = 'c'.repeat(40), runId, ...trial }) {
      const ref = `refs/heads/${branch}`;
      return await start({ name: 'push', payload: payload('push', repository, 4), ref, commit, runId }, trial);
    },
    async queue({ pull, onto, ...trial }) {
      const ref = `refs/heads/gh-readonly-queue/main/pr-${pull}-${onto}`;
      const group = { 'merge_group.head_ref': ref, 'merge_group.base_ref': 'refs/heads/main' };
      const event = payload('merge_group', { ...repository, ...group });
      return await start({ name: 'merge_group', payload: event, ref, commit: 'f'.repeat(40) }, trial);
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
