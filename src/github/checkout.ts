import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { devNull } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { GateError, rerun, type Step, workflowOwner } from '../causes/cause.ts';
import type { GitHubApi } from './api.ts';
import type { RunContext } from './context.ts';

/** Finds the checkout in the searched folder or, if that has no `.git`, in a folder above it, up to the workspace. */
export async function readCheckout(
  searchRoot: string,
  workspace: string,
): Promise<Pick<RunContext, 'checkoutRoot' | 'head'>> {
  for (let folder = searchRoot; ; folder = path.dirname(folder)) {
    const gitFolder = await findGitFolder(folder);
    if (gitFolder !== undefined) {
      const head = (await readHead(gitFolder)) ?? (await askGit(path.join(folder, '.git')));
      return { checkoutRoot: folder, head };
    }
    if (!folder.startsWith(workspace + path.sep)) return {};
  }
}

/** The folder of Git's data. Undefined if there is no `.git`, or for a submodule: the superproject is the checkout. */
async function findGitFolder(folder: string): Promise<string | undefined> {
  const place = path.join(folder, '.git');
  const stats = await stat(place).catch(() => undefined);
  if (!stats?.isFile()) return stats && place;
  // In a worktree, in a submodule and with a separate Git folder, `.git` is a file that names the folder.
  const [, named = ''] = /^gitdir: (.+)$/m.exec(await readText(place)) ?? [];
  const gitFolder = path.resolve(folder, named);
  const [, superproject] = /^(.*)[\\/]modules[\\/]/.exec(gitFolder) ?? [];
  const isSubmodule = superproject !== undefined && (await readText(path.join(superproject, 'HEAD'))) !== '';
  return isSubmodule ? undefined : gitFolder;
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?(?=\s|$)/;

/** The commit by the files of Git's folder. Undefined if they do not tell it, as in the format `reftable`. */
async function readHead(gitFolder: string): Promise<string | undefined> {
  const head = await readText(path.join(gitFolder, 'HEAD'));
  const ref = /^ref: (refs\/.+)$/m.exec(head)?.[1];
  if (ref === undefined) return COMMIT.exec(head)?.[0];
  // The branches of a worktree are in the folder of the main checkout.
  const common = path.resolve(gitFolder, (await readText(path.join(gitFolder, 'commondir'))).trim());
  const packed = (await readText(path.join(common, 'packed-refs'))).split('\n');
  const loose = await readText(path.join(common, ref));
  return COMMIT.exec(loose || (packed.find((line) => line.endsWith(` ${ref}`)) ?? ''))?.[0];
}

async function readText(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}

/**
 * Asks git for the commit. Undefined if git fails. The command is safe in a folder whose files come from a pull
 * request: it runs no hook and no program of a configuration, and it gets none of the secrets in the environment.
 */
async function askGit(gitPath: string): Promise<string | undefined> {
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
    const command = [`--git-dir=${gitPath}`, ...settings, 'rev-parse', '--verify', 'HEAD'];
    return COMMIT.exec((await promisify(execFile)('git', command, options)).stdout)?.[0];
  } catch {
    return undefined;
  }
}

/** The searched folder in the checkout, with a slash at the end. Empty if it is the top folder or in no checkout. */
export function folderIn({ checkoutRoot, searchRoot }: Pick<RunContext, 'checkoutRoot' | 'searchRoot'>): string {
  const folder = checkoutRoot === undefined ? '' : path.relative(checkoutRoot, searchRoot);
  return folder === '' ? '' : `${folder.replaceAll(path.sep, '/')}/`;
}

type CheckedRun = Pick<RunContext, 'event' | 'isPayloadIncomplete' | 'eventCommit' | 'commit' | 'pullRequest' | 'head'>;

/**
 * The `ref` that `actions/checkout` needs if it checks out the default branch by default; otherwise undefined. For a
 * pull request it is the merge commit: only there, a changed file that the base branch has moved is at its new path.
 */
function neededRef({ event, pullRequest }: CheckedRun): string | undefined {
  if (event === 'pull_request_target') return '`ref: refs/pull/${{ github.event.pull_request.number }}/merge`';
  if (event !== 'workflow_run') return undefined;
  if (!pullRequest) return '`ref: ${{ github.event.workflow_run.head_sha }}`';
  return '`ref: refs/pull/NUMBER/merge` (the example `fork-safe-gate.yml` looks the number up)';
}

/**
 * Throws a `GateError` if other media than those of the event may be checked out. HEAD must be the event's commit or
 * its merge into the base. If `actions/checkout` needs no `ref`, a workflow may choose another HEAD, except the merge
 * of another commit in a pull request. An incomplete payload leaves the base unknown, so an author could waive issues.
 */
export async function assertHeadCheckedOut(run: CheckedRun, api: Pick<GitHubApi, 'parentsOf'>): Promise<void> {
  if (run.isPayloadIncomplete) {
    const message = `The payload of this \`${run.event}\` event does not name the commit to check.`;
    const fix =
      'Outside GitHub, start the workflow with the whole payload of the event. At GitHub, a `workflow_run` must not follow `pull_request_target`: run the gate in the followed workflow itself, or follow one that runs on `pull_request`.';
    throw wrongCheckout(message, workflowOwner(fix));
  }
  const { head, eventCommit: wanted, pullRequest } = run;
  if (head === wanted) return;
  // The payload does not tell what HEAD merges: after a push, its merge commit can still be that of the previous head.
  const parents = head !== undefined && pullRequest ? await api.parentsOf(head) : [];
  const [, merged] = parents.length === 2 ? parents : [];
  if (merged === wanted) return;
  const ref = neededRef(run);
  // If a `ref` is needed, `run.commit` is on the default branch, where it may be the merge of another pull request.
  const isDefaultBranch = ref !== undefined && head === run.commit;
  if (merged !== undefined && !isDefaultBranch) throw wrongCheckout(`${describeHead(run)} ${LATE}`, rerun());
  // Under events that need no `ref`, `actions/checkout` takes the right commit, so the workflow has chosen this HEAD.
  if (ref === undefined) return;
  // Without this option, actions/checkout 7 refuses to check out the head of a fork.
  const unsafe = pullRequest?.isFork ? ' and `allow-unsafe-pr-checkout: true`' : '';
  const fix = `Before this step, run \`actions/checkout\` with ${ref}${unsafe}. If its \`path\` is set, set \`working-directory\` to the same folder. This job has secrets, so run nothing from that checkout: no build, no install, no script.`;
  throw wrongCheckout(describeHead(run), workflowOwner(fix));
}

const LATE =
  'GitHub had not merged the newest commit when the workspace was checked out. If the pull request was pushed to since then, the run of the newer commit counts.';

function describeHead({ head, eventCommit, pullRequest }: CheckedRun): string {
  if (head === undefined) return 'The folder that is searched is not in a Git checkout whose commit can be read.';
  const held = `The workspace holds commit ${head.slice(0, 7)}`;
  const wanted = eventCommit.slice(0, 7);
  return pullRequest
    ? `${held}, which is neither the head of the pull request (${wanted}) nor its merge with the base.`
    : `${held}, which is not the commit of the event (${wanted}).`;
}

function wrongCheckout(message: string, step: Step): GateError {
  return new GateError({ reason: 'checkout', message, steps: [step] });
}

/**
 * The commit that a run checked, and the ref of this commit, for reports and for the metadata of the submission. HEAD
 * decides: under some events, `run.commit` is on the default branch. `ref` is empty if it is unknown.
 */
export function checkedCommit(run: CheckedRun & Pick<RunContext, 'ref'>) {
  const { head, commit, ref, pullRequest: pull } = run;
  if (head === undefined || head === commit) return { commit, isCommitKnown: head !== undefined, ref };
  const side = head === pull?.headSha ? 'head' : neededRef(run) && 'merge';
  return { commit: head, isCommitKnown: true, ref: pull?.number && side ? `refs/pull/${pull.number}/${side}` : '' };
}

/** Whether `upload-sarif` files results under HEAD. Otherwise it would open and close the alerts of another commit. */
export function isScannedCommit({ event, head, commit, pullRequest }: CheckedRun): boolean {
  return head === commit || (event === 'pull_request' && head !== undefined && head === pullRequest?.headSha);
}
