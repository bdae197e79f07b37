import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { GateError } from '../cause.ts';
import type { GitHubApi } from '../github/api.ts';
import type { RunContext } from '../github/context.ts';
import { GitHubError } from '../github/github-error.ts';
import type { Waiver } from './waivers.ts';
import { parseWaivers } from './waivers-file.ts';

export interface FoundWaivers {
  /** Those that count. */
  readonly waivers: readonly Waiver[];
  readonly notices: readonly string[];
}

/**
 * In a pull request the waivers of the base commit count: one that the pull request itself adds is only proposed, or
 * its author could wave everything through. Elsewhere those in the workspace count.
 */
export async function findWaivers(
  file: string,
  context: RunContext,
  api: Pick<GitHubApi, 'textAt'>,
): Promise<FoundWaivers> {
  const here = await inWorkspace(file, context.workspace);
  if (context.baseCommit === undefined) {
    if (!here) throw new GateError(missing(file));
    return { waivers: here, notices: [] };
  }
  try {
    const text = await api.textAt(file, context.baseCommit);
    const waivers = text === undefined ? [] : await parseWaivers(text, file);
    const counting = new Set(waivers.map(keyOf));
    const proposed = (here ?? []).filter((waiver) => !counting.has(keyOf(waiver)));
    return {
      waivers,
      notices: proposed.map((waiver) => `Proposed, and not counted before it is merged: ${inWords(waiver)}.`),
    };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return {
      waivers: [],
      notices: [
        `No waiver counts in this run: the waivers file of the base commit could not be read. ${error.message} ${error.fix}`,
      ],
    };
  }
}

/** "the waiver of AD-17 for campaign/hero.mp4 (line 3, owner legal@example.com)" */
export function inWords({ rule, path: pattern, owner, line }: Waiver): string {
  return `the waiver of ${rule} for ${pattern.text} (line ${line}, owner ${owner})`;
}

async function inWorkspace(file: string, workspace: string): Promise<readonly Waiver[] | undefined> {
  let text: string;
  try {
    text = await readFile(path.join(workspace, file), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new GateError({ ...missing(file), message: `The waivers file ${file} cannot be read.` }, { cause: error });
  }
  return await parseWaivers(text, file);
}

function missing(file: string) {
  return {
    reason: 'bad-input',
    message: `Input \`waivers-file\` is ${JSON.stringify(file)}, and there is no such file.`,
    fix: 'Give the path of a YAML file in the repository, or leave the input out.',
  } as const;
}

function keyOf({ rule, path: pattern, owner, reason, expires }: Waiver): string {
  return JSON.stringify([rule, pattern.text, owner, reason, expires]);
}
