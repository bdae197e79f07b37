import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { author, type Cause, forOwner, GateError } from '../causes/cause.ts';
import { plural } from '../lib/format.ts';
import type { Discovery } from '../media/discover.ts';
import { isMedia } from '../media/media-types.ts';
import type { FilePatterns } from '../media/patterns.ts';
import type { GitHubApi, PullRequest } from './api.ts';
import { folderIn } from './checkout.ts';
import { GitHubError } from './connect.ts';
import type { RunContext } from './context.ts';

/**
 * Throws if the base branch of the pull request is no longer that of the event. A re-run has the payload of the first
 * run, so an author could use the waivers of one base branch, and merge into another.
 */
export async function assertSameBase(
  { pullRequest, baseBranch }: Pick<RunContext, 'pullRequest' | 'baseBranch'>,
  api: Pick<GitHubApi, 'pullRequest'>,
): Promise<void> {
  if (pullRequest?.number === undefined) return;
  const pull = await api.pullRequest(pullRequest.number);
  if (pull.baseBranch === baseBranch) return;
  const message = `The base branch of the pull request was changed from ${baseBranch} to ${pull.baseBranch} after this run was started. Nothing was sent.`;
  const step = author('Push a commit, or close and reopen the pull request: a re-run keeps the old base.');
  throw new GateError({ reason: 'github', message, steps: [step] });
}

/** Finds the pull request that a push merged, or the last one of a merge group: its runs have checked the same files. */
export async function findMerged(
  { event, branch, commit }: Pick<RunContext, 'event' | 'branch' | 'commit'>,
  api: Pick<GitHubApi, 'pullRequest' | 'pullRequestsOf'>,
): Promise<PullRequest | undefined> {
  // GitHub names the branch of a merge group after the last pull request in it.
  const [, number] = event === 'merge_group' ? (/\/pr-(\d+)-[0-9a-f]+$/.exec(branch) ?? []) : [];
  if (number !== undefined) return await api.pullRequest(Number(number));
  return event === 'push' ? (await api.pullRequestsOf(commit)).find(({ isMerged }) => isMerged) : undefined;
}

/** What a pull request adds or changes, or why that is unknown and what to do about it. */
export type ChangedFiles =
  | {
      readonly kind: 'known';
      /** The listed paths, and what the listed links lead to, relative to the searched folder. */
      readonly paths: readonly string[];
      /** Those that `files` selects and that are neither a folder nor a link. They may be missing in the workspace. */
      readonly selected: readonly string[];
    }
  | { readonly kind: 'unknown'; readonly why: string };

type PullRequestRun = Pick<
  RunContext,
  'pullRequest' | 'eventCommit' | 'baseBranch' | 'searchRoot' | 'checkoutRoot' | 'workspace'
>;

function unknown(why: string): ChangedFiles {
  return { kind: 'unknown', why };
}

export async function readChangedFiles(
  run: PullRequestRun,
  patterns: Pick<FilePatterns, 'selects'>,
  api: Pick<GitHubApi, 'pullRequestFiles' | 'pullRequest'>,
): Promise<ChangedFiles> {
  const { pullRequest, eventCommit, baseBranch, checkoutRoot } = run;
  if (pullRequest?.number === undefined)
    return unknown('This run is for no pull request, or for one that GitHub does not name (`workflow_run` of a fork).');
  if (checkoutRoot === undefined)
    return unknown('The checkout is another folder. Set `working-directory` to the `path` of `actions/checkout`.');
  try {
    const { items, isCut } = await api.pullRequestFiles(pullRequest.number);
    // The pull request is read after the list. If its head and base are unchanged since the event, the list is valid.
    const now = await api.pullRequest(pullRequest.number);
    if (now.headSha !== eventCommit || now.baseBranch !== baseBranch)
      return unknown('The head or base of the pull request has changed since. A run that started later counts.');
    // The count of GitHub is sometimes too low, so a longer list is accepted. Without a count, the list may be a part.
    if (isCut || items.length < (now.changedFiles ?? Number.POSITIVE_INFINITY))
      return unknown(`GitHub listed only ${plural(items.length, 'changed file')}. Split the change.`);
    // Git converts the bytes of other files as `.gitattributes` says, so files that GitHub does not list change as well.
    const names = items.flatMap(({ filename, previous_filename: before = '' }) => [filename, before]);
    const attributes = names.find((name) => path.posix.basename(name).toLowerCase() === '.gitattributes');
    if (attributes !== undefined) return unknown(`The pull request changes ${attributes}.`);
    // An unknown status counts as a change. Forgejo sends `deleted`.
    const present = items.filter(({ status }) => !['removed', 'deleted'].includes(status));
    const folder = folderIn(run);
    const root = await realpath(checkoutRoot);
    const listed = await Promise.all(present.map(async ({ filename }) => await entryAt(filename, root, folder)));
    const searched = listed.filter(({ file }) => !file.startsWith('../'));
    // If the base branch moved a file, Git merges the change into the moved file, but GitHub lists only the old path.
    const moved = searched.find(({ file, isMissing }) => isMissing && !patterns.selects(file) && isMedia(file));
    if (moved) return unknown(`The pull request changes ${moved.file}, and the base branch may have moved that file.`);
    const files = searched.filter(({ isFile, isMissing }) => isFile || isMissing);
    const selected = files.flatMap(({ file }) => (patterns.selects(file) ? file : []));
    return { kind: 'known', paths: listed.map(({ leadsTo }) => leadsTo), selected };
  } catch (error) {
    if (error instanceof GitHubError) return unknown(error.notice);
    throw error;
  }
}

/** What the checkout has at a listed path, relative to the searched folder. @param folder with a slash at the end */
async function entryAt(listed: string, root: string, folder: string) {
  const relative = (file: string): string => (file.startsWith(folder) ? file.slice(folder.length) : `../${file}`);
  const place = path.join(root, listed);
  const stats = await lstat(place).catch(() => undefined);
  const real = stats?.isSymbolicLink() ? await realpath(place).catch(() => place) : place;
  return {
    file: relative(listed),
    leadsTo: relative(path.relative(root, real).replaceAll(path.sep, '/')),
    isMissing: stats === undefined,
    isFile: stats?.isFile() ?? false,
  };
}

/**
 * Says whether the pull request changes a file, or a folder that contains it, so that nobody is blamed for a file that
 * they did not touch. Undefined if the changes are unknown.
 */
export type IsChanged = (file: string) => boolean | undefined;

export function changesIn(changed: ChangedFiles | undefined): IsChanged {
  if (changed?.kind !== 'known') return () => undefined;
  // One name has several Unicode forms, and a file system may return another form than Git has stored.
  const paths = new Set(changed.paths.map((each) => each.normalize('NFC')));
  return (file) => {
    // The path of a submodule ends in `/`, but not in GitHub's list.
    const start = file.normalize('NFC').replace(/\/$/, '');
    for (let at = start; at !== '.'; at = path.posix.dirname(at)) if (paths.has(at)) return true;
    return false;
  };
}

/** Applies the input `only-changed`. If the changed files are unknown, all files are kept, and a notice says why. */
export function onlyChanged(discovery: Discovery, changed: ChangedFiles): Discovery {
  if (changed.kind === 'unknown') {
    const notice = `\`only-changed\` was not applied and all ${discovery.files.length} matched files are checked. ${changed.why}`;
    return { ...discovery, notices: [...discovery.notices, notice] };
  }
  const found = new Set(discovery.files.map((file) => file.path.normalize('NFC')));
  const missing = changed.selected.filter((file) => !found.has(file.normalize('NFC')));
  if (missing.length > 0) throw new GateError(missing.map(missingProblem));
  const isChanged = changesIn(changed);
  return { ...discovery, files: discovery.files.filter((file) => isChanged(file.path)) };
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
