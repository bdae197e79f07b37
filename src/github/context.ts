import { type EventPayload, type PullRequestPayload, readEvent, type WorkflowRunPayload } from './event.ts';

/** Where and why the workflow runs, as the runner tells it. */
export interface RunContext {
  /** owner/name */
  readonly repository: string;
  readonly repositoryId: string;
  readonly isPublic: boolean;
  readonly commit: string;
  /** refs/heads/main, refs/pull/7/merge, … */
  readonly ref: string;
  readonly event: string;
  readonly runId: string;
  /** 1, and one more for each re-run. */
  readonly runAttempt: number;
  readonly runUrl: string;
  /** Path of the workflow file, without branch; its name where the path is not told. */
  readonly workflow: string;
  readonly job: string;
  /** The step's id, or the runner's name for it. */
  readonly step: string;
  /**
   * The branch whose media are checked: the head of a pull request, else what the run was started for. A fork's branch is
   * `owner:branch`, so that a fork's `main` is never ours; a tag keeps its whole ref.
   */
  readonly branch: string;
  /** Where the changes are to go: the base of a pull request or of a merge queue. */
  readonly baseBranch: string | undefined;
  /** The commit that a pull request or merge group is compared with; what is read from it, its author could not change. */
  readonly baseCommit: string | undefined;
  readonly defaultBranch: string | undefined;
  readonly serverUrl: string;
  readonly apiUrl: string;
  /** The pages of this action in the version that runs; undefined where that is not told. */
  readonly docsUrl: string | undefined;
  /** GitHub Enterprise Server: another host, and no artifacts of the current kind. */
  readonly isGhes: boolean;
  readonly workspace: string;
  readonly temp: string;
  readonly pullRequest: PullRequest | undefined;
  /** The pull request that a merge group ends with: its analysis is what the group most likely holds. */
  readonly queuedPullRequest: number | undefined;
  /** Who started it first; a re-run by somebody else does not change what GitHub gives it. */
  readonly actor: string;
}

export interface PullRequest {
  /** Undefined for a run that follows a fork's run: GitHub does not tell. */
  readonly number: number | undefined;
  readonly headSha: string;
  /** Its head is in another repository. */
  readonly isFork: boolean;
  /** Opened by Dependabot. */
  readonly isDependabot: boolean;
}

/** Reads the runner's variables and the event's payload. Outside a runner everything has a harmless value. */
export function readContext(env: NodeJS.ProcessEnv): RunContext {
  const payload = readEvent(env['GITHUB_EVENT_PATH']);
  const serverUrl = env['GITHUB_SERVER_URL'] || 'https://github.com';
  const repository = env['GITHUB_REPOSITORY'] ?? '';
  const runId = env['GITHUB_RUN_ID'] ?? '';
  const commit = env['GITHUB_SHA'] ?? '';
  const ref = env['GITHUB_REF'] ?? '';
  return {
    repository,
    repositoryId: env['GITHUB_REPOSITORY_ID'] ?? String(payload.repository?.id ?? ''),
    isPublic: payload.repository?.visibility === 'public' || payload.repository?.private === false,
    commit,
    ref,
    event: env['GITHUB_EVENT_NAME'] ?? '',
    runId,
    runAttempt: Math.max(1, Number.parseInt(env['GITHUB_RUN_ATTEMPT'] ?? '', 10) || 1),
    runUrl: repository && runId ? `${serverUrl}/${repository}/actions/runs/${runId}` : '',
    workflow: workflowPath(env['GITHUB_WORKFLOW_REF'] ?? '', repository) ?? env['GITHUB_WORKFLOW'] ?? '',
    job: env['GITHUB_JOB'] ?? '',
    step: env['GITHUB_ACTION'] ?? '',
    ...changes(payload, commit, ref),
    defaultBranch: payload.repository?.default_branch,
    serverUrl,
    apiUrl: env['GITHUB_API_URL'] || 'https://api.github.com',
    docsUrl: docsUrl(env, serverUrl),
    isGhes: isGhes(serverUrl),
    workspace: env['GITHUB_WORKSPACE'] ?? process.cwd(),
    temp: env['RUNNER_TEMP'] ?? '',
    actor: env['GITHUB_ACTOR'] ?? '',
  };
}

type Changes = Pick<RunContext, 'branch' | 'baseBranch' | 'baseCommit' | 'pullRequest' | 'queuedPullRequest'>;

/** What is checked, and what it is to be compared with. */
function changes(payload: EventPayload, commit: string, ref: string): Changes {
  const none = { baseBranch: undefined, baseCommit: undefined, pullRequest: undefined, queuedPullRequest: undefined };
  const { pull_request: pull, merge_group: group, workflow_run: run, repository } = payload;
  if (pull) {
    const isFork = isForeign(pull, repository?.id);
    return {
      ...none,
      branch: isFork ? (pull.head.label ?? `${pull.user?.login ?? ''}:${pull.head.ref}`) : pull.head.ref,
      baseBranch: pull.base.ref,
      baseCommit: pull.base.sha,
      pullRequest: {
        number: pull.number,
        headSha: pull.head.sha,
        isFork,
        isDependabot: pull.user?.login === 'dependabot[bot]',
      },
    };
  }
  if (group) {
    const number = /\/pr-(\d+)-[0-9a-f]+$/.exec(group.head_ref)?.[1];
    return {
      ...none,
      branch: branchOf(group.head_ref),
      baseBranch: branchOf(group.base_ref),
      baseCommit: group.base_sha,
      queuedPullRequest: number === undefined ? undefined : Number(number),
    };
  }
  if (run) return { ...none, ...followed(run, repository?.id, commit, ref) };
  return { ...none, branch: branchOf(ref) };
}

/** A run that follows another one is about what that one was about. Its own commit is the default branch's. */
function followed(
  run: WorkflowRunPayload,
  repositoryId: number | undefined,
  commit: string,
  ref: string,
): Pick<Changes, 'branch'> & Partial<Changes> {
  const head = run.head_repository;
  const isFork = head?.id !== repositoryId;
  const name = run.head_branch ?? branchOf(ref);
  const branch = isFork ? `${head?.owner?.login ?? ''}:${name}` : name;
  if (!run.event.startsWith('pull_request')) return { branch };
  // The list holds every open pull request of that branch, those into somebody's fork too, and none that comes from one.
  const ours = run.pull_requests.filter(({ base }) => base.repo?.id === repositoryId);
  const pull = ours.find(({ head: { sha } }) => sha === run.head_sha) ?? ours[0];
  return {
    branch,
    baseBranch: pull?.base.ref,
    baseCommit: pull?.base.sha ?? commit,
    pullRequest: { number: pull?.number, headSha: run.head_sha, isFork, isDependabot: false },
  };
}

function isForeign({ head, base }: PullRequestPayload, repositoryId: number | undefined): boolean {
  // A head without a repository is a fork that was deleted.
  return head.repo?.id !== (base.repo?.id ?? repositoryId);
}

function branchOf(ref: string): string {
  return ref.replace(/^refs\/heads\//, '');
}

/** owner/name/.github/workflows/media.yml@refs/heads/main → the path, with its repository only where it is another one. */
function workflowPath(ref: string, repository: string): string | undefined {
  const [, home = '', path = ''] = /^([^/]+\/[^/]+)\/(.+?\.ya?ml)@/.exec(ref) ?? [];
  if (path === '') return undefined;
  return home.toLowerCase() === repository.toLowerCase() ? path : `${home}/${path}`;
}

function isGhes(serverUrl: string): boolean {
  const host = URL.parse(serverUrl)?.hostname ?? 'github.com';
  return host !== 'github.com' && !host.endsWith('.ghe.com') && !host.endsWith('.localhost');
}

/** On an Enterprise Server the action may come from github.com all the same, so there is nothing to go by. */
function docsUrl(env: NodeJS.ProcessEnv, serverUrl: string): string | undefined {
  const { GITHUB_ACTION_REPOSITORY: repository, GITHUB_ACTION_REF: ref } = env;
  if (!repository || !ref || isGhes(serverUrl)) return undefined;
  return `${serverUrl}/${repository}/blob/${ref}/docs`;
}
