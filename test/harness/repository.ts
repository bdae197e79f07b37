import type { Emulator, Scenario, Workspace } from '../../emulator/emulator.ts';
import { startArtifacts } from './artifact-service.ts';
import { type GitHubModel, startGitHub } from './github-server.ts';
import { runWithSecrets } from './invariants.ts';
import { payload } from './payloads.ts';
import type { ActionOptions, ServiceRun } from './run-action.ts';

/** A push to a branch. */
export interface Push extends Pick<ActionOptions, 'workspace' | 'onStart' | 'onLine' | 'inputs' | 'clockFactor'> {
  readonly branch: string;
  readonly commit?: string;
  /** The id of another job's run; default: a new run. */
  readonly runId?: string;
}

/** A merge queue's run into main. */
export interface Queued extends Pick<ActionOptions, 'workspace'> {
  readonly pull: number;
  /** The commit that the queue is built on. */
  readonly onto: string;
}

/** A repository at GitHub with its artifacts: each run finds there what the earlier ones left. */
export interface Repository extends AsyncDisposable {
  readonly service: Workspace;
  push(push: Push): Promise<ServiceRun>;
  queue(queued: Queued): Promise<ServiceRun>;
}

export interface RepositoryOptions {
  /** Default: a new one with `scenario`. */
  readonly service?: Workspace;
  readonly scenario?: Scenario;
  readonly repositoryId?: number;
  readonly model?: Pick<GitHubModel, 'pulls' | 'pullsOf'>;
}

export async function startRepository(emulator: Emulator, options: RepositoryOptions = {}): Promise<Repository> {
  const { repositoryId = 4711, model, scenario = {} } = options;
  const service = options.service ?? emulator.workspace({ scenario });
  const artifacts = await startArtifacts(() => undefined, repositoryId);
  const github = await startGitHub({
    ...model,
    repositoryId,
    artifacts: artifacts.artifacts,
    archives: artifacts.archives,
  });
  const repository = { 'repository.id': repositoryId, 'repository.default_branch': 'main' };
  let lastRun = 40;
  const start = async (ref: string, commit: string, { inputs, ...run }: ActionOptions): Promise<ServiceRun> => {
    lastRun += 1;
    return await runWithSecrets({
      runId: lastRun,
      ...run,
      service,
      github,
      artifacts,
      inputs: { 'report-artifact': 'false', ...inputs },
      env: { GITHUB_REF: ref, GITHUB_SHA: commit, GITHUB_REPOSITORY_ID: String(repositoryId) },
    });
  };
  return {
    service,
    async push({ branch, commit = 'c'.repeat(40), ...run }) {
      const event = { name: 'push', payload: payload('push', repository, 4) };
      return await start(`refs/heads/${branch}`, commit, { ...run, event });
    },
    async queue({ pull, onto, ...run }) {
      const ref = `refs/heads/gh-readonly-queue/main/pr-${pull}-${onto}`;
      const group = { 'merge_group.head_ref': ref, 'merge_group.base_ref': 'refs/heads/main' };
      const event = { name: 'merge_group', payload: payload('merge_group', { ...repository, ...group }) };
      return await start(ref, 'f'.repeat(40), { ...run, event });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([artifacts[Symbol.asyncDispose](), github[Symbol.asyncDispose]()]);
    },
  };
}
