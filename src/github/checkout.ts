import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { GateError, rerun, type Step, workflowOwner } from '../causes/cause.ts';
import { relativeTo } from '../lib/file-system.ts';
import type { GitHubApi } from './api.ts';
import type { RunContext } from './context.ts';

/** Finds the nearest `.git/HEAD`, in the searched folder or in a folder above it, up to the workspace. */
export async function readCheckout(
  searchRoot: string,
  workspace: string,
): Promise<Pick<RunContext, 'checkoutRoot' | 'head'>> {
  for (let folder = searchRoot; ; folder = path.dirname(folder)) {
    const gitFolder = path.join(folder, '.git');
    const text = await readFile(path.join(gitFolder, 'HEAD'), 'utf8').catch(() => undefined);
    if (text !== undefined) return { checkoutRoot: folder, head: COMMIT.exec(text)?.[0] ?? (await askGit(gitFolder)) };
    if (!folder.startsWith(workspace + path.sep)) return {};
  }
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?(?=\s|$)/;

/**
 * Asks git for the commit. Undefined if git fails. The command is safe in a folder whose files come from a pull
 * request: it runs no hook and no program of a configuration, and it gets none of the secrets in the environment.
 */
async function askGit(gitFolder: string): Promise<string | undefined> {
  const settings = ['-c', `core.hooksPath=${devNull}`, '-c', 'core.fsmonitor=false'];
  const { PATH, SYSTEMROOT } = process.env;
  const options = {
    env: { PATH, SYSTEMROOT, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull },
    // Windows looks for a program in the current folder first, and the workspace could have a `git.exe`.
    cwd: path.dirname(process.execPath),
    timeout: 5_000,
    killSignal: 'SIGKILL',
  } as const;
  try {
    const command = [`--git-dir=${gitFolder}`, ...settings, 'rev-parse', '--verify', 'HEAD'];
    return COMMIT.exec((await promisify(execFile)('git', command, options)).stdout)?.[0];
  } catch {
    return undefined;
  }
}

/** The searched folder in the checkout, or in the workspace, with a slash at the end. Empty if it is the top folder. */
export function folderIn(place: Pick<RunContext, 'checkoutRoot' | 'searchRoot' | 'workspace'>): string {
  const folder = relativeTo(place.checkoutRoot ?? place.workspace, place.searchRoot);
  return folder ? `${folder}/` : '';
}

type CheckedRun = Pick<RunContext, 'event' | 'isPayloadIncomplete' | 'eventCommit' | 'commit' | 'pullRequest' | 'head'>;

/**
 * Throws a `GateError` if other media than those of the event may be checked out. HEAD must be the commit of the event,
 * or a commit that has it as its second parent, as GitHub's merge of a pull request does. An unknown HEAD is refused
 * where `actions/checkout` takes the default branch unless a `ref` says otherwise, and the code may be a fork's.
 */
export async function assertHeadCheckedOut(run: CheckedRun, api: Pick<GitHubApi, 'parentsOf'>): Promise<void> {
  const { event, head, eventCommit, isPayloadIncomplete } = run;
  if (isPayloadIncomplete) {
    const message = `The payload of this \`${event}\` event does not name the commits and repositories of its head and base.`;
    throw wrongCheckout(message, event === 'workflow_run' ? AFTER_TARGET : INCOMPLETE);
  }
  const mayBeOfFork = event === 'pull_request_target' || event === 'workflow_run';
  const isChecked = mayBeOfFork || event === 'merge_group' || event.startsWith('pull_request');
  if (!isChecked || head === eventCommit || (head === undefined && !mayBeOfFork)) return;
  const [, merged] = head === undefined ? [] : await api.parentsOf(head);
  if (merged === eventCommit) return;
  const wanted = `the commit of the event (${eventCommit.slice(0, 7)})`;
  const message =
    head === undefined
      ? `The folder that is searched is in no Git checkout whose commit can be read, so it may not hold ${wanted}.`
      : `The workspace holds commit ${head.slice(0, 7)}, which is neither ${wanted} nor its merge into the base.`;
  const late = rerun('If `ref` is right, GitHub still had the merge of an earlier push: re-run this job.');
  throw wrongCheckout(message, workflowOwner(checkoutFix(run)), late);
}

function checkoutFix({ event, pullRequest }: CheckedRun): string {
  const folder = 'If its `path` is set, set `working-directory` to the same folder.';
  if (event !== 'pull_request_target' && event !== 'workflow_run')
    return `Before this step, run \`actions/checkout\` without \`ref\`. ${folder}`;
  const number = event === 'workflow_run' ? 'NUMBER' : '${{ github.event.pull_request.number }}';
  const ref = pullRequest ? `refs/pull/${number}/merge` : '${{ github.event.workflow_run.head_sha }}';
  const example = pullRequest && event === 'workflow_run' ? ' (`fork-safe-gate.yml` looks the number up)' : '';
  // Without this option, actions/checkout 7 refuses to check out the head of a fork.
  const unsafe = pullRequest?.isFork ? ' and `allow-unsafe-pr-checkout: true`' : '';
  return `Before this step, run \`actions/checkout\` with \`ref: ${ref}\`${example}${unsafe}. ${folder} This job has secrets, so run nothing from that checkout: no build, no install, no script.`;
}

const INCOMPLETE = workflowOwner('Start the workflow with the whole payload of the event, as GitHub sends it.');
const AFTER_TARGET = workflowOwner(
  'A `workflow_run` must not follow `pull_request_target`: run the gate in the followed workflow itself, or follow one that runs on `pull_request`.',
);

function wrongCheckout(message: string, ...steps: readonly Step[]): GateError {
  return new GateError({ reason: 'checkout', message, steps });
}

/** The commit that a run checked, and its ref, which is empty if the workflow has checked out another commit. */
export function checkedCommit({ head, commit, ref }: Pick<RunContext, 'head' | 'commit' | 'ref'>) {
  return head === undefined || head === commit ? { commit, ref } : { commit: head, ref: '' };
}

/** Whether `upload-sarif` files results under HEAD. Otherwise it would open and close the alerts of another commit. */
export function isScannedCommit({ event, head, commit, eventCommit }: CheckedRun): boolean {
  return head === commit || (event === 'pull_request' && head === eventCommit);
}
