import { payload } from '../harness/payloads.ts';

export const REPOSITORY = 'acme/campaigns';
export const REPOSITORY_ID = 4711;

/** What starts a workflow. */
export interface WorkflowEvent {
  readonly name: string;
  readonly payload: unknown;
  /** What GITHUB_SHA is; checked out in the repository when the runner starts. */
  readonly commit: string;
  /** What GITHUB_REF is. */
  readonly ref: string;
  readonly actor: string;
  /** GitHub gives none to forks, and others to Dependabot. */
  readonly hasSecrets: boolean;
}

export interface PullRequestFacts {
  readonly number: number;
  readonly headRef: string;
  readonly headSha: string;
  readonly baseSha: string;
  /** As GitHub makes it; the commit that is checked out. */
  readonly mergeSha: string;
  readonly from: 'branch' | 'fork' | 'dependabot';
}

export const FORK_ID = 99;
const OWN = {
  'repository.id': REPOSITORY_ID,
  'repository.full_name': REPOSITORY,
  'repository.default_branch': 'main',
  'repository.private': true,
  'repository.visibility': 'private',
};
const ANN = { actor: 'ann', hasSecrets: true };
const MAIN = 'refs/heads/main';

export function pushEvent(commit: string): WorkflowEvent {
  return {
    ...ANN,
    name: 'push',
    payload: payload('push', { ...OWN, ref: MAIN, after: commit, deleted: false }),
    commit,
    ref: MAIN,
  };
}

export function pullRequestEvent(pull: PullRequestFacts): WorkflowEvent {
  const isFork = pull.from === 'fork';
  return {
    ...(pull.from === 'dependabot' ? { actor: 'dependabot[bot]', hasSecrets: false } : ANN),
    ...(isFork && { hasSecrets: false }),
    name: 'pull_request',
    payload: payload('pull_request', {
      ...OWN,
      action: 'opened',
      number: pull.number,
      'pull_request.number': pull.number,
      'pull_request.user.login': pull.from === 'dependabot' ? 'dependabot[bot]' : 'ann',
      'pull_request.head.ref': pull.headRef,
      'pull_request.head.sha': pull.headSha,
      'pull_request.head.label': `${isFork ? 'mallory' : 'acme'}:${pull.headRef}`,
      'pull_request.head.repo.id': isFork ? FORK_ID : REPOSITORY_ID,
      'pull_request.head.repo.fork': isFork,
      'pull_request.head.repo.full_name': isFork ? 'mallory/campaigns' : REPOSITORY,
      'pull_request.base.ref': 'main',
      'pull_request.base.sha': pull.baseSha,
      'pull_request.base.repo.id': REPOSITORY_ID,
      'pull_request.base.repo.full_name': REPOSITORY,
    }),
    commit: pull.mergeSha,
    ref: `refs/pull/${pull.number}/merge`,
  };
}

/** The queue's commit is that of the merge, on a branch that only the queue uses. */
export function mergeGroupEvent(pull: PullRequestFacts): WorkflowEvent {
  const ref = `refs/heads/gh-readonly-queue/main/pr-${pull.number}-${pull.baseSha}`;
  return {
    ...ANN,
    name: 'merge_group',
    payload: payload('merge_group', {
      ...OWN,
      'merge_group.head_sha': pull.mergeSha,
      'merge_group.head_ref': ref,
      'merge_group.base_sha': pull.baseSha,
      'merge_group.base_ref': MAIN,
    }),
    commit: pull.mergeSha,
    ref,
  };
}

export function scheduleEvent(commit: string, schedule: string): WorkflowEvent {
  const { repository } = payload('push', OWN);
  return { ...ANN, name: 'schedule', payload: { schedule, repository: repository ?? null }, commit, ref: MAIN };
}

export function dispatchEvent(commit: string, inputs: Readonly<Record<string, string>> = {}): WorkflowEvent {
  return {
    ...ANN,
    name: 'workflow_dispatch',
    payload: payload('workflow_dispatch', { ...OWN, ref: MAIN, inputs }),
    commit,
    ref: MAIN,
  };
}

/** What follows a finished run for a pull request from a fork; it has secrets, and the commit of the default branch. */
export function workflowRunEvent(commit: string, pull: PullRequestFacts): WorkflowEvent {
  return {
    ...ANN,
    name: 'workflow_run',
    payload: payload('workflow_run', {
      ...OWN,
      action: 'completed',
      'workflow_run.event': 'pull_request',
      'workflow_run.conclusion': 'success',
      'workflow_run.head_branch': pull.headRef,
      'workflow_run.head_sha': pull.headSha,
      'workflow_run.head_repository.id': FORK_ID,
      'workflow_run.head_repository.owner.login': 'mallory',
      'workflow_run.pull_requests': [],
    }),
    commit,
    ref: MAIN,
  };
}
