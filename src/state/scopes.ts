import type { GitHubApi } from '../github/api.ts';
import type { RunContext } from '../github/context.ts';

/**
 * States belong to scopes of history. The runs of a pull request and those of its branch are two scopes: only the second
 * can be what another pull request is compared with. What else runs on a branch is a third one: a comment's run is the
 * default branch's by name, and may have any pull request checked out.
 */
export function scopeOf({ branch, pullRequest, event }: Pick<RunContext, 'branch' | 'pullRequest' | 'event'>): string {
  if (pullRequest) return pullScope(branch);
  return isOfBranch(event) ? branchScope(branch) : `other:${branch}`;
}

/** Whether a run by this event checks what its branch holds. */
export function isOfBranch(event: string): boolean {
  return ['push', 'schedule', 'workflow_dispatch', 'workflow_run', 'merge_group'].includes(event);
}

export function branchScope(branch: string): string {
  return `branch:${branch}`;
}

function pullScope(branch: string): string {
  return `pull:${branch}`;
}

/** "of the branch main", "of the pull request from feature". */
export function describeScope(scope: string): string {
  const [kind = ''] = scope.split(':', 1);
  const branch = scope.slice(kind.length + 1);
  if (kind === 'pull') return `of the pull request from ${branch}`;
  return kind === 'other' ? `of other events on the branch ${branch}` : `of the branch ${branch}`;
}

/** Whose analyses are of use to this run. The same scope may appear in more than one place. */
export interface UsefulScopes {
  /** Under which this run saves what it knows. */
  readonly own: string;
  /** It cannot have a state yet. */
  readonly isNew: boolean;
  /** The same changes in another form: the pull request that was merged, or the branch of a pull request. */
  readonly related: string | undefined;
  /** Of use where `related` has nothing: its runs would have read this one. */
  readonly relatedFallback: string | undefined;
  readonly base: string | undefined;
  readonly default: string | undefined;
}

/** @param merged the branch of the pull request that this run checks the merge of */
export function usefulScopes(context: RunContext, merged: string | undefined): UsefulScopes {
  const { baseBranch, defaultBranch } = context;
  return {
    ...changedScopes(context, merged),
    base: baseBranch === undefined ? undefined : branchScope(baseBranch),
    default: defaultBranch === undefined ? undefined : branchScope(defaultBranch),
  };
}

type ChangedScopes = Pick<UsefulScopes, 'own' | 'isNew' | 'related' | 'relatedFallback'>;

function changedScopes(context: RunContext, merged: string | undefined): ChangedScopes {
  const { branch, queuedPullRequest, runAttempt } = context;
  // The branch of a merge queue is a new one every time, so it goes on with the scope of its pull request: a queue that is
  // built anew finds it there, and so does the push that comes of it.
  if (merged !== undefined && queuedPullRequest !== undefined)
    return { own: pullScope(merged), isNew: false, related: branchScope(merged), relatedFallback: undefined };
  const isNew = branch.startsWith('gh-readonly-queue/') && runAttempt === 1;
  return merged === undefined
    ? { own: scopeOf(context), isNew, related: counterpart(context), relatedFallback: undefined }
    : { own: scopeOf(context), isNew, related: pullScope(merged), relatedFallback: branchScope(merged) };
}

function counterpart({ branch, defaultBranch, pullRequest }: RunContext): string | undefined {
  if (pullRequest) return branchScope(branch);
  const hasPullRequest = branch !== defaultBranch && !/^(refs|gh-readonly-queue)\//.test(branch);
  return hasPullRequest ? pullScope(branch) : undefined;
}

/** Whether GitHub has to be asked which pull request this run checks the merge of. */
export function isMerge({ queuedPullRequest, event }: RunContext): boolean {
  return queuedPullRequest !== undefined || event === 'push';
}

/** The branch of that pull request: a squash merge is a new commit, but not new media. */
export async function mergedBranch(
  { queuedPullRequest, commit }: RunContext,
  api: Pick<GitHubApi, 'pullRequest' | 'pullRequestsOf'>,
): Promise<string | undefined> {
  if (queuedPullRequest !== undefined) return (await api.pullRequest(queuedPullRequest)).branch;
  return (await api.pullRequestsOf(commit)).find(({ isMerged }) => isMerged)?.branch;
}
