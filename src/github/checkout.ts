import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { GateError, workflowOwner } from '../lib/cause.ts';
import type { GitHubApi } from './api.ts';
import type { RunContext } from './context.ts';
import { GitHubError } from './github-error.ts';

type CheckedRun = Pick<
  RunContext,
  'event' | 'isPayloadIncomplete' | 'followedEvent' | 'eventCommit' | 'pullRequest'
> & {
  readonly searchRoot: string;
};

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
 * checks out the default branch: its media would pass, and the media of the pull request would not be checked. So the
 * searched folder must be at the event's commit, or at the merge commit of the pull request. The payload must be
 * complete, because without a known base the author of a pull request could waive issues.
 */
export async function assertHeadCheckedOut(run: CheckedRun, api: Pick<GitHubApi, 'parentsOf'>): Promise<void> {
  if (run.isPayloadIncomplete) {
    const message = `The payload of this \`${run.event}\` event does not say what the event is about, so it is unknown which commits to check and compare.`;
    throw wrongCheckout(message, 'Outside GitHub, start the workflow with the whole payload of the event.');
  }
  const ref = neededRef(run);
  if (ref === undefined) return;
  // After a run of `pull_request_target`, the commit in the payload is the default branch's, not the pull request's.
  if (run.followedEvent === 'pull_request_target') {
    throw wrongCheckout(
      "This `workflow_run` follows a run of `pull_request_target`, and for that GitHub does not name the pull request's commit.",
      'Run the gate in the `pull_request_target` workflow itself, or let `workflow_run` follow a workflow that runs on `pull_request`.',
    );
  }
  const message = await checkoutProblem(run, api);
  if (message === undefined) return;
  // Without this option, actions/checkout 7 refuses to check out the head of a fork.
  const unsafe = run.pullRequest?.isFork ? ' and `allow-unsafe-pr-checkout: true`' : '';
  throw wrongCheckout(
    message,
    `Before this step, run \`actions/checkout\` with ${ref}${unsafe}. If its \`path\` is set, set \`working-directory\` to the same folder. This job has secrets, so run nothing from that checkout: no build, no install, no script.`,
  );
}

function wrongCheckout(message: string, fix: string): GateError {
  return new GateError({ reason: 'checkout', message, steps: [workflowOwner(fix)] });
}

async function checkoutProblem(
  { eventCommit: wanted, pullRequest, searchRoot }: CheckedRun,
  api: Pick<GitHubApi, 'parentsOf'>,
): Promise<string | undefined> {
  const head = await readHead(searchRoot);
  if (head === undefined)
    return 'The folder that is searched is not the root of a Git checkout whose commit can be read.';
  if (head === wanted) return undefined;
  const held = `The workspace holds commit ${head.slice(0, 7)}`;
  if (!pullRequest) return `${held}, and the event is about ${wanted.slice(0, 7)}.`;
  try {
    // Read the parents: after a push, the merge commit in the payload can still be the merge of the previous head.
    const [, merged, ...more] = await api.parentsOf(head);
    if (merged === wanted && more.length === 0) return undefined;
    return `${held}, which is neither the head of the pull request (${wanted.slice(0, 7)}) nor its merge with the base.`;
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return `${held}, and GitHub does not say whether that is the merge of the pull request. ${error.message}`;
  }
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?(?=\s|$)/;

/**
 * The commit that is checked out; undefined if it cannot be read. It is read from the files in `.git`: running git in a
 * folder whose files come from a pull request is not safe.
 */
async function readHead(folder: string): Promise<string | undefined> {
  const read = async (file: string): Promise<string> =>
    await readFile(path.join(folder, '.git', file), 'utf8').catch(() => '');
  const head = await read('HEAD');
  const ref = /^ref: (refs\/.+)$/m.exec(head)?.[1];
  if (ref === undefined) return COMMIT.exec(head)?.[0];
  const packed = (await read('packed-refs')).split('\n').find((line) => line.endsWith(` ${ref}`));
  return COMMIT.exec((await read(ref)) || (packed ?? ''))?.[0];
}

/** The commit that is checked out in a folder or, if it has no `.git`, in a folder above it, up to the workspace. */
export async function readHeadWithin(folder: string, workspace: string): Promise<string | undefined> {
  const head = await readHead(folder);
  const isInside = folder.startsWith(workspace + path.sep);
  return head ?? (isInside ? await readHeadWithin(path.dirname(folder), workspace) : undefined);
}
