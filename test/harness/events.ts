import { payload } from './payloads.ts';

export const REPOSITORY = 'acme/campaigns';
export const REPOSITORY_ID = 4711;
export const FORK_ID = 99;

export interface WorkflowEvent {
  readonly name: string;
  readonly payload: unknown;
  /** GITHUB_SHA of the run. */
  readonly commit: string;
  /** GITHUB_REF of the run. */
  readonly ref: string;
  readonly actor: string;
  /** GitHub gives no secrets to forks, and a separate set to Dependabot. */
  readonly hasSecrets: boolean;
}

export interface PullRequestFacts {
  readonly number: number;
  readonly headRef: string;
  readonly headSha: string;
  readonly baseSha: string;
  /** The merge of base and head that GitHub makes, and that `pull_request` checks out. */
  readonly mergeSha: string;
  readonly from: 'branch' | 'fork' | 'dependabot';
}

const OWN = {
  'repository.id': REPOSITORY_ID,
  'repository.full_name': REPOSITORY,
  'repository.default_branch': 'main',
  'repository.private': true,
  'repository.visibility': 'private',
};
const ANN = { actor: 'ann', hasSecrets: true };
const MAIN = 'refs/heads/main';

export function pushEvent(commit: string, ref = MAIN): WorkflowEvent {
  const pushed = { ref, before: 'f'.repeat(40), after: commit, created: false, deleted: false };
  return { ...ANN, name: 'push', payload: payload('push', { ...OWN, ...pushed }), commit, ref };
}

export function pullRequestEvent(pull: PullRequestFacts): WorkflowEvent {
  const { from } = pull;
  const isFork = from === 'fork';
  const login = from === 'dependabot' ? 'dependabot[bot]' : 'ann';
  return {
    actor: login,
    hasSecrets: from === 'branch',
    name: 'pull_request',
    payload: payload('pull_request', {
      ...OWN,
      action: 'opened',
      number: pull.number,
      'pull_request.number': pull.number,
      'pull_request.user.login': login,
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

/** The run gets secrets, and its commit is that of the base branch. */
export function pullRequestTargetEvent(pull: PullRequestFacts): WorkflowEvent {
  return { ...pullRequestEvent(pull), ...ANN, name: 'pull_request_target', commit: pull.baseSha, ref: MAIN };
}

/** `mergeSha` is the commit of the group, on a branch that only the queue uses. */
export function mergeGroupEvent(group: Pick<PullRequestFacts, 'number' | 'baseSha' | 'mergeSha'>): WorkflowEvent {
  const { number, baseSha, mergeSha: commit } = group;
  const ref = `refs/heads/gh-readonly-queue/main/pr-${number}-${baseSha}`;
  const changes = {
    'merge_group.head_sha': commit,
    'merge_group.head_ref': ref,
    'merge_group.base_sha': baseSha,
    'merge_group.base_ref': MAIN,
  };
  return { ...ANN, name: 'merge_group', payload: payload('merge_group', { ...OWN, ...changes }), commit, ref };
}

export function scheduleEvent(commit: string, schedule: string): WorkflowEvent {
  const { repository } = payload('push', OWN);
  return { ...ANN, name: 'schedule', payload: { schedule, repository: repository ?? null }, commit, ref: MAIN };
}

export function dispatchEvent(commit: string, inputs: Readonly<Record<string, string>> = {}): WorkflowEvent {
  const changes = { ...OWN, ref: MAIN, inputs };
  return { ...ANN, name: 'workflow_dispatch', payload: payload('workflow_dispatch', changes), commit, ref: MAIN };
}

/** Follows the run of a fork's pull request. The run gets secrets, and its commit is that of the default branch. */
export function workflowRunEvent(commit: string, { headRef, headSha }: PullRequestFacts): WorkflowEvent {
  const changes = {
    action: 'completed',
    'workflow_run.event': 'pull_request',
    'workflow_run.conclusion': 'success',
    'workflow_run.head_branch': headRef,
    'workflow_run.head_sha': headSha,
    'workflow_run.head_repository.id': FORK_ID,
    'workflow_run.head_repository.owner.login': 'mallory',
    'workflow_run.pull_requests': [],
  };
  const followed = payload('workflow_run', { ...OWN, ...changes }, 3);
  return { ...ANN, name: 'workflow_run', payload: followed, commit, ref: MAIN };
}
