import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { GitHubApi } from '../github/api.ts';
import { isBranchEvent, type RunContext } from '../github/context.ts';
import { GitHubError } from '../github/github-error.ts';
import type { Checkout } from '../github/read-checkout.ts';
import { forOwner, GateError, type Problem } from '../lib/cause.ts';
import { pathIn } from '../lib/folders.ts';
import { parseWaivers, type Waiver } from './file.ts';
import type { LoadedWaivers } from './waivers.ts';

/** Enough for about two thousand waivers. The file has a limit because the author of a pull request controls it. */
const MAX_BYTES = 256 * 1024;

interface WaiversPlace extends Pick<RunContext, 'baseCommit' | 'commit' | 'event' | 'workspace'>, Checkout {
  /** The input `waivers-file`, relative to the search root. */
  readonly file: string;
  readonly baseChange?: Problem | undefined;
}

/**
 * In a branch run whose own commit is checked out, and outside GitHub, the waivers in the workspace count. In any other
 * run, those of the base commit count, or of the default branch if there is no base commit: otherwise the author of a
 * pull request could waive every issue. Waivers that only the workspace has are then reported as proposed.
 */
export async function loadWaivers(place: WaiversPlace, api: Pick<GitHubApi, 'textAt'>): Promise<LoadedWaivers> {
  const { file, searchRoot, checkoutRoot, workspace, baseCommit, baseChange, event, head, commit } = place;
  const here = await readWorkspace(place);
  let waivers = here;
  // Whether the workspace holds only what was pushed to the branch of the run. Outside GitHub, the event is empty.
  const isTrusted = event === '' || (isBranchEvent(event) && head === commit);
  if (!isTrusted) {
    if (baseChange) return { waivers: [], problem: baseChange };
    try {
      // GitHub takes a path that is relative to the root of the repository.
      const fromRoot = path.relative(checkoutRoot ?? workspace, path.join(searchRoot, file));
      const text = await api.textAt(fromRoot.replaceAll(path.sep, '/'), baseCommit);
      waivers = text === undefined ? undefined : await parseWaivers(text, file);
    } catch (error) {
      return { waivers: [], problem: baseProblem(error, baseCommit) };
    }
  }
  if (!waivers && !here) throw fileProblem(file, 'There is no such file');
  const counting = new Set(waivers?.map(keyOf));
  return { waivers: waivers ?? [], proposed: (here ?? []).filter((waiver) => !counting.has(keyOf(waiver))) };
}

/** An invalid file on the base branch does not end the run: the pull request may be the one that corrects the file. */
function baseProblem(error: unknown, baseCommit: string | undefined): LoadedWaivers['problem'] {
  const where = `the waivers file of the ${baseCommit === undefined ? 'default branch' : 'base commit'}`;
  if (error instanceof GateError) return { why: `${where} is wrong`, fix: error.causes[0]?.message ?? '' };
  if (!(error instanceof GitHubError)) throw error;
  return { why: `${where} could not be read`, fix: `${error.message} ${error.fix}` };
}

/**
 * The waivers in the workspace. Undefined if the file does not exist or cannot be opened. The author of a pull request
 * controls the workspace, so the file must be a regular file, and a link must not lead out of the folder.
 */
async function readWorkspace({ file, searchRoot }: WaiversPlace): Promise<readonly Waiver[] | undefined> {
  try {
    const real = await realpath(path.join(searchRoot, file));
    const stats = await stat(real);
    const isInside = pathIn(await realpath(searchRoot), real) !== undefined;
    if (!isInside || !stats.isFile()) throw fileProblem(file, 'It is not a file in the repository');
    if (stats.size > MAX_BYTES) throw fileProblem(file, `It is larger than ${MAX_BYTES / 1024} KiB`);
    return await parseWaivers(await readFile(real, 'utf8'), file);
  } catch (error) {
    if (error instanceof GateError) throw error;
    return undefined;
  }
}

function fileProblem(file: string, why: string): GateError {
  const message = `Input \`waivers-file\` is ${JSON.stringify(file)}. ${why}.`;
  const fix = 'Set `waivers-file` to the path of a YAML file in the repository, or leave it out.';
  return new GateError(forOwner('bad-input', message, fix));
}

function keyOf({ rule, path: pattern, owner, reason, expires }: Waiver): string {
  return JSON.stringify([rule, pattern.text, owner, reason, expires]);
}
