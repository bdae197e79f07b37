import type { GitHubApi } from './api.ts';
import type { RunContext } from './context.ts';
import { GitHubError } from './github-error.ts';

/** Why the waivers and the baseline of the event's base do not count, as a clause, and what to do about it. */
export interface BaseChange {
  readonly why: string;
  readonly fix: string;
}

/**
 * Compares the base branch of the pull request with that of the event. A re-run has the payload of the first run, so an
 * author could choose the base whose waivers apply, and change the base before the merge.
 */
export async function findBaseChange(
  { pullRequest, baseBranch }: Pick<RunContext, 'pullRequest' | 'baseBranch'>,
  api: Pick<GitHubApi, 'pullRequest'>,
): Promise<{ readonly baseChange?: BaseChange; readonly notice?: string }> {
  if (pullRequest?.number === undefined) return {};
  try {
    const { baseBranch: now } = await api.pullRequest(pullRequest.number);
    if (now === baseBranch) return {};
    const why = `the base branch of the pull request was changed from ${baseBranch} to ${now} after this run was started`;
    const fix = 'A re-run keeps the old base. Push a commit, or close and reopen the pull request.';
    return { baseChange: { why, fix } };
  } catch (error) {
    if (!(error instanceof GitHubError) || error.isOutage) throw error;
    const notice = `It is unknown whether the base branch is still ${baseBranch}. ${error.message} ${error.fix}`;
    return { notice };
  }
}
