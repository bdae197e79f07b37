import { Interruption } from '../causes/cause.ts';
import type { Comment, GitHubApi } from '../github/api.ts';
import { GitHubError } from '../github/connect.ts';
import type { RunContext } from '../github/context.ts';
import type { Log } from '../github/runner.ts';
import type { Inputs } from '../inputs/parse.ts';
import { messageOf } from '../lib/format.ts';
import type { Report } from '../report/report.ts';
import { renderComment } from '../report/summary.ts';
import { gateId } from '../state/gate-id.ts';

interface CommentOptions {
  readonly inputs: Pick<Inputs, 'comment' | 'name' | 'matrix' | 'dryRun'>;
  readonly context: Pick<RunContext, 'event' | 'eventCommit' | 'pullRequest' | 'baseBranch' | 'workflow' | 'job'>;
  readonly api: GitHubApi;
  readonly log: Log;
}

/** Writes the gate's comment on the pull request. If that fails, logs a warning (for a fork, a note): the verdict stays. */
export async function writeComment(report: Report, options: CommentOptions): Promise<void> {
  const { inputs, context, log } = options;
  const { pullRequest } = context;
  if (inputs.comment === 'never' || !pullRequest) return;
  try {
    await syncComment(report, pullRequest, options);
  } catch (error) {
    if (error instanceof Interruption) return;
    const isFork = context.event === 'pull_request' && pullRequest.isFork;
    if (isFork) log.info(`${messageOf(error)} GitHub gives pull requests from forks a token that cannot write.`);
    else if (error instanceof GitHubError) log.warning(`${error.message} ${error.fix} The verdict stands.`);
    else log.warning(`Could not write the comment: ${messageOf(error)}. The verdict stands.`);
  }
}

/**
 * Creates the comment if it is wanted, and updates an existing one even if it is not. Does neither if a newer commit
 * was pushed, or for a pass against another base branch. If two runs at the same time have each created a comment,
 * updates both, so that no outdated comment remains.
 */
async function syncComment(
  report: Report,
  { number }: NonNullable<RunContext['pullRequest']>,
  { inputs, context, api }: CommentOptions,
): Promise<void> {
  if (number === undefined)
    throw new Error(
      'for a fork, GitHub does not say which pull request a `workflow_run` belongs to. If you want a comment, run the gate on `pull_request_target`',
    );
  // A later run recognises the comment by this marker and by the comment's author.
  const marker = `<!-- media-compliance-gate ${gateId({ ...inputs, ...context })} -->`;
  const { items } = await api.comments(number);
  const own = await findOwn(items, marker, api);
  // An outage that is forgiven, or a missing key, lets the check pass although files were not checked.
  const isUnchecked = report.verdict === 'error' || report.reason === 'no-key';
  const isWanted = inputs.comment === 'always' || !report.isPassing || isUnchecked;
  if (own.length === 0 && (!isWanted || inputs.dryRun)) return;
  const now = await api.pullRequest(number);
  const isOutdated = now.headSha !== context.eventCommit;
  // A pass against another base branch may have left files out.
  if (isOutdated || (report.verdict === 'pass' && now.baseBranch !== context.baseBranch)) return;
  const body = renderComment(report, marker);
  for (const { id } of own) await api.updateComment(id, body);
  if (own.length === 0) await api.createComment(number, body);
}

/**
 * Anybody can write a comment that begins with our marker, so only a comment by the account of this token counts.
 * GitHub is asked for that account only if a comment has the marker.
 */
async function findOwn(comments: readonly Comment[], marker: string, api: GitHubApi): Promise<readonly Comment[]> {
  const marked = comments.filter(({ body }) => body?.startsWith(marker));
  if (marked.length === 0) return [];
  const own = await api.tokenLogin();
  // The author of an app's comments is `name[bot]`, but the API may call the same app `name`.
  const byBot = marked.filter(({ user }) => user?.login === `${own}[bot]`);
  return byBot.length > 0 ? byBot : marked.filter(({ user }) => user?.login === own);
}
