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

/**
 * Whose analyses are of use, nearest first: this line's, those of the pull request that was merged or is queued, those
 * of the same branch, of the base branch and of the default branch. At most four lines, so at most nine requests.
 */
export async function usefulLines(context: RunContext, api: GitHubApi): Promise<readonly string[]> {
  const { branch, baseBranch, defaultBranch, pullRequest } = context;
  const merged = pullRequest ? undefined : await mergedBranch(context, api);
  const lines = [
    lineOf(context),
    ...(merged === undefined ? [] : [pullLine(merged)]),
    pullRequest ? branchLine(branch) : pullLine(branch),
    ...(baseBranch === undefined ? [] : [branchLine(baseBranch)]),
    ...(defaultBranch === undefined ? [] : [branchLine(defaultBranch)]),
  ];
  // A queue's own branch is new every time, so nothing but an earlier attempt is to be found there.
  return [...new Set(lines)]
    .filter((line) => line === lineOf(context) || !line.includes('gh-readonly-queue/'))
    .slice(0, MOST_LINES);
}

const MOST_LINES = 4;

/** The branch of the pull request whose merge this run checks: a squash merge is a new commit, but not new media. */
async function mergedBranch(
  { queuedPullRequest, event, commit }: RunContext,
  api: GitHubApi,
): Promise<string | undefined> {
  if (queuedPullRequest !== undefined) return (await api.pullRequest(queuedPullRequest)).branch;
  if (event !== 'push') return undefined;
  return (await api.pullRequestsOf(commit)).find(({ isMerged }) => isMerged)?.branch;
}
