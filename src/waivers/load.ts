import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { GitHubApi } from '../github/api.ts';
import type { BaseChange } from '../github/base-branch.ts';
import type { RunContext } from '../github/context.ts';
import { GitHubError } from '../github/github-error.ts';
import type { Checkout } from '../github/read-checkout.ts';
import { type Cause, GateError, workflowOwner } from '../lib/cause.ts';
import { pathIn } from '../lib/folders.ts';
import { parseWaivers, type Waiver } from './file.ts';
import type { UncountedWaivers } from './waivers.ts';

/** Enough for about two thousand waivers. The file has a limit because the author of a pull request controls it. */
const MAX_BYTES = 256 * 1024;

interface WaiversPlace extends Pick<RunContext, 'baseCommit' | 'commit' | 'event' | 'workspace'>, Checkout {
  /** The input `waivers-file`, relative to the search root. */
  readonly file: string;
  readonly baseChange?: BaseChange | undefined;
}

/**
 * In a pull request or merge group, the waivers of the base commit count. A waiver that the pull request adds is only
 * reported as proposed: otherwise the author could waive every issue. Outside pull requests, the waivers in the
 * workspace count if the workspace is at the commit that started the run. If not, the waivers of the default branch
 * count: under some events a workflow checks out a pull request.
 */
export async function loadWaivers(
  place: WaiversPlace,
  api: Pick<GitHubApi, 'textAt'>,
): Promise<UncountedWaivers & { readonly waivers: readonly Waiver[] }> {
  const { file, searchRoot } = place;
  const here = await readCheckout(file, searchRoot);
  const base = isOwnCommit(place) ? here : (place.baseChange ?? (await readBase(place, api)));
  if (!base && !here) throw new GateError(waiversProblem(file, 'There is no such file'));
  if (base && 'why' in base) return { waivers: [], problem: base };
  const waivers = base ?? [];
  const counting = new Set(waivers.map(keyOf));
  return { waivers, proposed: (here ?? []).filter((waiver) => !counting.has(keyOf(waiver))) };
}

/** The events of a run that checks what its branch holds. Outside GitHub, the event is empty. */
const BRANCH_EVENTS = ['push', 'schedule', 'workflow_dispatch', ''];

/** Whether the waivers in the workspace count. */
function isOwnCommit({ event, head, commit }: WaiversPlace): boolean {
  return BRANCH_EVENTS.includes(event) && (event === '' || head === commit);
}

/** The waivers at a commit, or why they cannot be read. Undefined if the commit has no such file. */
async function readBase(
  { file, searchRoot, checkoutRoot, workspace, baseCommit: commit }: WaiversPlace,
  api: Pick<GitHubApi, 'textAt'>,
): Promise<readonly Waiver[] | UncountedWaivers['problem']> {
  const place = commit === undefined ? 'default branch' : 'base commit';
  try {
    // GitHub knows a path from the root of the checkout.
    const fromRoot = path.relative(checkoutRoot ?? workspace, path.join(searchRoot, file));
    const text = await api.textAt(fromRoot.replaceAll(path.sep, '/'), commit);
    return text === undefined ? undefined : await parseWaivers(text, file);
  } catch (error) {
    if (error instanceof GitHubError)
      return { why: `the waivers file of the ${place} could not be read`, fix: `${error.message} ${error.fix}` };
    // An invalid file on the base branch does not end the run: the pull request may be the one that corrects the file.
    if (error instanceof GateError)
      return { why: `the waivers file of the ${place} is wrong`, fix: error.causes[0]?.message ?? '' };
    throw error;
  }
}

/**
 * The waivers in the workspace. Undefined if the file does not exist or cannot be opened. The author of a pull request
 * controls the workspace, so the file must be a regular file, and a link must not lead out of the folder.
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
