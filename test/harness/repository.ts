import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { zipSync } from 'fflate';
import type { Emulator, Scenario } from '../../emulator/emulator.ts';
import { artifactNames, gateId } from '../../src/state/gate-id.ts';
import { seal, signingKey } from '../../src/state/seal.ts';
import { binding } from '../builders/states.ts';
import type { SharedClock } from './action-process.ts';
import { mergeGroupEvent, pullRequestEvent, pushEvent, REPOSITORY_ID, type WorkflowEvent } from './events.ts';
import type { GitHubModel, ModelPull } from './github-model.ts';
import { startGitHub } from './github-server.ts';
import { runWithSecrets, type ServiceRun, STATE_KEY } from './run-action.ts';
import type { StepOptions } from './run-step.ts';
import { writeFiles } from './workspace.ts';

/** `commit` is the head of `branch`. Default: a new commit. */
interface RunOptions extends Omit<StepOptions, 'event' | 'github' | 'artifacts'> {
  readonly branch: string;
  readonly commit?: string;
}

interface BranchOptions extends RunOptions {
  /** Default: a push. */
  readonly event?: 'push' | 'schedule' | 'workflow_dispatch';
}

interface PullOptions extends RunOptions {
  readonly number?: number;
  /** The commit of main that the pull request is compared with. */
  readonly base?: string;
}

interface QueueOptions extends Omit<RunOptions, 'branch'> {
  readonly pull: number;
  /** The commit that the group is built on: main's, or the head of the group in front of it. */
  readonly onto: string;
}

interface PlantedState {
  readonly branch: string;
  readonly runId: number;
  readonly slot?: 'state' | 'pull';
  /** Default: the state key of this gate. */
  readonly key?: string;
}

export interface RepositoryRun extends ServiceRun {
  /** Requests to GitHub's REST API, without the prefix of the repository. */
  readonly asked: readonly string[];
}

const GATE = gateId({
  name: 'media-compliance',
  workflow: '.github/workflows/media.yml',
  job: 'gate',
  matrix: '',
});

/** Writes `.git/HEAD` like `actions/checkout`, unless the workspace is a real repository. */
async function checkOut(commit: string, workspace: string): Promise<void> {
  const isReal = existsSync(path.join(workspace, '.git/objects'));
  if (!isReal) await writeFiles(workspace, { '.git/HEAD': commit });
}

function nameOf(slot: 'state' | 'pull'): string {
  const names = artifactNames(
    'media-compliance',
    binding({ gate: GATE, event: slot === 'pull' ? 'pull_request' : 'push' }),
  );
  return names.end;
}

export interface RepositoryOptions extends Pick<StepOptions, 'clockFactor'> {
  readonly scenario?: Scenario;
  readonly model?: Omit<GitHubModel, 'commits' | 'artifacts' | 'archives' | 'trouble'>;
  readonly trouble?: GitHubModel['trouble'];
}

export type Repository = Awaited<ReturnType<typeof startRepository>>;

/** A repository at GitHub. Each run finds the artifacts that earlier runs have uploaded. */
export async function startRepository(emulator: Emulator, options: RepositoryOptions = {}) {
  const { model, scenario = {}, trouble, clockFactor } = options;
  const service = emulator.workspace({ scenario });
  const commits: Record<string, readonly string[]> = {};
  const clock: SharedClock = { aheadMs: 0 };
  /** Unless the model has others, each pull request that a run is for. */
  const pulls: Record<number, ModelPull> = {};
  const github = await startGitHub({ pulls, ...model, commits, trouble });
  const { artifacts } = github;
  let lastRun = 40;
  const newCommit = (): string => hash('sha1', String(lastRun + 1));
  const start = async (event: WorkflowEvent, { inputs, env, ...run }: StepOptions): Promise<RepositoryRun> => {
    lastRun += 1;
    const before = github.asked.length;
    const done = await runWithSecrets({
      runId: lastRun,
      clockFactor,
      clock,
      ...run,
      event,
      service,
      github,
      artifacts,
      inputs: { 'report-artifact': 'false', ...inputs },
      env: { GITHUB_REF: event.ref, GITHUB_SHA: event.commit, ...env },
    });
    const asked = github.asked.slice(before).filter((line) => line.includes('/repos/'));
    return { ...done, asked: asked.map((line) => line.replace('/repos/acme/campaigns/', '')) };
  };
  return {
    service,
    github,
    artifacts,
    /** A run of a branch, by default after a push. */
    async push({ branch, commit = newCommit(), event = 'push', ...run }: BranchOptions) {
      await checkOut(commit, run.workspace);
      const pushed = pushEvent(commit, `refs/heads/${branch}`);
      return await start({ ...pushed, name: event, ...(event !== 'push' && { payload: {} }) }, run);
    },
    async pull({ branch, number = 2, base = 'b'.repeat(40), commit = newCommit(), ...run }: PullOptions) {
      const mergeSha = hash('sha1', base + commit);
      commits[mergeSha] = [base, commit];
      pulls[number] = { headSha: commit, headRef: branch, baseRef: 'main' };
      await checkOut(mergeSha, run.workspace);
      const pull = { number, headRef: branch, headSha: commit, baseSha: base, mergeSha, from: 'branch' } as const;
      return await start(pullRequestEvent(pull), run);
    },
    async queue({ pull, onto, commit = newCommit(), ...run }: QueueOptions) {
      await checkOut(commit, run.workspace);
      return await start(mergeGroupEvent({ number: pull, baseSha: onto, mergeSha: commit }), run);
    },
    /** Uploads the empty state of another run, by default of a push to `branch`. */
    plantState({ branch, runId, slot = 'state', key = STATE_KEY }: PlantedState) {
      const commit = '0'.repeat(40);
      const planted = binding({
        gate: GATE,
        savedAt: new Date().toISOString(),
        apiKeyId: signingKey(service.key).id,
        runId: String(runId),
        branch,
        commit,
        event: slot === 'pull' ? 'pull_request' : 'push',
      });
      const text = seal({ contents: [], paths: [] }, planted, signingKey(key));
      const run = { id: runId, head_repository_id: REPOSITORY_ID, head_branch: branch, head_sha: commit };
      artifacts.plant(nameOf(slot), zipSync({ 'state.json': Buffer.from(text) }), run);
    },
    [Symbol.asyncDispose]: github[Symbol.asyncDispose],
  };
}
