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
const MAIN = 'refs/heads/main';

/** An event that Ann causes, with GitHub's example of its payload and these values in it. */
function eventOf(name: string, commit: string, changes: Parameters<typeof payload>[1], ref = MAIN): WorkflowEvent {
  // A run that follows a pull request has an example of its own.
  const example = name === 'workflow_run' ? 3 : 0;
  return { name, payload: payload(name, { ...OWN, ...changes }, example), commit, ref, actor: 'ann', hasSecrets: true };
}

export function pushEvent(commit: string, ref = MAIN): WorkflowEvent {
  const pushed = { ref, before: 'f'.repeat(40), after: commit, created: false, deleted: false };
  return eventOf('push', commit, pushed, ref);
}

export function pullRequestEvent(pull: PullRequestFacts): WorkflowEvent {
  const { from, number, headRef, headSha, baseSha } = pull;
  const isFork = from === 'fork';
  const login = from === 'dependabot' ? 'dependabot[bot]' : 'ann';
  const changes = {
    action: 'opened',
    number,
    'pull_request.number': number,
    'pull_request.user.login': login,
    'pull_request.head.ref': headRef,
    'pull_request.head.sha': headSha,
    'pull_request.head.label': `${isFork ? 'mallory' : 'acme'}:${headRef}`,
    'pull_request.head.repo.id': isFork ? FORK_ID : REPOSITORY_ID,
    'pull_request.head.repo.fork': isFork,
    'pull_request.head.repo.full_name': isFork ? 'mallory/campaigns' : REPOSITORY,
    'pull_request.base.ref': 'main',
    'pull_request.base.sha': baseSha,
    'pull_request.base.repo.id': REPOSITORY_ID,
    'pull_request.base.repo.full_name': REPOSITORY,
  };
  const event = eventOf('pull_request', pull.mergeSha, changes, `refs/pull/${number}/merge`);
  return { ...event, actor: login, hasSecrets: from === 'branch' };
}

/** `mergeSha` is the commit of the group, on a branch that only the queue uses. */
export function mergeGroupEvent(group: Pick<PullRequestFacts, 'number' | 'baseSha' | 'mergeSha'>): WorkflowEvent {
  const { number, baseSha, mergeSha } = group;
  const ref = `refs/heads/gh-readonly-queue/main/pr-${number}-${baseSha}`;
  const changes = {
    'merge_group.head_sha': mergeSha,
    'merge_group.head_ref': ref,
    'merge_group.base_sha': baseSha,
    'merge_group.base_ref': MAIN,
  };
  return eventOf('merge_group', mergeSha, changes, ref);
}

export function scheduleEvent(commit: string, schedule: string): WorkflowEvent {
  return {
    ...pushEvent(commit),
    name: 'schedule',
    payload: { schedule, repository: payload('push', OWN)['repository'] },
  };
}

export function dispatchEvent(commit: string, inputs: Readonly<Record<string, string>> = {}): WorkflowEvent {
  return eventOf('workflow_dispatch', commit, { ref: MAIN, inputs });
}

/** Follows the run of a fork's pull request. The run gets secrets, and its commit is that of the default branch. */
export function workflowRunEvent(commit: string, { headRef, headSha }: PullRequestFacts): WorkflowEvent {
  return eventOf('workflow_run', commit, {
    action: 'completed',
    'workflow_run.event': 'pull_request',
    // A fork can let its own workflow fail, and is checked all the same.
    'workflow_run.conclusion': 'failure',
    'workflow_run.head_branch': headRef,
    'workflow_run.head_sha': headSha,
    'workflow_run.head_repository.id': FORK_ID,
    'workflow_run.head_repository.owner.login': 'mallory',
    'workflow_run.pull_requests': [],
  });
}
