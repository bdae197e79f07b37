import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { GateError } from '../lib/cause.ts';
import type { Discovery } from './file.ts';
import type { FilePattern } from './patterns.ts';
import { type Walk, walk } from './walk.ts';

export interface DiscoverOptions {
  /** The patterns are the built-in ones: that most of them match nothing is no news. */
  readonly isDefault?: boolean;
  readonly signal?: AbortSignal;
}

/** More names than that help nobody. */
const MAX_LINKS_NAMED = 10;

/** Finds the files that the input `files` means. */
export async function discover(
  lines: readonly FilePattern[],
  workspace: string,
  options: DiscoverOptions = {},
): Promise<Discovery> {
  await assertCheckedOut(workspace);
  const found = await walk(workspace, lines, options.signal);
  return {
    files: found.files.map((file) => ({ path: file, absolutePath: path.join(workspace, file) })),
    notices: [...(options.isDefault ? [] : unmatched(lines, found)), ...linksLeftOut(found)],
  };
}

function unmatched(lines: readonly FilePattern[], { matched }: Walk): string[] {
  if (lines.every(({ exclude }) => exclude)) return ['Every line of the input `files` excludes, so no file can match.'];
  return lines
    .filter(({ exclude }, line) => !exclude && !matched.has(line))
    .map(({ text }) => `The pattern "${text}" of the input \`files\` matches no file.`);
}

function linksLeftOut({ links }: Walk): string[] {
  if (links.length === 0) return [];
  const named = links.slice(0, MAX_LINKS_NAMED).join(', ');
  const more = links.length > MAX_LINKS_NAMED ? ` and ${links.length - MAX_LINKS_NAMED} more` : '';
  return [`Symbolic links are not followed; left out: ${named}${more}.`];
}

/** A gate that finds nothing because nothing was checked out must not look like one that found nothing wrong. */
async function assertCheckedOut(workspace: string): Promise<void> {
  let names: readonly string[];
  try {
    names = await readdir(workspace);
  } catch (error) {
    throw notCheckedOut('cannot be read', error);
  }
  if (names.every((name) => name === '.git')) throw notCheckedOut('is empty');
}

function notCheckedOut(how: string, cause?: unknown): GateError {
  return new GateError(
    {
      reason: 'checkout',
      message: `The workspace ${how}: there are no files to check.`,
      fix: 'Run `actions/checkout` in a step before this one.',
    },
    { cause },
  );
}
