import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { type Cause, forOwner, GateError, Interruption, type Problem } from '../causes/cause.ts';
import { plural } from '../lib/format.ts';
import type { Discovery } from '../media/discover.ts';
import type { FoundFile } from '../media/file.ts';
import type { FilePatterns } from '../media/patterns.ts';
import type { GitHubApi, Pull } from './api.ts';
import { GitHubError } from './connect.ts';
import type { RunContext } from './context.ts';

/**
 * Compares the base branch of the pull request with that of the event. A re-run has the payload of the first run, so an
 * author could use the waivers of one base branch, and merge into another.
 */
export async function findBaseChange(
  { pullRequest, baseBranch }: Pick<RunContext, 'pullRequest' | 'baseBranch'>,
  api: Pick<GitHubApi, 'pullRequest'>,
): Promise<{ readonly baseChange?: Problem; readonly notice?: string }> {
  if (pullRequest?.number === undefined) return {};
  const pull = await api.pullRequest(pullRequest.number).catch(asRefusal);
  if (pull instanceof GitHubError)
    return { notice: `It is unknown whether the base branch is still ${baseBranch}. ${pull.notice}` };
  if (pull.baseBranch === baseBranch) return {};
  const why = `the base branch of the pull request was changed from ${baseBranch} to ${pull.baseBranch} after this run was started`;
  const fix = 'A re-run keeps the old base. Push a commit, or close and reopen the pull request.';
  return { baseChange: { why, fix } };
}

/** Finds the pull request that a push merged, or the last one of a merge group: its runs have checked the same files. */
export async function findMerged(
  { queuedPullRequest, event, commit }: Pick<RunContext, 'queuedPullRequest' | 'event' | 'commit'>,
  api: Pick<GitHubApi, 'pullRequest' | 'pullRequestsOf'>,
): Promise<{ readonly merged?: Pull | undefined; readonly notice?: string }> {
  try {
    if (queuedPullRequest !== undefined) return { merged: await api.pullRequest(queuedPullRequest) };
    if (event !== 'push') return {};
    return { merged: (await api.pullRequestsOf(commit)).find(({ isMerged }) => isMerged) };
  } catch (error) {
    const text = 'The pull request of this commit could not be found, so its files may be sent and billed again.';
    return { notice: `${text} ${asRefusal(error).notice}` };
  }
}

/** The error if GitHub refused a request that the run can do without. Throws any other error, such as an outage. */
function asRefusal(error: unknown): GitHubError {
  if (error instanceof GitHubError && !error.isOutage) return error;
  throw error;
}

/** The paths that a pull request adds or changes, or why they are unknown and what to do about it. */
export type ChangedPaths =
  | { readonly kind: 'known'; readonly paths: readonly string[] }
  | { readonly kind: 'unknown'; readonly why: string };

type PullRequestRun = Pick<RunContext, 'pullRequest' | 'baseBranch' | 'searchRoot' | 'checkoutRoot'>;

function unknown(why: string): ChangedPaths {
  return { kind: 'unknown', why };
}

export async function readChangedPaths(
  { pullRequest, baseBranch, searchRoot, checkoutRoot }: PullRequestRun,
  api: Pick<GitHubApi, 'pullRequestFiles' | 'pullRequest'>,
): Promise<ChangedPaths> {
  if (pullRequest?.number === undefined)
    return unknown('This run is for no pull request, or for one that GitHub does not name (`workflow_run` of a fork).');
  if (checkoutRoot !== searchRoot)
    return unknown('The checkout is another folder. Set `working-directory` to the `path` of `actions/checkout`.');
  try {
    const { items: files, isCut } = await api.pullRequestFiles(pullRequest.number);
    // The pull request is read after the list. If its head and base are unchanged since the event, the list is valid.
    const now = await api.pullRequest(pullRequest.number);
    if (now.headSha !== pullRequest.headSha || now.baseBranch !== baseBranch)
      return unknown('The head or base of the pull request has changed since. A run that started later counts.');
    // A cut list must not look complete. The count of GitHub is sometimes too low, so a longer list is accepted.
    if (isCut || files.length < (now.changedFiles ?? 0))
      return unknown(
        `GitHub listed only ${plural(files.length, 'changed file')}. Re-run the job, or split the change.`,
      );
    // GitHub lists a renamed file under its new name. An unknown status counts as a change. Gitea sends `deleted`.
    const present = files.filter(({ status }) => !['removed', 'deleted'].includes(status));
    return { kind: 'known', paths: present.map(({ filename }) => filename) };
  } catch (error) {
    if (error instanceof GitHubError) return unknown(error.notice);
    // A cancelled run has no time to ask GitHub. Its report does not say which files were changed.
    if (error instanceof Interruption) return unknown('The run was cancelled.');
    throw error;
  }
}

/**
 * For each path, whether the pull request changes the file, so that nobody is blamed for a file that they did not
 * touch. A path is left out if this is unknown.
 */
export async function findChanged(
  files: readonly Pick<FoundFile, 'path' | 'realPath'>[],
  known: ChangedPaths | undefined,
  run: PullRequestRun,
  api: Pick<GitHubApi, 'pullRequestFiles' | 'pullRequest'>,
): Promise<ReadonlyMap<string, boolean>> {
  if (files.length === 0) return new Map();
  const changed = known ?? (await readChangedPaths(run, api));
  if (changed.kind === 'unknown') return new Map();
  const entries = await entriesAt(changed.paths, run.searchRoot);
  // If a changed file is missing, the base branch may have moved the file to a path that GitHub does not list.
  if (entries.some(({ stats }) => !stats)) return new Map();
  const isChanged = matchChanged(changed.paths);
  // Whether the pull request changes a file that is reached through a link is unknown.
  const unlinked = files.filter(({ realPath }) => realPath === undefined);
  return new Map(unlinked.map((file) => [file.path, isChanged(file.path)]));
}

/** What the workspace has at each changed path; `stats` is undefined if nothing is there. Links are not followed. */
async function entriesAt(paths: readonly string[], searchRoot: string) {
  const statsOf = async (file: string) => await lstat(path.join(searchRoot, file)).catch(() => undefined);
  return await Promise.all(paths.map(async (file) => ({ file, stats: await statsOf(file) })));
}

/** @returns a function that says whether a path, or a folder that contains it, is among the changed paths */
function matchChanged(paths: readonly string[]): (file: string) => boolean {
  // One name has several Unicode forms, and a file system may return another form than Git has stored.
  const changed = new Set(paths.map((each) => each.normalize('NFC')));
  return (file) => {
    // The path of a submodule ends in `/`, but not in GitHub's list.
    const start = file.normalize('NFC').replace(/\/$/, '');
    for (let at = start; at !== '.'; at = path.posix.dirname(at)) if (changed.has(at)) return true;
    return false;
  };
}

/** Applies the input `only-changed`. If the changed paths are unknown, all files are kept, and a notice says why. */
export async function onlyChanged(
  discovery: Discovery,
  changed: ChangedPaths,
  { patterns, searchRoot }: { readonly patterns: FilePatterns; readonly searchRoot: string },
): Promise<Discovery> {
  const keepAll = (why: string): Discovery => {
    const notice = `\`only-changed\` was not applied and all ${discovery.files.length} matched files are checked. ${why}`;
    return { ...discovery, notices: [...discovery.notices, notice] };
  };
  if (changed.kind === 'unknown') return keepAll(changed.why);
  const { paths } = changed;
  // Git converts the bytes of other files as `.gitattributes` says, so files that GitHub does not list change as well.
  const attributes = paths.find((file) => path.posix.basename(file) === '.gitattributes');
  if (attributes !== undefined) return keepAll(`The pull request changes ${attributes}.`);
  const found = new Set(discovery.files.map((file) => file.path.normalize('NFC')));
  const notFound = (await entriesAt(paths, searchRoot)).filter(({ file }) => !found.has(file.normalize('NFC')));
  // A selected path cannot be checked if the workspace has nothing there, or a file that the search did not find.
  const missing = notFound.filter(({ file, stats }) => (!stats || stats.isFile()) && patterns.selects(file));
  if (missing.length > 0) throw new GateError(missing.map(({ file }) => missingProblem(file)));
  // If the base branch moved a file, Git merges the change into the moved file, but GitHub lists only the old path. A
  // listed folder is usually a submodule: its name seldom ends in an extension, so `isSelectableName` leaves it out.
  const moved = notFound.find(({ file, stats }) => (!stats || stats.isDirectory()) && patterns.isSelectableName(file));
  if (moved) return keepAll(`The pull request changes ${moved.file}, and the base branch may have moved that file.`);
  const isChanged = matchChanged(paths);
  // A file behind a link is always kept: a change of any link or folder on the way may lead its path to another file.
  return { ...discovery, files: discovery.files.filter((file) => file.realPath !== undefined || isChanged(file.path)) };
}

function missingProblem(file: string): Cause {
  const message = 'The pull request changes this file, but it is not in the workspace, so it cannot be checked.';
  const fix = 'Check out the whole pull request before this step: without `sparse-checkout`, and not the base branch.';
  return { ...forOwner('checkout', message, fix), path: file };
}

export function noneChanged(matched: number): Cause {
  const message = `The pull request changes none of the ${matched} files that match the input \`files\`, so nothing was checked.`;
  const fix =
    'There is nothing to do. To check all files in every pull request, remove `only-changed: true`. Unchanged files are not sent again.';
  return forOwner('no-files', message, fix);
}
