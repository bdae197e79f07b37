import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { type Cause, GateError, Interruption, workflowOwner } from '../lib/cause.ts';
import { plural } from '../lib/format.ts';
import type { Discovery } from '../media/discover.ts';
import type { FoundFile } from '../media/file.ts';
import type { FilePatterns } from '../media/patterns.ts';
import { type GitHubApi, MAX_CHANGED_FILES } from './api.ts';
import type { RunContext } from './context.ts';
import { GitHubError } from './github-error.ts';
import type { Checkout } from './read-checkout.ts';

type NamedFile = Pick<FoundFile, 'path' | 'realPath'>;
type PullRequestRun = Pick<RunContext, 'event' | 'pullRequest' | 'baseBranch'> &
  Pick<Checkout, 'searchRoot' | 'checkoutRoot'>;

/** The paths that a pull request adds or changes. If the paths are unknown, a text with the reason and a fix. */
export async function readChangedPaths(
  { event, pullRequest, baseBranch, searchRoot, checkoutRoot }: PullRequestRun,
  api: Pick<GitHubApi, 'pullRequestFiles' | 'pullRequest'>,
): Promise<readonly string[] | string> {
  if (!pullRequest) return `This run${event && ` (${event})`} is not for a pull request. There is nothing to do.`;
  if (pullRequest.number === undefined)
    return 'GitHub does not say which pull request this `workflow_run` belongs to: it comes from a fork, or its branch has several. If that matters, run the gate on `pull_request` or `pull_request_target`.';
  if (checkoutRoot !== searchRoot)
    return 'Changed files are listed from the root of the repository, and that is not the folder that is searched. Set `working-directory` to the `path` of `actions/checkout`.';
  try {
    const files = await api.pullRequestFiles(pullRequest.number);
    if (files.length >= MAX_CHANGED_FILES)
      return `The pull request changes ${MAX_CHANGED_FILES} files or more, and not all of them can be listed. If that matters, split the pull request.`;
    // The pull request is read after the list. If its head and base are unchanged since the event, the list is valid.
    const now = await api.pullRequest(pullRequest.number);
    if (now.headSha !== pullRequest.headSha || now.baseBranch !== baseBranch)
      return 'The pull request has been pushed to, or its base has been changed, since this run was started, and only its current changes can be listed. A run that started later is the one that counts.';
    // A cut list must not look whole. GitHub sometimes counts too few files, so a smaller number means nothing.
    if (now.changedFiles !== undefined && now.changedFiles > files.length)
      return `The pull request changes ${plural(now.changedFiles, 'file')}, and GitHub listed only ${files.length} of them. If that matters, re-run the job.`;
    // GitHub lists a renamed file under its new name. An unknown status counts as a change. Gitea sends `deleted`.
    return files.filter(({ status }) => !['removed', 'deleted'].includes(status)).map(({ filename }) => filename);
  } catch (error) {
    if (error instanceof GitHubError) return `${error.message} ${error.fix}`;
    throw error;
  }
}

/**
 * For the path of each file, whether the pull request changes the file, so that nobody is blamed for a file that they
 * did not touch. The map is empty if that is unknown.
 *
 * @param known the changed paths, if an earlier step has read them
 */
export async function findChanged(
  files: readonly NamedFile[],
  known: readonly string[] | string | undefined,
  run: PullRequestRun,
  api: Pick<GitHubApi, 'pullRequestFiles' | 'pullRequest'>,
): Promise<ReadonlyMap<string, boolean>> {
  if (files.length === 0) return new Map();
  try {
    const paths = known ?? (await readChangedPaths(run, api));
    if (typeof paths === 'string') return new Map();
    const entries = await entriesAt(paths, run.searchRoot);
    // If a changed file is missing, the base branch may have moved the file to a path that GitHub does not list.
    if ([...entries.values()].includes(undefined)) return new Map();
    const isChanged = matchChanged(entries.keys());
    // Whether the pull request changes a file that is reached through a link is unknown.
    const own = files.filter(({ realPath }) => realPath === undefined);
    return new Map(own.map((file) => [file.path, isChanged(file)]));
  } catch (error) {
    // A cancelled run has no time to ask GitHub, so its report does not say which files were changed.
    if (error instanceof Interruption) return new Map();
    throw error;
  }
}

/** What the workspace has at each changed path. Links are not followed. */
async function entriesAt(
  paths: readonly string[],
  searchRoot: string,
): Promise<ReadonlyMap<string, Stats | undefined>> {
  const stats = await Promise.all(paths.map((each) => lstat(path.join(searchRoot, each)).catch(() => undefined)));
  return new Map(paths.map((each, index) => [each, stats[index]]));
}

/** @returns a function that says whether a file, or a folder that contains it, is among the changed paths */
function matchChanged(paths: Iterable<string>): (file: NamedFile) => boolean {
  // One name has several Unicode forms, and a file system may return another form than Git has stored.
  const changed = new Set([...paths].map((each) => each.normalize('NFC')));
  return (file) => {
    for (let at = file.path.normalize('NFC'); at !== '.'; at = path.posix.dirname(at)) if (changed.has(at)) return true;
    return false;
  };
}

/**
 * Applies the input `only-changed`: keeps the files that the pull request adds or changes, and all files that are
 * reached through links. If the changed paths are unknown, all files are kept, and a notice says why.
 *
 * @param changed the paths that the pull request adds or changes, or a text that says why they are unknown
 * @param patterns the input `files`: a changed file that the patterns select must be in the workspace
 */
export async function onlyChanged(
  discovery: Discovery,
  changed: readonly string[] | string,
  { patterns, searchRoot }: { readonly patterns: FilePatterns; readonly searchRoot: string },
): Promise<Discovery> {
  const keepAll = (why: string): Discovery => {
    const notice = `\`only-changed\` was not applied and all ${discovery.files.length} matched files are checked. ${why}`;
    return { ...discovery, notices: [...discovery.notices, notice] };
  };
  if (typeof changed === 'string') return keepAll(changed);
  // Git converts the bytes of other files by what this file says, so files that GitHub does not list change as well.
  const attributes = changed.find((file) => path.posix.basename(file) === '.gitattributes');
  if (attributes !== undefined) return keepAll(`The pull request changes ${attributes}.`);
  const found = new Set(discovery.files.map((file) => file.path.normalize('NFC')));
  const missing: string[] = [];
  const moved: string[] = [];
  const entries = await entriesAt(changed, searchRoot);
  for (const [file, stats] of entries) {
    if (found.has(file.normalize('NFC'))) continue;
    if ((!stats || stats.isFile()) && patterns.selects(file)) missing.push(file);
    // GitHub lists a changed submodule by the path of its folder, which seldom ends in an extension.
    else if ((!stats || stats.isDirectory()) && patterns.isSelectableName(file)) moved.push(file);
  }
  if (missing.length > 0) throw new GateError(missing.map(missingProblem));
  // If the base branch moved a file, Git merges the change into the moved file, but GitHub lists only the old path.
  if (moved.length > 0)
    return keepAll(`The pull request changes ${moved[0]}, and the base branch may have moved that file.`);
  const isChanged = matchChanged(entries.keys());
  // Any change of a link or of a folder on the way may lead a path with links to another file.
  return { ...discovery, files: discovery.files.filter((file) => file.realPath !== undefined || isChanged(file)) };
}

function missingProblem(file: string): Cause {
  const message = 'The pull request changes this file, but it is not in the workspace, so it cannot be checked.';
  const fix = 'Check out the whole pull request before this step: without `sparse-checkout`, and not the base branch.';
  return { reason: 'checkout', path: file, message, steps: [workflowOwner(fix)] };
}

export function noneChanged(matched: number): Cause {
  const message = `The pull request changes none of the ${matched} files that match the input \`files\`, so nothing was checked.`;
  const fix =
    'There is nothing to do. To check all files in every pull request, remove `only-changed: true`. Unchanged files are not sent again.';
  return { reason: 'no-files', message, steps: [workflowOwner(fix)] };
}
