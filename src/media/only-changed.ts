import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { type GitHubApi, MAX_CHANGED_FILES } from '../github/api.ts';
import type { ChangedFile } from '../github/api-schemas.ts';
import type { RunContext } from '../github/context.ts';
import { GitHubError } from '../github/github-error.ts';
import { type Cause, GateError } from '../lib/cause.ts';
import { isRepositoryRoot } from './checkout.ts';
import type { Discovery } from './discover.ts';
import type { FoundFile } from './file.ts';
import { type FilePattern, PathMatcher } from './patterns.ts';

type Run = Pick<RunContext, 'event' | 'pullRequest'> & { readonly searchRoot: string };

/**
 * `only-changed`: keeps the files that the pull request adds or changes. If these are not known, all files are kept, with
 * a notice that says why.
 *
 * @param lines the input `files`: a changed file that they select must be in the workspace
 */
export async function onlyChanged(
  discovery: Discovery,
  lines: readonly FilePattern[],
  { run, api }: { readonly run: Run; readonly api: Pick<GitHubApi, 'pullRequestFiles' | 'pullRequest'> },
): Promise<Discovery> {
  const list = await changedPaths(run, api);
  if (!list.isKnown) return notApplied(discovery, list.why);
  const found = new Set(discovery.files.map((file) => file.path.normalize('NFC')));
  const matcher = new PathMatcher(lines);
  const expected = list.paths.filter((file) => !found.has(file.normalize('NFC')) && matcher.selects(file));
  const { missing, misspelt } = await lookFor(expected, run.searchRoot);
  if (missing.length > 0) throw new GateError(missing.map(missingProblem));
  const [other] = misspelt;
  if (other !== undefined) return notApplied(discovery, `${other} is stored in the workspace under another spelling.`);
  // A name can be stored in two Unicode forms, and a disk may return the other one.
  const changed = new Set(list.paths.map((file) => file.normalize('NFC')));
  const isLinkChanged = await hasLink(list.paths, run.searchRoot);
  const isChanged = (file: FoundFile): boolean =>
    isAmong(changed, file.path) ||
    // A link can lead through other links, so every changed link may change what it serves.
    (file.realPath !== undefined && (isLinkChanged || isAmong(changed, file.realPath)));
  return { ...discovery, files: discovery.files.filter(isChanged) };
}

/** A submodule or a linked folder is listed by its own path alone, and then everything in it may have changed. */
function isAmong(changed: ReadonlySet<string>, file: string): boolean {
  for (let at = file.normalize('NFC'); at !== '.'; at = path.posix.dirname(at)) if (changed.has(at)) return true;
  return false;
}

async function hasLink(files: readonly string[], searchRoot: string): Promise<boolean> {
  for (const file of files) {
    const found = await lstat(path.join(searchRoot, file)).catch(() => undefined);
    if (found?.isSymbolicLink()) return true;
  }
  return false;
}

function notApplied(discovery: Discovery, why: string): Discovery {
  const notice = `\`only-changed\` was not applied and all ${discovery.files.length} matched files are checked. ${why}`;
  return { ...discovery, notices: [...discovery.notices, notice] };
}

/** The patterns match files, but none that the pull request changes. */
export function noneChanged(matched: number): Cause {
  return {
    reason: 'no-files',
    message: `The pull request changes none of the ${matched} files that match the input \`files\`, so nothing was checked.`,
    fix: 'There is nothing to do. To check all files in every pull request, remove `only-changed: true`. Unchanged files are not sent again.',
  };
}

/** The paths that a pull request adds or changes, or why they are not known and what to do. */
type ChangedPaths =
  | { readonly isKnown: true; readonly paths: readonly string[] }
  | { readonly isKnown: false; readonly why: string };

function notKnown(why: string): ChangedPaths {
  return { isKnown: false, why };
}

async function changedPaths(
  { event, pullRequest, searchRoot }: Run,
  api: Pick<GitHubApi, 'pullRequestFiles' | 'pullRequest'>,
): Promise<ChangedPaths> {
  if (!pullRequest)
    return notKnown(`This run${event && ` (${event})`} is not for a pull request. There is nothing to do.`);
  if (pullRequest.number === undefined) {
    return notKnown(
      'For a fork, GitHub does not say which pull request a `workflow_run` belongs to. If that matters, run the gate on `pull_request` or `pull_request_target`.',
    );
  }
  if (!(await isRepositoryRoot(searchRoot))) {
    return notKnown(
      'GitHub lists files from the root of the repository, and that is not the folder that is searched. Set `working-directory` to the `path` of `actions/checkout`.',
    );
  }
  try {
    const files = await api.pullRequestFiles(pullRequest.number);
    if (files.length >= MAX_CHANGED_FILES) {
      return notKnown(
        `The pull request changes ${MAX_CHANGED_FILES} files or more, and GitHub lists no more. If that matters, split the pull request.`,
      );
    }
    // Read after the list: if the head is still this run's, so was the list.
    const { headSha } = await api.pullRequest(pullRequest.number);
    if (headSha !== pullRequest.headSha) {
      return notKnown(
        'The pull request has been pushed to since this run was started, and GitHub lists only the changes of the newest commit. The run of that commit is the one that counts.',
      );
    }
    return { isKnown: true, paths: pathsAfter(files) };
  } catch (error) {
    if (error instanceof GitHubError) return notKnown(`${error.message} ${error.fix}`);
    throw error;
  }
}

/** A renamed file is listed under its new name. An unknown status counts as a change. */
function pathsAfter(files: readonly ChangedFile[]): readonly string[] {
  return files.filter(({ status }) => status !== 'removed').map(({ filename }) => filename);
}

interface NotFound {
  readonly missing: readonly string[];
  /** There, but not in this spelling: a disk that ignores case accepts many for one file. */
  readonly misspelt: readonly string[];
}

/** Changed files that the search did not find. A link to a folder is there, and what is in it was found. */
async function lookFor(files: readonly string[], searchRoot: string): Promise<NotFound> {
  const missing: string[] = [];
  const misspelt: string[] = [];
  for (const file of files) {
    const found = await lstat(path.join(searchRoot, file)).catch(() => undefined);
    if (!found) missing.push(file);
    else if (found.isFile()) misspelt.push(file);
  }
  return { missing, misspelt };
}

function missingProblem(file: string): Cause {
  return {
    reason: 'checkout',
    path: file,
    message: 'The pull request changes this file, but it is not in the workspace, so it cannot be checked.',
    fix: 'Check out the whole pull request before this step: without `sparse-checkout`, and not the base branch.',
  };
}
