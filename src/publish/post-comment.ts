import type { GitHubApi } from '../github/api.ts';
import type { Comment } from '../github/api-schemas.ts';
import type { RunContext } from '../github/context.ts';
import { GitHubError } from '../github/github-error.ts';
import type { Log } from '../github/runner.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { Interruption } from '../lib/cause.ts';
import { messageOf } from '../lib/format.ts';
import type { Report } from '../report/report.ts';
import { renderComment } from '../report/summary.ts';
import { gateId } from '../state/gate-id.ts';

interface CommentOptions {
  readonly inputs: Pick<Inputs, 'comment' | 'name' | 'matrix' | 'dryRun'>;
  readonly context: Pick<RunContext, 'event' | 'pullRequest' | 'workflow' | 'job'>;
  readonly api: GitHubApi;
  readonly log: Log;
}

/**
 * Creates or updates the comment of this gate on the pull request. An existing comment is updated whatever the verdict.
 * If the comment cannot be written, that is a warning and never changes the verdict.
 */
export async function writeComment(report: Report, { inputs, context, api, log }: CommentOptions): Promise<void> {
  const { pullRequest } = context;
  if (inputs.comment === 'never' || !pullRequest) return;
  const { number, headSha } = pullRequest;
  if (number === undefined) {
    log.warning(
      'No comment was written: for a fork, GitHub does not say which pull request a `workflow_run` belongs to. If you want a comment, run the gate on `pull_request_target`.',
    );
    return;
  }
  // A later run recognises the comment by this marker and by the comment's author.
  const marker = `<!-- media-compliance-gate ${gateId({ ...inputs, ...context })} -->`;
  try {
    const own = await findOwn(await api.comments(number), marker, api);
    const isWanted = inputs.comment === 'always' || !report.isPassing;
    if (!own && (!isWanted || inputs.dryRun)) return;
    if ((await api.pullRequest(number)).headSha !== headSha) {
      log.info('The pull request has a newer commit: its comment is left to the run of that commit.');
      return;
    }
    const body = renderComment(report, marker);
    if (own) await api.updateComment(own.id, body);
    else await api.createComment(number, body);
    log.info(`${own ? 'Updated the' : 'Wrote a'} comment on the pull request.`);
  } catch (error) {
    if (!(error instanceof Interruption)) log.warning(`${whyNotWritten(error, context)} The verdict stands.`);
  }
}

/**
 * Anybody can write a comment that begins with our marker, so only a comment by the account of this token counts.
 * GitHub is asked for that account only if a comment has the marker.
 */
async function findOwn(comments: readonly Comment[], marker: string, api: GitHubApi): Promise<Comment | undefined> {
  const marked = comments.filter(({ body }) => body?.startsWith(marker));
  if (marked.length === 0) return undefined;
  const own = await api.ownLogin();
  // The author of an app's comments is `name[bot]`, but the API may call the same app `name`.
  return marked.find(({ user }) => user?.login === `${own}[bot]`) ?? marked.find(({ user }) => user?.login === own);
}

function whyNotWritten(error: unknown, { event, pullRequest }: CommentOptions['context']): string {
  if (!(error instanceof GitHubError)) return `Could not write the comment: ${messageOf(error)}.`;
  if (error.trouble === 'permission' && pullRequest?.isFork && event === 'pull_request') {
    return `${error.message} GitHub gives pull requests from forks a token that cannot write; the summary of the run has the same text.`;
  }
  return `${error.message} ${error.fix}`;
}
