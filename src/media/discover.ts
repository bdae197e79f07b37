import { lstatSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { create } from '@actions/glob';
import { type Cause, GateError, preFlight } from '../lib/cause.ts';
import type { FoundFile } from './file.ts';
import { followLinks, type Tree } from './links.ts';
import { type FilePattern, isIn, PathMatcher } from './patterns.ts';

/** discover → inspect */
export interface Discovery {
  /** Sorted by path. */
  readonly files: readonly FoundFile[];
  /** Patterns without a match. */
  readonly notices: readonly string[];
}

export interface DiscoverOptions {
  /** Most of the built-in patterns match nothing, so that is not reported. */
  readonly isDefault?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Finds the files that the input `files` selects.
 *
 * @param searchRoot folder that the patterns are relative to
 */
export async function discover(
  lines: readonly FilePattern[],
  searchRoot: string,
  { isDefault = false, signal }: DiscoverOptions = {},
): Promise<Discovery> {
  await assertCheckedOut(searchRoot);
  const tree = await walk(await realpath(searchRoot), signal);
  const matcher = new PathMatcher(lines);
  const decided = tree.files.map((file) => ({ file, line: matcher.decidingLine(file) })).filter(({ line }) => line);
  const selected = decided.filter(({ line }) => !line?.exclude);
  const files = [
    ...selected.map(({ file }) => ({ path: file, absolutePath: path.join(tree.root, file) })),
    ...(await followLinks(tree, matcher)),
  ].toSorted(byPath);
  if (isDefault) return { files, notices: [] };
  const deciding = new Set(decided.map(({ line }) => line));
  const paths = [...decided.map(({ file }) => file), ...files.map((file) => file.path)];
  const unmatched = lines.filter(
    (line) => !line.exclude && !deciding.has(line) && !paths.some((file) => line.matches(file)),
  );
  return { files, notices: unmatched.map(unmatchedNotice) };
}

function unmatchedNotice({ text }: FilePattern): string {
  return `The pattern "${text}" of the input \`files\` matches no file.`;
}

/** The same order on every machine, whatever its language. */
function byPath(a: FoundFile, b: FoundFile): number {
  return a.path < b.path ? -1 : Number(a.path > b.path);
}

/** Without a checkout no file would match, and the gate would look as if there was nothing to check. */
async function assertCheckedOut(root: string): Promise<void> {
  const names = await readdir(root).catch((error: unknown) => {
    throw notCheckedOut('cannot be read', error);
  });
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

/** Folders are yielded as well, so that one whose name is not UTF-8 is noticed even if it looks like another one. */
const GLOB_OPTIONS = { followSymbolicLinks: false, implicitDescendants: false, matchDirectories: true };

/** Everything in a folder except Git's own files. */
async function walk(root: string, signal: AbortSignal | undefined): Promise<Tree> {
  const files: string[] = [];
  const links: string[] = [];
  const start = root.endsWith(path.sep) ? root.length : root.length + 1;
  const relative = (absolute: string): string => absolute.slice(start).replaceAll(path.sep, '/');
  try {
    const globber = await create(patternForAll(root), GLOB_OPTIONS);
    for await (const found of globber.globGenerator()) {
      signal?.throwIfAborted();
      const file = relative(found);
      if (isIn('.git', file)) continue;
      if (file.includes('\ufffd')) throw new GateError(unreadable(file));
      const stats = lstatSync(found);
      if (stats.isFile()) files.push(file);
      else if (stats.isSymbolicLink()) links.push(file);
    }
  } catch (error) {
    if (!(error instanceof Error && 'path' in error && 'code' in error)) throw error;
    // Going on would check fewer files than the workflow asks for.
    throw new GateError(unreadable(relative(String(error.path)), String(error.code)), { cause: error });
  }
  return { root, files, links };
}

/** A pattern for everything in a folder, whatever characters its path has. A line break would end the pattern. */
function patternForAll(folder: string): string {
  if (/[\n\r]/.test(folder)) {
    const message = 'The path of the folder that is searched holds a line break.';
    throw new GateError({ reason: 'checkout', message, fix: 'Check out into another folder.' });
  }
  const literal = path.sep === '\\' ? folder : folder.replaceAll('\\', '\\\\');
  return `${literal.replaceAll(/[*?[]/g, '[$&]')}${path.sep}**`;
}

function unreadable(file: string, code = ''): Cause {
  // U+FFFD stands for bytes that are not UTF-8. Such a name cannot be opened, or another file is opened instead.
  if (file.includes('\ufffd')) {
    const message = 'The name is not valid UTF-8, so the file or folder cannot be opened.';
    return preFlight(file, message, 'Rename it. No pattern can exclude it.');
  }
  const message = `The file or folder cannot be read (${code}), so not all files can be found.`;
  const fix = "Give the job's user read access to it, and run this step after every step that moves or writes files.";
  return preFlight(file, message, fix);
}
