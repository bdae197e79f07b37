import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { GateError } from '../lib/cause.ts';
import { formatList } from '../lib/format.ts';
import type { Discovery } from './file.ts';
import { type FoundPaths, findFiles } from './find-files.ts';
import type { FilePattern } from './patterns.ts';

export interface DiscoverOptions {
  /** Most of the built-in patterns match nothing, so that is not reported. */
  readonly isDefault?: boolean;
  readonly signal?: AbortSignal;
}

const MAX_LINKS_NAMED = 10;

/**
 * Finds the files that the input `files` selects.
 *
 * @param root folder that the patterns are relative to
 */
export async function discover(
  lines: readonly FilePattern[],
  root: string,
  options: DiscoverOptions = {},
): Promise<Discovery> {
  await assertCheckedOut(root);
  const found = await findFiles(root, lines, options.signal);
  return {
    files: found.files.map((file) => ({ path: file, absolutePath: path.join(root, file) })),
    notices: [...(options.isDefault ? [] : unmatchedNotices(lines, found)), ...linkNotices(found)],
  };
}

function unmatchedNotices(lines: readonly FilePattern[], { matchedLines }: FoundPaths): string[] {
  if (lines.every(({ exclude }) => exclude)) return ['Every line of the input `files` excludes, so no file can match.'];
  return lines
    .filter(({ exclude }, line) => !exclude && !matchedLines.has(line))
    .map(({ text }) => `The pattern "${text}" of the input \`files\` matches no file.`);
}

function linkNotices({ links }: FoundPaths): string[] {
  if (links.length === 0) return [];
  return [`Symbolic links are not followed. Left out: ${formatList(links, MAX_LINKS_NAMED)}.`];
}

/** Without a checkout no file would match, and the gate would look as if there was nothing to check. */
async function assertCheckedOut(root: string): Promise<void> {
  let names: readonly string[];
  try {
    names = await readdir(root);
  } catch (error) {
    throw notCheckedOut('cannot be read', error);
  }
  if (names.every((name) => name === '.git')) throw notCheckedOut('is empty');
}

function notCheckedOut(state: string, cause?: unknown): GateError {
  return new GateError(
    {
      reason: 'checkout',
      message: `The workspace ${state}: there are no files to check.`,
      fix: 'Run `actions/checkout` in a step before this one.',
    },
    { cause },
  );
}
