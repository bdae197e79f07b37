import type { GitHubApi } from '../github/api.ts';
import type { Comment } from '../github/api-schemas.ts';
import type { RunContext } from '../github/context.ts';
import { GitHubError } from '../github/github-error.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { Interruption } from '../lib/interruption.ts';
import type { Log } from '../lib/log.ts';
import { markerLine, renderComment } from '../report/comment.ts';
import type { Report } from '../report/report.ts';
import { gateId } from '../state/gate-id.ts';

type CommentApi = Pick<GitHubApi, 'comments' | 'createComment' | 'updateComment' | 'ownLogin' | 'pullRequest'>;
type CommentInputs = Pick<Inputs, 'comment' | 'name' | 'matrix' | 'dryRun'>;
type CommentPlace = Pick<RunContext, 'event' | 'pullRequest' | 'workflow' | 'job' | 'step'>;

/** Creating is not repeated blindly: before the second try, the first one is looked for. */
const TRIES = 2;

/** Keeps the one comment of this gate up to date. What goes wrong is a warning: it never changes the verdict. */
export async function writeComment(
  report: Report,
  inputs: CommentInputs,
  place: CommentPlace,
  api: CommentApi,
  log: Log,
): Promise<void> {
  const { pullRequest } = place;
  if (inputs.comment === 'never' || inputs.dryRun || !pullRequest) return;
  if (pullRequest.number === undefined) {
    log.warning(
      'No comment was written: GitHub does not tell a `workflow_run` which pull request of a fork it follows. Run the gate on `pull_request_target` if you want one.',
    );
    return;
  }
  const marker = `media-compliance-gate ${gateId({ ...inputs, ...place })}`;
  const body = renderComment(report, marker);
  const target = { number: pullRequest.number, headSha: pullRequest.headSha, marker, body };
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await keepUpToDate(target, inputs.comment, report.green, api, log);
        return;
      } catch (error) {
        const isWorthAnother = error instanceof GitHubError && error.trouble === 'unavailable' && attempt < TRIES;
        if (!isWorthAnother) throw error;
      }
    }
  } catch (error) {
    if (!(error instanceof Interruption)) log.warning(`${inWords(error, place)} The verdict stands.`);
  }
}

interface Target {
  readonly number: number;
  readonly headSha: string;
  readonly marker: string;
  readonly body: string;
}

async function keepUpToDate(
  { number, headSha, marker, body }: Target,
  mode: 'on-failure' | 'always',
  isGreen: boolean,
  api: CommentApi,
  log: Log,
): Promise<void> {
  const existing = await findOwn(await api.comments(number), marker, async () => await api.ownLogin());
  if (!existing && mode === 'on-failure' && isGreen) return;
  const newest = await api.pullRequest(number);
  if (newest.headSha !== headSha) {
    log.info('The pull request has been pushed to since: its comment is left to the run of the newest commit.');
    return;
  }
  if (existing) await api.updateComment(existing.id, body);
  else await api.createComment(number, body);
  log.info(existing ? 'Updated the comment on the pull request.' : 'Wrote a comment on the pull request.');
}

/**
 * Anybody can write a comment that begins with our marker; only one that this token wrote is ours. Who that is, is asked
 * only where there is a comment to choose.
 */
async function findOwn(
  comments: readonly Comment[],
  marker: string,
  ownLogin: () => Promise<string>,
): Promise<Comment | undefined> {
  const marked = comments.filter(({ body }) => body?.trimStart().startsWith(markerLine(marker)));
  if (marked.length === 0) return undefined;
  const own = await ownLogin();
  return marked.find(({ user }) => user?.login === own);
}

function inWords(error: unknown, { event, pullRequest }: CommentPlace): string {
  if (!(error instanceof GitHubError)) {
    return `Could not write the comment: ${error instanceof Error ? error.message : String(error)}.`;
  }
  if (error.trouble === 'permission' && pullRequest?.isFork && event === 'pull_request') {
    return `${error.message} GitHub gives pull requests from forks a token that cannot write; the summary of the run tells the same.`;
  }
  return `${error.message} ${error.fix}`;
}
