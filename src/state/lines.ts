import type { GitHubApi } from '../github/api.ts';
import type { RunContext } from '../github/context.ts';

/**
 * States belong to lines of history. The runs of a pull request and those of its branch are two lines: only the second
 * can be what another pull request is compared with.
 */
export function lineOf({ branch, pullRequest }: Pick<RunContext, 'branch' | 'pullRequest'>): string {
  return pullRequest ? pullLine(branch) : branchLine(branch);
}

export function branchLine(branch: string): string {
  return `branch:${branch}`;
}

function pullLine(branch: string): string {
  return `pull:${branch}`;
}

/** "of the branch main", "of the pull request from feature". */
export function lineInWords(line: string): string {
  return line.startsWith('pull:')
    ? `of the pull request from ${line.slice('pull:'.length)}`
    : `of the branch ${line.slice('branch:'.length)}`;
}

/** Whose analyses are of use to this run. The same line may appear in more than one place. */
export interface UsefulLines {
  /** Undefined where it cannot have a state yet. */
  readonly own: string | undefined;
  /** The same changes in another form: the pull request that was merged or is queued, or the branch of a pull request. */
  readonly near: string | undefined;
  readonly base: string | undefined;
  readonly default: string | undefined;
}

/** @param merged the branch of the pull request that this run checks the merge of */
export function usefulLines(context: RunContext, merged: string | undefined): UsefulLines {
  const { branch, baseBranch, defaultBranch, runAttempt } = context;
  // The branch of a merge queue is a new one every time.
  const isNew = branch.startsWith('gh-readonly-queue/') && runAttempt === 1;
  return {
    own: isNew ? undefined : lineOf(context),
    near: merged === undefined ? twin(context) : pullLine(merged),
    base: baseBranch === undefined ? undefined : branchLine(baseBranch),
    default: defaultBranch === undefined ? undefined : branchLine(defaultBranch),
  };
}

function twin({ branch, defaultBranch, pullRequest }: RunContext): string | undefined {
  if (pullRequest) return branchLine(branch);
  const hasPullRequest = branch !== defaultBranch && !/^(refs|gh-readonly-queue)\//.test(branch);
  return hasPullRequest ? pullLine(branch) : undefined;
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
