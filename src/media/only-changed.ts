import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { type GitHubApi, MAX_CHANGED_FILES } from '../github/api.ts';
import type { ChangedFile } from '../github/api-schemas.ts';
import type { RunContext } from '../github/context.ts';
import { GitHubError } from '../github/github-error.ts';
import { type Cause, GateError } from '../lib/cause.ts';
import type { Discovery } from './file.ts';
import { checkoutAt } from './git-head.ts';
import { selects } from './match.ts';
import type { FilePattern } from './patterns.ts';

type Place = Pick<RunContext, 'event' | 'pullRequest' | 'workspace'>;

/**
 * `only-changed`: leaves the files that the pull request adds or changes. Where that cannot be told, all of them stay,
 * and a notice says why: a gate checks too much rather than too little.
 *
 * @param lines The input `files`: a changed file that they match must be in the workspace.
 */
export async function onlyChanged(
  discovery: Discovery,
  lines: readonly FilePattern[],
  place: Place,
  api: Pick<GitHubApi, 'pullRequestFiles' | 'pullRequest'>,
): Promise<Discovery> {
  const changed = await changedPaths(place, api);
  if (typeof changed === 'string') return notApplied(discovery, changed);
  const found = new Set(discovery.files.map((file) => file.path.normalize('NFC')));
  const expected = changed.filter((file) => !found.has(file.normalize('NFC')) && selects(lines, file));
  const { missing, otherwise } = await lookFor(expected, place.workspace);
  if (missing.length > 0) throw new GateError(missing.map(notCheckedOut));
  const [odd] = otherwise;
  if (odd !== undefined) return notApplied(discovery, `${odd} is stored in the workspace under another spelling.`);
  // One name can be stored in two Unicode forms, and a disk may give back the other one.
  const wanted = new Set(changed.map((file) => file.normalize('NFC')));
  return { ...discovery, files: discovery.files.filter((file) => isAmong(wanted, file.path.normalize('NFC'))) };
}

/** A submodule that was moved is listed by its folder alone: then everything in it may have changed. */
function isAmong(changed: ReadonlySet<string>, file: string): boolean {
  for (let at = file; at !== '.'; at = path.posix.dirname(at)) if (changed.has(at)) return true;
  return false;
}

function notApplied(discovery: Discovery, why: string): Discovery {
  const notice = `\`only-changed\` was not applied and all ${discovery.files.length} matched files are checked. ${why}`;
  return { ...discovery, notices: [...discovery.notices, notice] };
}

/** What is told where the patterns match files, but none that the pull request changes. */
export function noneChanged(matched: number): Cause {
  return {
    reason: 'no-files',
    message: `The pull request changes none of the ${matched} files that match the input \`files\`, so nothing was checked.`,
    fix: 'Nothing is to be done. To check all files in every pull request, remove `only-changed: true`; those whose analysis is known are not sent again.',
  };
}

/** The paths that a pull request adds or changes, or why they are not known and what to do about it. */
async function changedPaths(
  { event, pullRequest, workspace }: Place,
  api: Pick<GitHubApi, 'pullRequestFiles' | 'pullRequest'>,
): Promise<readonly string[] | string> {
  if (!pullRequest) return `This run (${event}) is not about a pull request. Nothing is to be done.`;
  if (pullRequest.number === undefined) {
    return 'GitHub does not tell a `workflow_run` which pull request of a fork it follows. Run the gate on `pull_request` or `pull_request_target` if that matters.';
  }
  if (!(await checkoutAt(workspace))) {
    return 'GitHub names files from the root of the repository, and that is not the workspace. Leave out `path` of `actions/checkout` if that matters.';
  }
  try {
    const files = await api.pullRequestFiles(pullRequest.number);
    if (files.length >= MAX_CHANGED_FILES) {
      return `The pull request changes ${MAX_CHANGED_FILES} files or more, and GitHub lists no more. Split the pull request if that matters.`;
    }
    // Asked for after the list: while the head is still ours, the list was, too.
    const { headSha } = await api.pullRequest(pullRequest.number);
    if (headSha !== pullRequest.headSha) {
      return 'The pull request has been pushed to since this run was started, and GitHub lists the changes of the newest commit only. The run of that commit is the one that counts.';
    }
    return touched(files);
  } catch (error) {
    if (error instanceof GitHubError) return `${error.message} ${error.fix}`;
    throw error;
  }
}

/** A renamed file is listed under its new name. A status that we do not know is a change. */
function touched(files: readonly ChangedFile[]): readonly string[] {
  return files.filter(({ status }) => status !== 'removed').map(({ filename }) => filename);
}

interface Unfound {
  readonly missing: readonly string[];
  /** There, but not as the search saw it: a disk that ignores case knows one file by many names. */
  readonly otherwise: readonly string[];
}

/** Changed files that the search did not find. A symbolic link is there, though it is not checked. */
async function lookFor(files: readonly string[], workspace: string): Promise<Unfound> {
  const missing: string[] = [];
  const otherwise: string[] = [];
  for (const file of files) {
    const found = await lstat(path.join(workspace, file)).catch(() => undefined);
    if (!found) missing.push(file);
    else if (found.isFile()) otherwise.push(file);
  }
  return { missing, otherwise };
}

function notCheckedOut(file: string): Cause {
  return {
    reason: 'checkout',
    path: file,
    message: 'The pull request changes this file, but it is not in the workspace, so it cannot be checked.',
    fix: 'Check out the whole pull request before this step: without `sparse-checkout`, and not the base branch.',
  };
}
