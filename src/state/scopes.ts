import type { GitHubApi } from '../github/api.ts';
import type { RunContext } from '../github/context.ts';

/**
 * The scope of a run: runs of one scope continue each other's state.
 * - `pull:` runs of a pull request, by its head branch. They are never a baseline.
 * - `branch:` runs that check what the branch holds. Only these can be a baseline.
 * - `other:` other events. A run for a comment names the default branch, but may have any pull request checked out.
 * - `group:` a merge group, by its head commit, which is the base commit of the next group in the queue.
 */
export function scopeOf({
  branch,
  pullRequest,
  event,
  commit,
}: Pick<RunContext, 'branch' | 'pullRequest' | 'event' | 'commit'>): string {
  if (pullRequest) return pullScope(branch);
  if (event === 'merge_group') return groupScope(commit);
  return isOfBranch(event) ? branchScope(branch) : `other:${branch}`;
}

/** Whether a run by this event checks what its branch holds. */
export function isOfBranch(event: string): boolean {
  return ['push', 'schedule', 'workflow_dispatch', 'workflow_run'].includes(event);
}

export function branchScope(branch: string): string {
  return `branch:${branch}`;
}

function pullScope(branch: string): string {
  return `pull:${branch}`;
}

function groupScope(commit: string): string {
  return `group:${commit}`;
}

/** "of the branch main", "of the pull request from feature". */
export function describeScope(scope: string): string {
  const [kind = ''] = scope.split(':', 1);
  const name = scope.slice(kind.length + 1);
  if (kind === 'pull') return `of the pull request from ${name}`;
  if (kind === 'group') return `of the merge group ${name.slice(0, 7)}`;
  return kind === 'other' ? `of other events on the branch ${name}` : `of the branch ${name}`;
}

/** The scopes whose analyses are useful to a run. The same scope may appear in more than one place. */
export interface UsefulScopes {
  /** Under which this run saves its state. */
  readonly saved: readonly string[];
  /** Its own history; undefined if it cannot have a state yet. */
  readonly own: string | undefined;
  /** The merge group that this one is built on, if its base is a group. */
  readonly groupBase: string | undefined;
  /** The same changes in another form: the pull request that was merged, or the branch of a pull request. */
  readonly related: string | undefined;
  /** Asked for last, and only if `related` has no state: otherwise its runs have read this one. */
  readonly relatedFallback: string | undefined;
  readonly base: string | undefined;
  readonly default: string | undefined;
}

/** @param merged the branch of the pull request that this run checks the merge of */
export function usefulScopes(context: RunContext, merged: string | undefined): UsefulScopes {
  const { baseBranch, baseCommit, defaultBranch } = context;
  return {
    ...changedScopes(context, merged),
    groupBase: isMergeGroup(context) && baseCommit !== undefined ? groupScope(baseCommit) : undefined,
    base: baseBranch === undefined ? undefined : branchScope(baseBranch),
    default: defaultBranch === undefined ? undefined : branchScope(defaultBranch),
  };
}

type ChangedScopes = Pick<UsefulScopes, 'saved' | 'own' | 'related' | 'relatedFallback'>;

function changedScopes(context: RunContext, merged: string | undefined): ChangedScopes {
  const own = scopeOf(context);
  if (merged === undefined) {
    if (!isMergeGroup(context)) return { saved: [own], own, related: counterpart(context), relatedFallback: undefined };
    const isNew = context.runAttempt === 1;
    return { saved: [own], own: isNew ? undefined : own, related: undefined, relatedFallback: undefined };
  }
  const [pull, relatedFallback] = [pullScope(merged), branchScope(merged)];
  if (!isMergeGroup(context)) return { saved: [own], own, related: pull, relatedFallback };
  // The group of a queue that is rebuilt is another commit, so its state is also saved for its pull request.
  return { saved: [pull, own], own: pull, related: undefined, relatedFallback };
}

function counterpart({ branch, defaultBranch, pullRequest }: RunContext): string | undefined {
  if (pullRequest) return branchScope(branch);
  const hasPullRequest = branch !== defaultBranch && !branch.startsWith('refs/');
  return hasPullRequest ? pullScope(branch) : undefined;
}

export function isMergeGroup({ event }: Pick<RunContext, 'event'>): boolean {
  return event === 'merge_group';
}

/** The branch of the pull request that this run checks the merge of: a squash merge is a new commit, but not new media. */
export async function findMergedBranch(
  { queuedPullRequest, commit, event }: RunContext,
  api: Pick<GitHubApi, 'pullRequest' | 'pullRequestsOf'>,
): Promise<string | undefined> {
  if (queuedPullRequest !== undefined) return (await api.pullRequest(queuedPullRequest)).branch;
  if (event !== 'push') return undefined;
  return (await api.pullRequestsOf(commit)).find(({ isMerged }) => isMerged)?.branch;
}
