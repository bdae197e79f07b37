import { lstat, stat } from 'node:fs/promises';
import path from 'node:path';
import { Interruption } from '../lib/cause.ts';
import { isSymlink } from '../lib/folders.ts';
import type { FoundFile } from '../media/file.ts';
import { type GitHubApi, MAX_CHANGED_FILES } from './api.ts';
import type { RunContext } from './context.ts';
import { GitHubError } from './github-error.ts';

type PullRequestRun = Pick<RunContext, 'event' | 'pullRequest' | 'baseBranch'> & { readonly searchRoot: string };

/** The paths that a pull request adds or changes. If the paths are unknown, a text with the reason and a fix. */
export async function readChangedPaths(
  { event, pullRequest, baseBranch, searchRoot }: PullRequestRun,
  api: Pick<GitHubApi, 'pullRequestFiles' | 'pullRequest'>,
): Promise<readonly string[] | string> {
  if (!pullRequest) return `This run${event && ` (${event})`} is not for a pull request. There is nothing to do.`;
  if (pullRequest.number === undefined)
    return 'GitHub does not say which pull request this `workflow_run` belongs to: it comes from a fork, or its branch has several. If that matters, run the gate on `pull_request` or `pull_request_target`.';
  if (!(await isRepositoryRoot(searchRoot)))
    return 'Changed files are listed from the root of the repository, and that is not the folder that is searched. Set `working-directory` to the `path` of `actions/checkout`.';
  try {
    const files = await api.pullRequestFiles(pullRequest.number);
    if (files.length >= MAX_CHANGED_FILES)
      return `The pull request changes ${MAX_CHANGED_FILES} files or more, and not all of them can be listed. If that matters, split the pull request.`;
    // Read the pull request after the list: if head and base are still those of this run, the list is of this run too.
    const now = await api.pullRequest(pullRequest.number);
    if (now.headSha !== pullRequest.headSha || now.baseBranch !== baseBranch)
      return 'The pull request has been pushed to, or its base has been changed, since this run was started, and only its current changes can be listed. A run that started later is the one that counts.';
    // GitHub lists a renamed file under its new name. An unknown status counts as a change. Gitea sends `deleted`.
    return files.filter(({ status }) => !['removed', 'deleted'].includes(status)).map(({ filename }) => filename);
  } catch (error) {
    if (error instanceof GitHubError) return `${error.message} ${error.fix}`;
    throw error;
  }
}

/** False for a submodule and for a worktree: in these, `.git` is a file. */
async function isRepositoryRoot(folder: string): Promise<boolean> {
  const found = await stat(path.join(folder, '.git')).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

/**
 * Finds which files the pull request changes, so that nobody is blamed for a file that they did not touch.
 *
 * @param known the changed paths, if an earlier step has read them
 */
export async function findChanged(
  files: readonly FoundFile[],
  known: readonly string[] | string | undefined,
  run: PullRequestRun,
  api: Pick<GitHubApi, 'pullRequestFiles' | 'pullRequest'>,
): Promise<ReadonlyMap<string, boolean>> {
  if (files.length === 0) return new Map();
  try {
    return await markChanged(files, known ?? (await readChangedPaths(run, api)), run.searchRoot);
  } catch (error) {
    // A cancelled run has no time to ask GitHub, so its report does not say which files were changed.
    if (error instanceof Interruption) return new Map();
    throw error;
  }
}

/**
 * For the path of each file, whether the pull request changes the file. The map is empty if the changed paths are
 * unknown. It is also empty if a changed file is missing in the workspace: the base branch may have moved that file to
 * a path that GitHub does not list.
 */
export async function markChanged(
  files: readonly FoundFile[],
  paths: readonly string[] | string,
  searchRoot: string,
): Promise<ReadonlyMap<string, boolean>> {
  if (typeof paths === 'string') return new Map();
  const found = await Promise.all(paths.map((each) => lstat(path.join(searchRoot, each)).catch(() => undefined)));
  if (found.includes(undefined)) return new Map();
  const isChanged = await matchChanged(paths, searchRoot);
  return new Map(files.map((file) => [file.path, isChanged(file)]));
}

/** @returns a function that says whether a pull request that changes these paths changes a file */
export async function matchChanged(
  paths: readonly string[],
  searchRoot: string,
): Promise<(file: FoundFile) => boolean> {
  // One name has several Unicode forms, and a file system may return another form than Git has stored.
  const changed = new Set(paths.map((each) => each.normalize('NFC')));
  const links = await Promise.all(paths.map(async (each) => await isSymlink(path.join(searchRoot, each))));
  const isLinkChanged = links.includes(true);
  return (file) =>
    isAmong(changed, file.path) ||
    // A link can lead through other links, so any changed link may change the file that this path leads to.
    (file.realPath !== undefined && (isLinkChanged || isAmong(changed, file.realPath)));
}

/** Whether the path, or a folder that contains it, is in the set. */
function isAmong(changed: ReadonlySet<string>, file: string): boolean {
  for (let at = file.normalize('NFC'); at !== '.'; at = path.posix.dirname(at)) if (changed.has(at)) return true;
  return false;
}
