import { GateError, rerun, type Step, workflowOwner } from '../lib/cause.ts';
import type { GitHubApi } from './api.ts';
import type { RunContext } from './context.ts';
import { GitHubError } from './github-error.ts';
import type { Checkout } from './read-checkout.ts';

type CheckedRun = Pick<
  RunContext,
  'event' | 'isPayloadIncomplete' | 'followedEvent' | 'eventCommit' | 'commit' | 'pullRequest'
> &
  Pick<Checkout, 'head'>;

/**
 * The `ref` that `actions/checkout` needs under events for which it checks out the default branch; undefined under
 * other events. For a pull request it is the merge commit: if the base branch has moved a file that the pull request
 * changes, only the merge commit has the change at the new path.
 */
function neededRef({ event, pullRequest }: CheckedRun): string | undefined {
  if (event === 'pull_request_target') return '`ref: refs/pull/${{ github.event.pull_request.number }}/merge`';
  if (event !== 'workflow_run') return undefined;
  if (!pullRequest) return '`ref: ${{ github.event.workflow_run.head_sha }}`';
  return '`ref: refs/pull/NUMBER/merge` (the example `fork-safe-gate.yml` looks the number up)';
}

/**
 * Throws a `GateError` if the wrong commit may be checked out. Under some events, `actions/checkout` without a `ref`
 * checks out the default branch: its media would pass, and the media of the pull request would not be checked. So HEAD
 * must be the event's commit, or the merge commit of the pull request. Under `pull_request`, HEAD must not be the merge
 * of another commit. The payload must be complete, because without a known base the author of a pull request could
 * waive issues.
 */
export async function assertHeadCheckedOut(run: CheckedRun, api: Pick<GitHubApi, 'parentsOf'>): Promise<void> {
  if (run.isPayloadIncomplete) {
    const message = `The payload of this \`${run.event}\` event does not say what the event is about, so it is unknown which commits to check and compare.`;
    const fix = 'Outside GitHub, start the workflow with the whole payload of the event.';
    throw wrongCheckout(message, workflowOwner(fix));
  }
  // After a run of `pull_request_target`, the commit in the payload is the default branch's, not the pull request's.
  if (run.followedEvent === 'pull_request_target') {
    throw wrongCheckout(
      "This `workflow_run` follows a run of `pull_request_target`, and for that GitHub does not name the pull request's commit.",
      workflowOwner(
        'Run the gate in the `pull_request_target` workflow itself, or let `workflow_run` follow a workflow that runs on `pull_request`.',
      ),
    );
  }
  const { head, eventCommit: wanted, pullRequest } = run;
  if (head === wanted) return;
  const ref = neededRef(run);
  const found = head !== undefined && pullRequest ? await mergedBy(head, api) : undefined;
  if (found === wanted) return;
  // The commit of a run that needs a `ref` is the default branch's, which may be the merge of another pull request.
  const isLate = typeof found === 'string' && (ref === undefined || head !== run.commit);
  if (isLate) throw wrongCheckout(`${describeHead(run, found)} ${LATE}`, rerun());
  if (ref === undefined) return;
  // Without this option, actions/checkout 7 refuses to check out the head of a fork.
  const unsafe = pullRequest?.isFork ? ' and `allow-unsafe-pr-checkout: true`' : '';
  const fix = `Before this step, run \`actions/checkout\` with ${ref}${unsafe}. If its \`path\` is set, set \`working-directory\` to the same folder. This job has secrets, so run nothing from that checkout: no build, no install, no script.`;
  throw wrongCheckout(describeHead(run, found), workflowOwner(fix));
}

const LATE =
  'GitHub had not merged the newest commit when the workspace was checked out. If the pull request was pushed to since then, the run of the newer commit counts.';

function describeHead({ head, eventCommit, pullRequest }: CheckedRun, found: Awaited<ReturnType<typeof mergedBy>>) {
  if (head === undefined) return 'The folder that is searched is not in a Git checkout whose commit can be read.';
  const held = `The workspace holds commit ${head.slice(0, 7)}`;
  const wanted = eventCommit.slice(0, 7);
  if (!pullRequest) return `${held}, and the event is about ${wanted}.`;
  return found instanceof GitHubError
    ? `${held}, and GitHub does not say whether that is the merge of the pull request. ${found.message}`
    : `${held}, which is neither the head of the pull request (${wanted}) nor its merge with the base.`;
}

/**
 * The commit that a merge adds to its first parent. Undefined if the commit is no merge of two commits. The commit in
 * the payload does not tell: after a push, it can still be the merge of the previous head.
 *
 * @returns the error if GitHub does not know the commit or refuses to show it; an outage is thrown
 */
async function mergedBy(commit: string, api: Pick<GitHubApi, 'parentsOf'>): Promise<string | GitHubError | undefined> {
  try {
    const [, merged, ...more] = await api.parentsOf(commit);
    return more.length === 0 ? merged : undefined;
  } catch (error) {
    if (error instanceof GitHubError && !error.isOutage) return error;
    throw error;
  }
}

function wrongCheckout(message: string, step: Step): GateError {
  return new GateError({ reason: 'checkout', message, steps: [step] });
}

/** A warning if the run may seem to be about a pull request, and checks the default branch. */
export function describeOtherSubject(
  run: Pick<CheckedRun, 'head' | 'commit'> & Pick<RunContext, 'branch' | 'commentedPullRequest'>,
): string | undefined {
  const { head, commit, branch, commentedPullRequest: number } = run;
  if (number === undefined || (head !== undefined && head !== commit)) return undefined;
  return `This run is about ${branch}, not about pull request ${number}: \`issue_comment\` starts a workflow on the default branch. To check the pull request, run the gate on \`pull_request\`.`;
}

/** The commit and ref that a run checked, for its reports and the metadata of its submission. */
export interface CheckedCommit {
  /** The commit that is checked out. If that is unknown, the commit of the run. */
  readonly commit: string;
  readonly isCommitKnown: boolean;
  /** Empty if the ref of the commit is unknown. */
  readonly ref: string;
}

/** Under some events, the commit and ref of the run are those of the default branch, not of what was checked. */
export function checkedCommit(run: CheckedRun & Pick<RunContext, 'ref'>): CheckedCommit {
  const { head, commit, ref } = run;
  if (head === undefined || head === commit) return { commit, isCommitKnown: head !== undefined, ref };
  return { commit: head, isCommitKnown: true, ref: pullRef(run) ?? '' };
}

/** The ref of the pull request, if HEAD is the head of the pull request or must be its merge commit. */
function pullRef(run: CheckedRun): string | undefined {
  const { head, pullRequest } = run;
  if (pullRequest?.number === undefined) return undefined;
  if (head === pullRequest.headSha) return `refs/pull/${pullRequest.number}/head`;
  return neededRef(run) && `refs/pull/${pullRequest.number}/merge`;
}

/**
 * Whether code scanning would file the results under the commit that was checked: `upload-sarif` names the commit of the
 * run, or the head of a pull request. Alerts of another commit would open and close.
 */
export function isScannedCommit({ event, head, commit, pullRequest }: CheckedRun): boolean {
  return head === commit || (event === 'pull_request' && head !== undefined && head === pullRequest?.headSha);
}
