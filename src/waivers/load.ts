import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { GitHubApi } from '../github/api.ts';
import { readHeadWithin } from '../github/checkout.ts';
import type { RunContext } from '../github/context.ts';
import { GitHubError } from '../github/github-error.ts';
import { type Cause, GateError, workflowOwner } from '../lib/cause.ts';
import { pathIn } from '../lib/folders.ts';
import { describeWaiver, parseWaivers, type Waiver } from './file.ts';

export interface FoundWaivers {
  readonly waivers: readonly Waiver[];
  readonly notices: readonly string[];
}

/** About two thousand waivers. The author of a pull request controls the file, so its size is limited. */
const MAX_BYTES = 256 * 1024;

interface WaiversPlace extends Pick<RunContext, 'baseCommit' | 'commit' | 'event' | 'workspace'> {
  /** The input `waivers-file`, relative to the search root. */
  readonly file: string;
  readonly searchRoot: string;
}

/**
 * In a pull request the waivers of the base commit count. One that the pull request itself adds is only proposed;
 * otherwise its author could waive anything. Outside pull requests, those that are checked out count if they are of the
 * commit that started the run: under some events a workflow checks out a pull request.
 */
export async function loadWaivers(place: WaiversPlace, api: Pick<GitHubApi, 'textAt'>): Promise<FoundWaivers> {
  const { file, searchRoot, baseCommit } = place;
  const here = await readCheckout(file, searchRoot);
  const base = (await isOwnCommit(place)) ? here : await readBase(file, baseCommit, api);
  if (!base && !here) throw new GateError(waiversProblem(file, 'There is no such file'));
  if (typeof base === 'string') return { waivers: [], notices: [`No waiver counts in this run: ${base}`] };
  const waivers = base ?? [];
  const counting = new Set(waivers.map(keyOf));
  const proposed = (here ?? []).filter((waiver) => !counting.has(keyOf(waiver)));
  const notices = proposed.map((each) => `Proposed, and not counted before it is merged: ${describeWaiver(each)}.`);
  return { waivers, notices };
}

/** Outside GitHub there is no event. */
async function isOwnCommit({ searchRoot, workspace, baseCommit, commit, event }: WaiversPlace): Promise<boolean> {
  if (baseCommit !== undefined || event === 'workflow_run') return false;
  return event === '' || (await readHeadWithin(searchRoot, workspace)) === commit;
}

/** The waivers there, undefined without such a file, or why they cannot be read. */
async function readBase(
  file: string,
  commit: string | undefined,
  api: Pick<GitHubApi, 'textAt'>,
): Promise<readonly Waiver[] | string | undefined> {
  const place = commit === undefined ? 'default branch' : 'base commit';
  try {
    const text = await api.textAt(file, commit);
    return text === undefined ? undefined : await parseWaivers(text, file);
  } catch (error) {
    if (error instanceof GitHubError)
      return `the waivers file of the ${place} could not be read. ${error.message} ${error.fix}`;
    // The pull request may be the one that repairs the file, so it must not be blocked.
    if (error instanceof GateError)
      return `the waivers file of the ${place} is wrong. ${error.causes[0]?.message ?? ''}`;
    throw error;
  }
}

/**
 * Undefined if there is no such file, or it cannot be opened. The author of a pull request controls this path, so a link
 * out of the folder and anything but a regular file is refused.
 */
async function readCheckout(file: string, searchRoot: string): Promise<readonly Waiver[] | undefined> {
  try {
    const real = await realpath(path.join(searchRoot, file));
    const stats = await stat(real);
    const isInside = pathIn(await realpath(searchRoot), real) !== undefined;
    if (!isInside || !stats.isFile()) throw new GateError(waiversProblem(file, 'It is not a file in the repository'));
    if (stats.size > MAX_BYTES) throw new GateError(waiversProblem(file, `It is larger than ${MAX_BYTES / 1024} KiB`));
    return await parseWaivers(await readFile(real, 'utf8'), file);
  } catch (error) {
    if (error instanceof GateError) throw error;
    return undefined;
  }
}

function waiversProblem(file: string, why: string): Cause {
  return {
    reason: 'bad-input',
    message: `Input \`waivers-file\` is ${JSON.stringify(file)}. ${why}.`,
    steps: [workflowOwner('Set `waivers-file` to the path of a YAML file in the repository, or leave it out.')],
  };
}

function keyOf({ rule, path: pattern, owner, reason, expires }: Waiver): string {
  return JSON.stringify([rule, pattern.text, owner, reason, expires]);
}
