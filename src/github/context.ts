import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as v from 'valibot';
import { PullRequest } from './api.ts';

const Repository = v.object({ id: v.number(), default_branch: v.optional(v.string()) });

const MergeGroup = v.object({ head_ref: v.string(), base_ref: v.string(), base_sha: v.string() });

const WorkflowRun = v.object({
  event: v.string(),
  head_branch: v.nullish(v.string()),
  head_sha: v.string(),
  head_repository: v.nullish(v.object({ id: v.number(), owner: v.nullish(v.object({ login: v.string() })) })),
  pull_requests: v.fallback(v.array(PullRequest), []),
});

/** Malformed parts of a payload are left out, so that they cannot break the run. */
const EventPayload = v.object({
  repository: v.fallback(v.optional(Repository), undefined),
  pull_request: v.fallback(v.optional(PullRequest), undefined),
  merge_group: v.fallback(v.optional(MergeGroup), undefined),
  workflow_run: v.fallback(v.optional(WorkflowRun), undefined),
});
type EventPayload = Partial<v.InferOutput<typeof EventPayload>>;

/** Empty if the file is missing or cannot be read. */
function readEvent(file: string | undefined): EventPayload {
  try {
    return v.parse(EventPayload, JSON.parse(readFileSync(file ?? '', 'utf8')));
  } catch {
    return {};
  }
}

/**
 * Whether a run checks what its branch holds, so that waivers of its checkout count and its state may be a baseline.
 * `workflow_run` does not: after a tag's push, it names the tag as branch.
 */
export function isBranchEvent(event: string): boolean {
  return ['push', 'schedule', 'workflow_dispatch'].includes(event);
}

/** What is checked out in the folder that is searched. */
interface Checkout {
  /** The folder that has `.git`. Undefined if the searched folder is in no checkout. */
  readonly checkoutRoot?: string | undefined;
  /** The commit that is checked out. Undefined if it cannot be read. */
  readonly head?: string | undefined;
}

/** Where and why the workflow runs, and what is checked out. */
export type RunContext = Readonly<ReturnType<typeof readContext>> & Checkout;

/**
 * Reads the runner's variables and the event's payload. Outside a runner every field has a harmless value. The checkout
 * is read by `readCheckout`, when `working-directory` is known.
 */
export function readContext(env: NodeJS.ProcessEnv) {
  const payload = readEvent(env['GITHUB_EVENT_PATH']);
  // Gitea's addresses may end in a slash.
  const urlOf = (name: string, url: string): string => (env[name] || url).replace(/\/$/, '');
  const serverUrl = urlOf('GITHUB_SERVER_URL', 'https://github.com');
  const { GITHUB_REPOSITORY: repository = '' } = env;
  const runId = env['GITHUB_RUN_ID'] ?? '';
  const commit = env['GITHUB_SHA'] ?? '';
  const ref = env['GITHUB_REF'] ?? '';
  const event = env['GITHUB_EVENT_NAME'] ?? '';
  const workspace = env['GITHUB_WORKSPACE'] ?? process.cwd();
  return {
    repository,
    /** Gitea gives no id, so the name replaces it: a repository must not accept the state of another repository. */
    repositoryId: env['GITHUB_REPOSITORY_ID'] || String(payload.repository?.id ?? repository),
    /** Of a pull request the merge commit, otherwise that of the branch or tag of the run. */
    commit,
    /** refs/heads/main, refs/pull/7/merge, … */
    ref,
    event,
    runId,
    /** 1 for the first run. Each re-run adds 1. */
    runAttempt: Number(env['GITHUB_RUN_ATTEMPT']) || 1,
    runUrl: repository && runId ? `${serverUrl}/${repository}/actions/runs/${runId}` : '',
    /** The path of the workflow file, or the name of the workflow if the path is unknown. */
    workflow: workflowPath(env['GITHUB_WORKFLOW_REF'] ?? '', repository) ?? env['GITHUB_WORKFLOW'] ?? '',
    job: env['GITHUB_JOB'] ?? '',
    ...changes(payload, { event, commit, ref }),
    defaultBranch: payload.repository?.default_branch,
    serverUrl,
    apiUrl: urlOf('GITHUB_API_URL', 'https://api.github.com'),
    workspace,
    /** The folder that is searched: another one if `working-directory` is set. */
    searchRoot: workspace,
    /** The folder for temporary files. The runner empties its own one after each job. */
    temp: env['RUNNER_TEMP'] || tmpdir(),
  };
}

/** The commit that the run checks, and the base that it is compared with. */
interface Changes {
  /** Whether the payload does not name the commit of the event. Base, waivers and baseline are unknown then. */
  readonly isPayloadIncomplete?: true;
  /** The head branch of a pull request, otherwise the branch or tag of the run. `owner:branch` if it is in a fork. */
  readonly branch: string;
  /** The head of a pull request, not its merge commit. Under `workflow_run`, the commit of the followed run. */
  readonly eventCommit: string;
  /** The branch that a pull request or a merge group is merged into. */
  readonly baseBranch?: string | undefined;
  /** The commit that a pull request or merge group is compared with. The author of a pull request cannot change it. */
  readonly baseCommit?: string | undefined;
  /** Only `isFork` is known under `workflow_run` for a fork or a branch with several pull requests. */
  readonly pullRequest?: (Partial<PullRequest> & Pick<PullRequest, 'isFork'>) | undefined;
}

/** Only the part of the payload that describes the event counts: `deployment_status` also has a `workflow_run`. */
function changes(
  { pull_request: pull, merge_group: group, workflow_run: run, repository }: EventPayload,
  { event, commit, ref }: Readonly<Record<'event' | 'commit' | 'ref', string>>,
): Changes {
  const ofRun = { branch: branchOf(ref), eventCommit: commit };
  const incomplete = { ...ofRun, isPayloadIncomplete: true } as const;
  if (event.startsWith('pull_request')) {
    if (!pull) return incomplete;
    const { branch, headSha, baseBranch, baseCommit } = pull;
    return { branch, eventCommit: headSha, baseBranch, baseCommit, pullRequest: pull };
  }
  if (event === 'merge_group') {
    if (!group) return incomplete;
    const { head_ref: branch, base_ref: base, base_sha: baseCommit } = group;
    return { branch: branchOf(branch), eventCommit: commit, baseBranch: branchOf(base), baseCommit };
  }
  if (event !== 'workflow_run') return ofRun;
  // After a run of `pull_request_target`, the commit in the payload is the default branch's, not the pull request's.
  if (!run || run.event === 'pull_request_target') return incomplete;
  // Under `workflow_run`, `commit` is a commit of the default branch, so the run checks the commit of the followed run.
  const { head_sha: eventCommit, head_repository: head } = run;
  const isFork = !head || head.id !== repository?.id;
  const name = run.head_branch ?? branchOf(ref);
  const branch = isFork ? `${head?.owner?.login ?? ''}:${name}` : name;
  const followed = { branch, eventCommit };
  if (!run.event.startsWith('pull_request')) return followed;
  // GitHub lists every open pull request of the head branch, even one into a fork, but no pull request from a fork. If
  // several are listed, the base stays unknown: otherwise the author could choose the base whose waivers apply.
  const pulls = run.pull_requests.filter(({ baseRepositoryId }) => baseRepositoryId === repository?.id);
  const only = pulls.length === 1 ? pulls[0] : undefined;
  return {
    ...followed,
    baseBranch: only?.baseBranch,
    baseCommit: only?.baseCommit ?? commit,
    pullRequest: only ?? { isFork },
  };
}

function branchOf(ref: string): string {
  return ref.replace(/^refs\/heads\//, '');
}

/** `owner/name/a.yml@refs/heads/main` becomes `a.yml`, or `owner/name/a.yml` if the run is in another repository. */
function workflowPath(ref: string, repository: string): string | undefined {
  const [, home = '', file = ''] = /^([^/]+\/[^/]+)\/(.+?\.ya?ml)@/.exec(ref) ?? [];
  if (file === '') return undefined;
  return home.toLowerCase() === repository.toLowerCase() ? file : `${home}/${file}`;
}
