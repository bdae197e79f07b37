import type { Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Cause, GateError } from '../lib/cause.ts';
import type { Discovery } from '../media/discover.ts';
import type { FoundFile } from '../media/file.ts';
import { type FilePattern, selects } from '../media/patterns.ts';
import { type GitHubApi, MAX_CHANGED_FILES } from './api.ts';
import type { RunContext } from './context.ts';
import { GitHubError } from './github-error.ts';

type Run = Pick<RunContext, 'event' | 'pullRequest'> & { readonly searchRoot: string };
type Api = Pick<GitHubApi, 'pullRequestFiles' | 'pullRequest'>;

/**
 * `only-changed`: keeps the files that the pull request adds or changes. If these are not known, all files are kept, with
 * a notice that says why.
 *
 * @param lines the input `files`: a changed file that they select must be in the workspace
 */
export async function onlyChanged(
  discovery: Discovery,
  lines: readonly FilePattern[],
  { run, api }: { readonly run: Run; readonly api: Api },
): Promise<Discovery> {
  const list = await changedPaths(run, api);
  if (typeof list === 'string') {
    const notice = `\`only-changed\` was not applied and all ${discovery.files.length} matched files are checked. ${list}`;
    return { ...discovery, notices: [...discovery.notices, notice] };
  }
  const entries = await Promise.all(list.map(async (file) => ({ file, stats: await entryAt(run.searchRoot, file) })));
  // A name can be stored in two Unicode forms, and a disk may return the other one.
  const found = new Set(discovery.files.map((file) => file.path.normalize('NFC')));
  const missing = entries.filter(
    // A submodule and a linked folder are listed by their own path, and what is in them was found.
    ({ file, stats }) => (stats?.isFile() ?? true) && !found.has(file.normalize('NFC')) && selects(lines, file),
  );
  if (missing.length > 0) throw new GateError(missing.map(({ file }) => missingProblem(file)));

  const changed = new Set(list.map((file) => file.normalize('NFC')));
  const isLinkChanged = entries.some(({ stats }) => stats?.isSymbolicLink());
  const isChanged = (file: FoundFile): boolean =>
    isAmong(changed, file.path) ||
    // A link can lead through other links, so every changed link may change what it serves.
    (file.realPath !== undefined && (isLinkChanged || isAmong(changed, file.realPath)));
  return { ...discovery, files: discovery.files.filter(isChanged) };
}

async function entryAt(searchRoot: string, file: string): Promise<Stats | undefined> {
  return await lstat(path.join(searchRoot, file)).catch(() => undefined);
}

/** Whether the path or a folder that it is in is listed. */
function isAmong(changed: ReadonlySet<string>, file: string): boolean {
  for (let at = file.normalize('NFC'); at !== '.'; at = path.posix.dirname(at)) if (changed.has(at)) return true;
  return false;
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
async function changedPaths({ event, pullRequest, searchRoot }: Run, api: Api): Promise<readonly string[] | string> {
  if (!pullRequest) return `This run${event && ` (${event})`} is not for a pull request. There is nothing to do.`;
  if (pullRequest.number === undefined)
    return 'For a fork, GitHub does not say which pull request a `workflow_run` belongs to. If that matters, run the gate on `pull_request` or `pull_request_target`.';
  if (!(await isRepositoryRoot(searchRoot)))
    return 'GitHub lists files from the root of the repository, and that is not the folder that is searched. Set `working-directory` to the `path` of `actions/checkout`.';
  try {
    const files = await api.pullRequestFiles(pullRequest.number);
    if (files.length >= MAX_CHANGED_FILES)
      return `The pull request changes ${MAX_CHANGED_FILES} files or more, and GitHub lists no more. If that matters, split the pull request.`;
    // Read after the list: if the head is still this run's, so was the list.
    const { headSha } = await api.pullRequest(pullRequest.number);
    if (headSha !== pullRequest.headSha)
      return 'The pull request has been pushed to since this run was started, and GitHub lists only the changes of the newest commit. The run of that commit is the one that counts.';
    // A renamed file is listed under its new name. An unknown status counts as a change.
    return files.filter(({ status }) => status !== 'removed').map(({ filename }) => filename);
  } catch (error) {
    if (error instanceof GitHubError) return `${error.message} ${error.fix}`;
    throw error;
  }
}

/** False for a submodule and for a worktree, which have a file called `.git`. */
async function isRepositoryRoot(folder: string): Promise<boolean> {
  const found = await stat(path.join(folder, '.git')).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

function missingProblem(file: string): Cause {
  return {
    reason: 'checkout',
    path: file,
    message: 'The pull request changes this file, but it is not in the workspace, so it cannot be checked.',
    fix: 'Check out the whole pull request before this step: without `sparse-checkout`, and not the base branch.',
  };
}
