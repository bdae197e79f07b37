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
  readonly context: Pick<RunContext, 'event' | 'pullRequest' | 'baseBranch' | 'workflow' | 'job'>;
  readonly api: GitHubApi;
  readonly log: Log;
}

/**
 * Creates the comment of this gate on the pull request, or updates it whatever the verdict. Two first runs at once may
 * have created two comments: all are updated, because none of them may be out of date. If the comment cannot be
 * written, that is a warning and never changes the verdict.
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
    const { items, isCut } = await api.comments(number);
    const own = await findOwn(items, marker, api);
    const isWanted = inputs.comment === 'always' || !report.isPassing || isUnchecked(report);
    if (own.length === 0 && (!isWanted || inputs.dryRun)) return;
    if (own.length === 0 && isCut) {
      log.warning(
        `No comment was written: the pull request has more comments than the ${items.length} that were read, so an earlier comment of this gate may be among the others.`,
      );
      return;
    }
    const now = await api.pullRequest(number);
    if (now.headSha !== headSha) {
      log.info('The pull request has a newer commit: its comment is left to the run of that commit.');
      return;
    }
    if (now.baseBranch !== context.baseBranch && report.verdict === 'pass') {
      log.info('The pull request has another base branch now: its comment is left to the next run.');
      return;
    }
    const body = renderComment(report, marker);
    for (const { id } of own) await api.updateComment(id, body);
    if (own.length === 0) await api.createComment(number, body);
    log.info(`${own.length > 0 ? 'Updated the' : 'Wrote a'} comment on the pull request.`);
  } catch (error) {
    if (error instanceof Interruption) return;
    const isReadOnly = error instanceof GitHubError && error.trouble === 'permission' && isForkRun(context);
    if (isReadOnly) log.info(`${error.message} ${READ_ONLY}`);
    else log.warning(`${whyNotWritten(error)} The verdict stands.`);
  }
}

/** Whether the check passes although files were not checked: an outage is forgiven, or there is no API key. */
function isUnchecked({ verdict, reason }: Report): boolean {
  return verdict === 'error' || reason === 'no-key';
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
  const { bot, user } = Object.groupBy(marked, ({ user: author }) => {
    if (author?.login === `${own}[bot]`) return 'bot';
    return author?.login === own ? 'user' : 'other';
  });
  return bot ?? user ?? [];
}

const READ_ONLY =
  'GitHub gives pull requests from forks a token that cannot write; the summary of the run has the same text.';

function isForkRun({ event, pullRequest }: CommentOptions['context']): boolean {
  return event === 'pull_request' && pullRequest?.isFork === true;
}

function whyNotWritten(error: unknown): string {
  if (!(error instanceof GitHubError)) return `Could not write the comment: ${messageOf(error)}.`;
  return `${error.message} ${error.fix}`;
}
