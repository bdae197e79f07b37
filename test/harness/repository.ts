import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { zipSync } from 'fflate';
import type { Emulator, Scenario, Workspace } from '../../emulator/emulator.ts';
import type { StateDocument } from '../../src/state/document.ts';
import { artifactName, type Slot } from '../../src/state/gate-id.ts';
import { type Binding, seal, signingKey } from '../../src/state/seal.ts';
import type { SharedClock } from './action-process.ts';
import { type ArtifactService, startArtifacts, type Trouble } from './artifact-service.ts';
import { bindingOf, GATE } from './earlier-run.ts';
import {
  dispatchEvent,
  mergeGroupEvent,
  pullRequestEvent,
  pullRequestTargetEvent,
  pushEvent,
  REPOSITORY_ID,
  type WorkflowEvent,
  workflowRunEvent,
} from './events.ts';
import { type GitHubModel } from './github-model.ts';
import { startGitHub } from './github-server.ts';
import { runWithSecrets, STATE_KEY } from './invariants.ts';
import type { ActionOptions, ServiceRun } from './run-action.ts';
import { writeFiles } from './workspace.ts';

export interface Push
  extends Pick<
    ActionOptions,
    'workspace' | 'onStart' | 'onLine' | 'inputs' | 'clockFactor' | 'env' | 'attempt' | 'temp'
  > {
  readonly branch: string;
  readonly commit?: string;
  /** The id of another job's run; default: a new run. */
  readonly runId?: string;
  /** An event for which GitHub starts the run as for a push. */
  readonly event?: 'push' | 'workflow_dispatch';
  /** False if the workspace is not at this commit. */
  readonly isCheckedOut?: boolean;
}

/** A run of a pull request from `branch` into main. `commit` is its head. */
export interface Pull extends Omit<Push, 'event' | 'isCheckedOut'> {
  readonly number?: number;
  /** The commit of main that it is compared with. */
  readonly base?: string;
  /** The repository that it comes from, if that is a fork: then the event is `pull_request_target`. */
  readonly fork?: number;
}

/** A run that follows a push to `branch` or its pull request into main, in the workflow of the default branch. */
export interface Followed extends Omit<Push, 'event' | 'isCheckedOut'> {
  /** The pull request and its base commit. */
  readonly pull?: { readonly number: number; readonly base: string };
}

/** A merge queue's run into main. */
export interface Queued extends Pick<ActionOptions, 'workspace' | 'inputs'> {
  readonly pull: number;
  /** The commit that the group is built on: main's, or the head of the group in front of it. */
  readonly onto: string;
  readonly commit?: string;
}

export interface RepositoryRun extends ServiceRun {
  /** Requests to GitHub's REST API, without the repository. */
  readonly asked: readonly string[];
}

/** A repository at GitHub with its artifacts: each run finds there what the earlier ones left. */
export interface Repository extends AsyncDisposable {
  readonly service: Workspace;
  readonly artifacts: ArtifactService;
  push(push: Push): Promise<RepositoryRun>;
  pull(pull: Pull): Promise<RepositoryRun>;
  follow(followed: Followed): Promise<RepositoryRun>;
  queue(queued: Queued): Promise<RepositoryRun>;
  /** A state that another run left, by default an empty one that this gate signed in a push to that branch. */
  plantState(run: PlantedState): void;
}

interface PlantedState {
  readonly branch: string;
  readonly commit?: string;
  readonly runId: number;
  readonly document?: StateDocument;
  readonly slot?: Slot;
  /** What is signed, if it is not the truth. */
  readonly sealed?: Partial<Binding>;
  readonly key?: string;
  readonly isExpired?: boolean;
}

/** As `actions/checkout` leaves it, unless the test has a repository of its own there. */
async function checkOut(commit: string, workspace: string): Promise<void> {
  const isReal = existsSync(path.join(workspace, '.git/objects'));
  if (!isReal) await writeFiles(workspace, { '.git/HEAD': commit });
}

export function nameOf(slot: Slot): string {
  return artifactName('media-compliance', slot, { gate: GATE, mode: 'live' });
}

export type RepositoryOptions = Servers & (NewService | { readonly service: Workspace; readonly scenario?: never });

interface NewService {
  readonly scenario?: Scenario;
  readonly service?: never;
}

interface Servers extends Pick<ActionOptions, 'clockFactor'> {
  readonly model?: Pick<GitHubModel, 'pulls' | 'pullsOf' | 'permissions' | 'artifactOrder' | 'faults' | 'commits'>;
  readonly trouble?: Trouble;
}

export async function startRepository(emulator: Emulator, options: RepositoryOptions = {}): Promise<Repository> {
  const { model, scenario = {}, clockFactor } = options;
  const service = options.service ?? emulator.workspace({ scenario });
  const artifacts = await startArtifacts(options.trouble);
  const github = await startGitHub({
    ...model,
    artifacts: artifacts.artifacts,
    archives: artifacts.archives,
  });
  const clock: SharedClock = { aheadMs: 0 };
  let lastRun = 40;
  const newCommit = (): string =>
    createHash('sha1')
      .update(`${lastRun + 1}`)
      .digest('hex');
  const start = async (event: WorkflowEvent, { inputs, env, ...run }: ActionOptions): Promise<RepositoryRun> => {
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
    artifacts,
    async push({ branch, commit = newCommit(), event = 'push', isCheckedOut = true, ...run }) {
      if (isCheckedOut) await checkOut(commit, run.workspace);
      const ref = `refs/heads/${branch}`;
      return await start(event === 'push' ? pushEvent(commit, ref) : dispatchEvent(commit, { ref }), run);
    },
    async pull({ branch, number = 2, base = 'b'.repeat(40), commit = newCommit(), fork, ...run }) {
      const pull = { number, headRef: branch, headSha: commit, baseSha: base, mergeSha: 'e'.repeat(40) };
      const isFork = fork !== undefined;
      const event = isFork
        ? pullRequestTargetEvent({ ...pull, from: 'fork', forkId: fork })
        : pullRequestEvent({ ...pull, from: 'branch' });
      await checkOut(isFork ? commit : event.commit, run.workspace);
      return await start(event, run);
    },
    async follow({ branch, commit = newCommit(), pull, ...run }) {
      await checkOut(commit, run.workspace);
      const listed = pull && { number: pull.number, baseSha: pull.base };
      const followed = { headRef: branch, headSha: commit, isPush: pull === undefined, pull: listed };
      return await start(workflowRunEvent('d'.repeat(40), followed), run);
    },
    async queue({ pull, onto, commit = newCommit(), ...run }) {
      await checkOut(commit, run.workspace);
      return await start(mergeGroupEvent({ number: pull, baseSha: onto, mergeSha: commit }), run);
    },
    plantState({ branch, commit = '0'.repeat(40), runId, document, slot = 'state', sealed, key, isExpired }) {
      const binding = bindingOf({
        repositoryId: String(REPOSITORY_ID),
        runId: String(runId),
        branch,
        commit,
        kind: slot === 'open' ? 'open' : 'state',
        event: slot === 'pull' ? 'pull_request' : 'push',
        ...sealed,
      });
      const text = seal(document ?? { contents: [], paths: [] }, binding, signingKey(key ?? STATE_KEY));
      const run = { id: runId, head_repository_id: REPOSITORY_ID, head_branch: branch, head_sha: commit };
      artifacts.plant(nameOf(slot), zipSync({ 'state.json': Buffer.from(text) }), run, isExpired);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([artifacts[Symbol.asyncDispose](), github[Symbol.asyncDispose]()]);
    },
  };
}
