import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { GitHubApi } from '../github/api.ts';
import type { RunContext } from '../github/context.ts';
import { GitHubError } from '../github/github-error.ts';
import { describeWaiver, MAX_WAIVERS_FILE_BYTES, parseWaivers, tooLarge, type Waiver } from '../inputs/waivers-file.ts';
import { type Cause, GateError } from '../lib/cause.ts';

export interface FoundWaivers {
  /** Those that count. */
  readonly waivers: readonly Waiver[];
  readonly notices: readonly string[];
}

/**
 * In a pull request the waivers of the base commit count. One that the pull request itself adds is only proposed;
 * otherwise its author could waive anything. Outside pull requests, those that are checked out count.
 */
export async function findWaivers(
  file: string,
  { searchRoot, baseCommit }: Pick<RunContext, 'baseCommit'> & { readonly searchRoot: string },
  api: Pick<GitHubApi, 'textAt'>,
): Promise<FoundWaivers> {
  const here = await inCheckout(file, searchRoot);
  if (baseCommit === undefined) {
    if (!here) throw new GateError(missingFile(file));
    return { waivers: here, notices: [] };
  }
  const base = await atBase(file, baseCommit, api);
  if (!base && !here) throw new GateError(missingFile(file));
  if (typeof base === 'string') return { waivers: [], notices: [`No waiver counts in this run: ${base}`] };
  const counting = new Set((base ?? []).map(keyOf));
  const proposed = (here ?? []).filter((waiver) => !counting.has(keyOf(waiver)));
  return {
    waivers: base ?? [],
    notices: proposed.map((waiver) => `Proposed, and not counted before it is merged: ${describeWaiver(waiver)}.`),
  };
}

/** The waivers there, undefined without such a file, or why it could not be read. */
async function atBase(
  file: string,
  commit: string,
  api: Pick<GitHubApi, 'textAt'>,
): Promise<readonly Waiver[] | string | undefined> {
  try {
    const text = await api.textAt(file, commit);
    return text === undefined ? undefined : await parseWaivers(text, file);
  } catch (error) {
    if (error instanceof GitHubError)
      return `the waivers file of the base commit could not be read. ${error.message} ${error.fix}`;
    // The pull request may be the one that repairs the file, so it must not be blocked.
    if (error instanceof GateError)
      return `the waivers file of the base commit is wrong. ${error.causes[0]?.message ?? ''}`;
    throw error;
  }
}

async function inCheckout(file: string, searchRoot: string): Promise<readonly Waiver[] | undefined> {
  const text = await textInCheckout(file, searchRoot);
  return text === undefined ? undefined : await parseWaivers(text, file);
}

/**
 * Undefined if there is no such file. The author of a pull request controls this path, so a link out of this folder
 * and anything that is not a regular file is refused.
 */
async function textInCheckout(file: string, searchRoot: string): Promise<string | undefined> {
  try {
    const real = await realpath(path.join(searchRoot, file));
    const stats = await stat(real);
    const isInside = real.startsWith((await realpath(searchRoot)) + path.sep);
    if (!isInside || !stats.isFile()) throw new GateError(unreadableFile(file));
    if (stats.size > MAX_WAIVERS_FILE_BYTES) throw new GateError(tooLarge(file));
    return await readFile(real, 'utf8');
  } catch (error) {
    if (error instanceof GateError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new GateError(unreadableFile(file), { cause: error });
  }
}

function unreadableFile(file: string): Cause {
  return { ...missingFile(file), message: `The waivers file ${JSON.stringify(file)} is not a file that can be read.` };
}

function missingFile(file: string): Cause {
  return {
    reason: 'bad-input',
    message: `Input \`waivers-file\` is ${JSON.stringify(file)}, and there is no such file.`,
    fix: 'Give the path of a YAML file in the repository, or leave the input out.',
  };
}

function keyOf({ rule, path: pattern, owner, reason, expires }: Waiver): string {
  return JSON.stringify([rule, pattern.text, owner, reason, expires]);
}
