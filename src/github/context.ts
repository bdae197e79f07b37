import { readFileSync } from 'node:fs';
import * as v from 'valibot';

/** A part that is missing or malformed is left out, so that a payload cannot break the run. */
function lenient<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}

const Repository = v.object({
  id: v.number(),
  private: lenient(v.boolean()),
  visibility: lenient(v.string()),
  default_branch: lenient(v.string()),
});

const Side = v.object({
  ref: v.string(),
  sha: v.string(),
  /** `owner:branch`; missing in the short form that a workflow_run lists. */
  label: lenient(v.string()),
  /** Null if the fork was deleted. */
  repo: lenient(v.nullable(v.object({ id: v.number() }))),
});

const PullRequest = v.object({
  number: v.number(),
  head: Side,
  base: Side,
  user: lenient(v.nullable(v.object({ login: v.string() }))),
});

const MergeGroup = v.object({ head_ref: v.string(), base_ref: v.string(), base_sha: v.string() });

const WorkflowRun = v.object({
  event: v.string(),
  head_branch: lenient(v.nullable(v.string())),
  head_sha: v.string(),
  head_repository: lenient(
    v.nullable(v.object({ id: v.number(), owner: lenient(v.nullable(v.object({ login: v.string() }))) })),
  ),
  pull_requests: v.fallback(v.array(PullRequest), []),
});

const EventPayload = v.object({
  repository: lenient(Repository),
  pull_request: lenient(PullRequest),
  merge_group: lenient(MergeGroup),
  workflow_run: lenient(WorkflowRun),
});

/** The parts of the event's payload that are used. */
type EventPayload = Partial<v.InferOutput<typeof EventPayload>>;
type WorkflowRunPayload = v.InferOutput<typeof WorkflowRun>;

/** An unreadable payload is an empty one. */
function readEvent(path: string | undefined): EventPayload {
  if (!path) return {};
  try {
    const parsed = v.safeParse(EventPayload, JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.output : {};
  } catch {
    return {};
  }
}

/** Where and why the workflow runs, from the environment and the payload of the event. */
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
  /** Path of the workflow file, without branch; its name if the path is not known. */
  readonly workflow: string;
  readonly job: string;
  /** The step's id, or the runner's name for it. */
  readonly step: string;
  /**
   * The branch whose media are checked: the head of a pull request, otherwise the branch of the run. A fork's branch is
   * `owner:branch`, so that a fork's `main` is not taken for ours. A tag keeps its whole ref.
   */
  readonly branch: string;
  /** The base of a pull request or of a merge queue. */
  readonly baseBranch: string | undefined;
  /** The commit that a pull request or merge group is compared with. Its author cannot change what is read from it. */
  readonly baseCommit: string | undefined;
  readonly defaultBranch: string | undefined;
  readonly serverUrl: string;
  readonly apiUrl: string;
  /** The docs of this action in the version that runs, if it is known. */
  readonly docsUrl: string | undefined;
  /** GitHub Enterprise Server: another host, and no artifacts of the current kind. */
  readonly isGhes: boolean;
  readonly workspace: string;
  readonly temp: string;
  readonly pullRequest: PullRequest | undefined;
  /** The event of the run that a `workflow_run` follows. */
  readonly followedEvent: string | undefined;
  /** The commit that it ran for. After `pull_request_target` that is the default branch's. */
  readonly followedCommit: string | undefined;
  /** The pull request that a merge group ends with. */
  readonly queuedPullRequest: number | undefined;
  /** Who started the first attempt. A re-run by somebody else does not change which secrets GitHub gives. */
  readonly actor: string;
}

export interface PullRequest {
  /** Undefined for a run that follows a fork's run, because GitHub does not name it. */
  readonly number: number | undefined;
  readonly headSha: string;
  /** Its head is in another repository. */
  readonly isFork: boolean;
  /** Opened by Dependabot. */
  readonly isDependabot: boolean;
}

/** Reads the runner's variables and the event's payload. Outside a runner every field has a harmless value. */
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

type Changes = Pick<
  RunContext,
  'branch' | 'baseBranch' | 'baseCommit' | 'pullRequest' | 'queuedPullRequest' | 'followedEvent' | 'followedCommit'
>;

/** What is checked, and what it is compared with. */
function changes(payload: EventPayload, commit: string, ref: string): Changes {
  const none = {
    baseBranch: undefined,
    baseCommit: undefined,
    pullRequest: undefined,
    queuedPullRequest: undefined,
    followedEvent: undefined,
    followedCommit: undefined,
  };
  const { pull_request: pull, merge_group: group, workflow_run: run, repository } = payload;
  if (pull) {
    const isFork = isOtherRepository(pull.head.repo?.id, pull.base.repo?.id ?? repository?.id);
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
  if (run) return { ...none, ...followedChanges(run, repository?.id, { commit, ref }) };
  return { ...none, branch: branchOf(ref) };
}

/** A run that follows another one checks what that one was started for. Its own commit is the default branch's. */
function followedChanges(
  run: WorkflowRunPayload,
  repositoryId: number | undefined,
  { commit, ref }: Pick<RunContext, 'commit' | 'ref'>,
): Pick<Changes, 'branch' | 'followedEvent' | 'followedCommit'> & Partial<Changes> {
  const head = run.head_repository;
  const isFork = isOtherRepository(head?.id, repositoryId);
  const followed = { followedEvent: run.event, followedCommit: run.head_sha };
  const name = run.head_branch ?? branchOf(ref);
  const branch = isFork ? `${head?.owner?.login ?? ''}:${name}` : name;
  if (!run.event.startsWith('pull_request')) return { branch, ...followed };
  // The list has every open pull request of that branch, even those into a fork, but none that comes from a fork.
  const ours = run.pull_requests.filter(({ base }) => base.repo?.id === repositoryId);
  const pull = ours.find(({ head: { sha } }) => sha === run.head_sha) ?? ours[0];
  return {
    branch,
    ...followed,
    baseBranch: pull?.base.ref,
    baseCommit: pull?.base.sha ?? commit,
    pullRequest: { number: pull?.number, headSha: run.head_sha, isFork, isDependabot: false },
  };
}

/**
 * Whether the head is in another repository. `head.repo.fork` does not say that: it is also true in a repository that is
 * itself a fork. A head without a repository is a fork that was deleted.
 */
function isOtherRepository(headId: number | undefined, baseId: number | undefined): boolean {
  return headId === undefined || headId !== baseId;
}

function branchOf(ref: string): string {
  return ref.replace(/^refs\/heads\//, '');
}

/** owner/name/.github/workflows/media.yml@refs/heads/main → the path, with the repository only if it is another one. */
function workflowPath(ref: string, repository: string): string | undefined {
  const [, home = '', path = ''] = /^([^/]+\/[^/]+)\/(.+?\.ya?ml)@/.exec(ref) ?? [];
  if (path === '') return undefined;
  return home.toLowerCase() === repository.toLowerCase() ? path : `${home}/${path}`;
}

function isGhes(serverUrl: string): boolean {
  const host = URL.parse(serverUrl)?.hostname ?? 'github.com';
  return host !== 'github.com' && !host.endsWith('.ghe.com') && !host.endsWith('.localhost');
}

/** On an Enterprise Server the action may come from github.com, so the address is not known. */
function docsUrl(env: NodeJS.ProcessEnv, serverUrl: string): string | undefined {
  const { GITHUB_ACTION_REPOSITORY: repository, GITHUB_ACTION_REF: ref } = env;
  if (!repository || !ref || isGhes(serverUrl)) return undefined;
  return `${serverUrl}/${repository}/blob/${ref}/docs`;
}
