import type { Emulator, Scenario, Workspace } from '../../emulator/emulator.ts';
import { type ArtifactService, startArtifacts, type Trouble } from './artifact-service.ts';
import { type GitHubModel, startGitHub } from './github-server.ts';
import { runWithSecrets } from './invariants.ts';
import { payload } from './payloads.ts';
import type { ActionOptions, ServiceRun } from './run-action.ts';

/** A push to a branch. */
export interface Push
  extends Pick<ActionOptions, 'workspace' | 'onStart' | 'onLine' | 'inputs' | 'clockFactor' | 'env'> {
  readonly branch: string;
  readonly commit?: string;
  /** The id of another job's run; default: a new run. */
  readonly runId?: string;
}

/** A run of a pull request from `branch` into main. */
export interface Pull extends Push {
  /** The commit of main that it is compared with. */
  readonly base?: string;
}

/** A merge queue's run into main. */
export interface Queued extends Pick<ActionOptions, 'workspace'> {
  readonly pull: number;
  /** The commit that the group is built on: main's, or the head of the group in front of it. */
  readonly onto: string;
  /** The group's head commit. */
  readonly commit?: string;
}

/** A repository at GitHub with its artifacts: each run finds there what the earlier ones left. */
export interface Repository extends AsyncDisposable {
  readonly service: Workspace;
  readonly artifacts: ArtifactService;
  push(push: Push): Promise<ServiceRun>;
  pull(pull: Pull): Promise<ServiceRun>;
  queue(queued: Queued): Promise<ServiceRun>;
}

export interface RepositoryOptions {
  /** Default: a new one with `scenario`. */
  readonly service?: Workspace;
  readonly scenario?: Scenario;
  readonly repositoryId?: number;
  readonly model?: Pick<GitHubModel, 'pulls' | 'pullsOf'>;
  /** What happens to uploads of artifacts. */
  readonly trouble?: Trouble;
}

export async function startRepository(emulator: Emulator, options: RepositoryOptions = {}): Promise<Repository> {
  const { repositoryId = 4711, model, scenario = {} } = options;
  const service = options.service ?? emulator.workspace({ scenario });
  const artifacts = await startArtifacts(options.trouble, repositoryId);
  const github = await startGitHub({
    ...model,
    repositoryId,
    artifacts: artifacts.artifacts,
    archives: artifacts.archives,
  });
  const repository = { 'repository.id': repositoryId, 'repository.default_branch': 'main' };
  let lastRun = 40;
  const start = async (ref: string, commit: string, { inputs, env, ...run }: ActionOptions): Promise<ServiceRun> => {
    lastRun += 1;
    artifacts.setCommit(String(run.runId ?? lastRun), commit);
    return await runWithSecrets({
      runId: lastRun,
      ...run,
      service,
      github,
      artifacts,
      inputs: { 'report-artifact': 'false', ...inputs },
      env: { GITHUB_REF: ref, GITHUB_SHA: commit, GITHUB_REPOSITORY_ID: String(repositoryId), ...env },
    });
  };
  return {
    service,
    artifacts,
    async push({ branch, commit = 'c'.repeat(40), ...run }) {
      const event = { name: 'push', payload: payload('push', repository, 4) };
      return await start(`refs/heads/${branch}`, commit, { ...run, event });
    },
    async pull({ branch, base = 'b'.repeat(40), commit = 'e'.repeat(40), ...run }) {
      const pull = {
        'pull_request.head.ref': branch,
        'pull_request.head.repo.id': repositoryId,
        'pull_request.base.ref': 'main',
        'pull_request.base.sha': base,
        'pull_request.base.repo.id': repositoryId,
      };
      const event = { name: 'pull_request', payload: payload('pull_request', { ...repository, ...pull }) };
      return await start('refs/pull/2/merge', commit, { ...run, event });
    },
    async queue({ pull, onto, commit = 'f'.repeat(40), ...run }) {
      const ref = `refs/heads/gh-readonly-queue/main/pr-${pull}-${onto}`;
      const group = {
        'merge_group.head_ref': ref,
        'merge_group.head_sha': commit,
        'merge_group.base_ref': 'refs/heads/main',
        'merge_group.base_sha': onto,
      };
      const event = { name: 'merge_group', payload: payload('merge_group', { ...repository, ...group }) };
      return await start(ref, commit, { ...run, event });
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([artifacts[Symbol.asyncDispose](), github[Symbol.asyncDispose]()]);
    },
  };
}
