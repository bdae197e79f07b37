import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { GitHubApi } from '../github/api.ts';
import type { PullRequest, RunContext } from '../github/context.ts';
import { GitHubError } from '../github/github-error.ts';
import { GateError } from '../lib/cause.ts';
import type { Discovery } from './discover.ts';

type Run = Pick<RunContext, 'event' | 'followedEvent' | 'pullRequest'> & { readonly searchRoot: string };
type Commits = Pick<GitHubApi, 'parentsOf'>;

/** The `ref` that `actions/checkout` needs under events for which it takes the default branch. */
const HEAD_REF: Readonly<Record<string, string>> = {
  pull_request_target: '${{ github.event.pull_request.head.sha }}',
  workflow_run: '${{ github.event.workflow_run.head_sha }}',
};

/**
 * Under these events a plain checkout is the default branch. Its media would pass, and those of the pull request would
 * not be checked. So the files must come from the pull request's head or its merge commit.
 */
export async function assertHeadCheckedOut(discovery: Discovery, run: Run, commits: Commits): Promise<void> {
  const { event, followedEvent, pullRequest, searchRoot } = run;
  const ref = HEAD_REF[event];
  if (ref === undefined || (event === 'workflow_run' && !pullRequest)) return;
  if (event === 'workflow_run' && followedEvent === 'pull_request_target') throw commitNotKnown();
  const fix = checkoutAdvice(ref, pullRequest?.isFork ?? true);
  const fail = (message: string, file?: string): GateError =>
    new GateError({ reason: 'checkout', message, fix, ...(file !== undefined && { path: file }) });
  if (!pullRequest) throw fail('The event does not name the pull request that is to be checked.');

  if (discovery.files.length === 0) {
    const problem = await problemOfAllCheckouts(searchRoot, pullRequest, commits);
    if (problem !== undefined) throw fail(problem);
    return;
  }
  const checkouts = new Map<string, Checkout>();
  const findCheckout = createCheckoutFinder(searchRoot);
  for (const file of discovery.files) {
    const checkout = await findCheckout(path.posix.dirname(file.path));
    if (!checkout) throw fail('The file is not in a Git checkout, so its commit is unknown.', file.path);
    checkouts.set(checkout.folder, checkout);
  }
  for (const checkout of checkouts.values()) {
    const problem = await checkoutProblem(checkout, pullRequest, commits);
    if (problem !== undefined) throw fail(problem);
  }
}

function checkoutAdvice(ref: string, isFork: boolean): string {
  // actions/checkout 7 refuses the head of a fork without it.
  const unsafe = isFork ? ' and `allow-unsafe-pr-checkout: true`' : '';
  return `Before this step, check out the pull request: \`actions/checkout\` with \`ref: ${ref}\`${unsafe}. This job has secrets, so run nothing from that checkout: no build, no install, no script.`;
}

/** After `pull_request_target`, the commit in the payload is the default branch's, whatever the pull request holds. */
function commitNotKnown(): GateError {
  return new GateError({
    reason: 'checkout',
    message:
      "This `workflow_run` follows a run of `pull_request_target`, and for that GitHub does not name the pull request's commit.",
    fix: 'Run the gate in the `pull_request_target` workflow itself, or let `workflow_run` follow a workflow that runs on `pull_request`.',
  });
}

/** Without a matching file, one of the checkouts must be the pull request: otherwise nothing of it was searched. */
async function problemOfAllCheckouts(
  searchRoot: string,
  pullRequest: PullRequest,
  commits: Commits,
): Promise<string | undefined> {
  const folders = await readdir(searchRoot, { withFileTypes: true });
  // `path` of actions/checkout is often one folder down.
  const places = [
    searchRoot,
    ...folders.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(searchRoot, name)),
  ];
  const problems: string[] = [];
  for (const place of places) {
    const checkout = await checkoutAt(place);
    if (!checkout) continue;
    const problem = await checkoutProblem(checkout, pullRequest, commits);
    if (problem === undefined) return undefined;
    problems.push(problem);
  }
  return problems[0] ?? 'There is no Git checkout in the workspace, so its commit is unknown.';
}

/** Finds the checkout that a folder belongs to, and looks at each folder once. */
function createCheckoutFinder(searchRoot: string): (folder: string) => Promise<Checkout | undefined> {
  const known = new Map<string, Promise<Checkout | undefined>>();
  const look = async (folder: string): Promise<Checkout | undefined> =>
    (await checkoutAt(path.join(searchRoot, folder))) ??
    (folder === '.' ? undefined : await find(path.posix.dirname(folder)));
  const find = async (folder: string): Promise<Checkout | undefined> => {
    const found = known.get(folder) ?? look(folder);
    known.set(folder, found);
    return await found;
  };
  return find;
}

/** Undefined if the checkout is at the head of the pull request or at its merge with the base. */
async function checkoutProblem(
  checkout: Checkout,
  { headSha }: PullRequest,
  commits: Commits,
): Promise<string | undefined> {
  const head = await headOf(checkout);
  if (head === undefined) return 'The commit that is checked out cannot be read from the Git files in the workspace.';
  if (head === headSha) return undefined;
  const wrong = `The workspace holds commit ${head.slice(0, 7)}, which is neither the head of the pull request (${headSha.slice(0, 7)}) nor its merge with the base`;
  try {
    // The payload names a merge commit, but after a push that can still be the one of the previous head.
    const [, merged, ...more] = await commits.parentsOf(head);
    return merged === headSha && more.length === 0 ? undefined : `${wrong}.`;
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return error.trouble === 'not-found'
      ? `${wrong}.`
      : `The workspace holds commit ${head.slice(0, 7)}, and it is not known whether that is the merge of the pull request. ${error.message}`;
  }
}

/**
 * Reads the commit of a checkout from Git's own files. The git program may be missing, and in a container job it refuses
 * a folder that belongs to another user.
 */

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** A folder that Git has checked something out into. */
interface Checkout {
  readonly folder: string;
  /** Where its HEAD is kept. */
  readonly gitDirectory: string;
}

/** Undefined if this folder is not a checkout, or is a submodule, which belongs to the checkout around it. */
export async function checkoutAt(folder: string): Promise<Checkout | undefined> {
  const dotGit = path.join(folder, '.git');
  const found = await stat(dotGit).catch(() => undefined);
  if (!found) return undefined;
  if (found.isDirectory()) return { folder, gitDirectory: dotGit };
  // A worktree or a submodule has a file that says where its Git directory is.
  const target = /^gitdir: (.+)$/m.exec(await readTextOrEmpty(dotGit))?.[1]?.trim();
  const isWorktree = /[\\/]worktrees[\\/][^\\/]+$/.test(target ?? '');
  if (target === undefined || (!isWorktree && /[\\/]modules[\\/]/.test(target))) return undefined;
  return { folder, gitDirectory: path.resolve(folder, target) };
}

/** The commit that is checked out, if it can be read. */
export async function headOf({ gitDirectory }: Checkout): Promise<string | undefined> {
  const head = (await readTextOrEmpty(path.join(gitDirectory, 'HEAD'))).trim();
  if (COMMIT.test(head)) return head;
  const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
  if (ref === undefined) return undefined;
  // A worktree has its branches in the repository that it belongs to.
  const shared = (await readTextOrEmpty(path.join(gitDirectory, 'commondir'))).trim();
  const home = shared === '' ? gitDirectory : path.resolve(gitDirectory, shared);
  const loose = (await readTextOrEmpty(path.join(home, ref))).trim();
  if (COMMIT.test(loose)) return loose;
  const packed = await readTextOrEmpty(path.join(home, 'packed-refs'));
  return packed
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(' ')[0];
}

/** Empty if there is no such file. */
async function readTextOrEmpty(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch(() => '');
}
