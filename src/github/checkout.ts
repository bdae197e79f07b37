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
 * The `ref` that `actions/checkout` needs under events for which it takes the default branch. Of a pull request that is the
 * merge: only there a change shows in a file that the base branch has moved.
 */
function neededRef({ event, pullRequest }: CheckedRun): string | undefined {
  if (event === 'pull_request_target') return '`ref: refs/pull/${{ github.event.pull_request.number }}/merge`';
  if (event !== 'workflow_run') return undefined;
  if (!pullRequest) return '`ref: ${{ github.event.workflow_run.head_sha }}`';
  return '`ref: refs/pull/NUMBER/merge` (the example `fork-safe-gate.yml` looks the number up)';
}

/**
 * The event must say what it is about, or the waivers of its own author would count. Under some events a plain checkout is
 * the default branch: its media would pass, and those that the event is about would not be checked. So the folder that is
 * searched must be at the event's commit, or at the pull request's merge.
 */
export async function assertHeadCheckedOut(run: CheckedRun, api: Pick<GitHubApi, 'parentsOf'>): Promise<void> {
  if (run.isPayloadIncomplete) {
    const message = `The payload of this \`${run.event}\` event does not say what the event is about, so it is unknown which commits to check and compare.`;
    throw wrongCheckout(message, 'Outside GitHub, start the workflow with the whole payload of the event.');
  }
  const ref = neededRef(run);
  if (ref === undefined) return;
  // Then the commit in the payload is the default branch's, whatever the pull request holds.
  if (run.followedEvent === 'pull_request_target') {
    throw wrongCheckout(
      "This `workflow_run` follows a run of `pull_request_target`, and for that GitHub does not name the pull request's commit.",
      'Run the gate in the `pull_request_target` workflow itself, or let `workflow_run` follow a workflow that runs on `pull_request`.',
    );
  }
  const message = await checkoutProblem(run, api);
  if (message === undefined) return;
  // actions/checkout 7 refuses the head of a fork without it.
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
    // The payload names a merge commit, but after a push that can still be the one of the previous head.
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
 * The commit that is checked out, from Git's own files: running git in a checkout that a pull request wrote is not safe.
 * Undefined if it cannot be read.
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

/** The same for a folder of the checkout: the folders around it are tried as well, up to the workspace. */
export async function readHeadWithin(folder: string, workspace: string): Promise<string | undefined> {
  const head = await readHead(folder);
  const isInside = folder.startsWith(workspace + path.sep);
  return head ?? (isInside ? await readHeadWithin(path.dirname(folder), workspace) : undefined);
}
