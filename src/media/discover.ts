import { type Dirent, lstatSync, type Stats, statSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { create } from '@actions/glob';
import { type Cause, GateError } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import { formatList } from '../lib/format.ts';
import type { FoundFile } from './file.ts';
import { PathMatcher } from './match.ts';
import type { FilePattern } from './patterns.ts';

/** discover → inspect */
export interface Discovery {
  /** Sorted by path. */
  readonly files: readonly FoundFile[];
  /** Patterns without a match, symbolic links left out. */
  readonly notices: readonly string[];
}

export interface DiscoverOptions {
  /** Most of the built-in patterns match nothing, so that is not reported. */
  readonly isDefault?: boolean;
  readonly signal?: AbortSignal;
}

const MAX_LINKS_NAMED = 10;

/**
 * Finds the files that the input `files` selects.
 *
 * @param searchRoot folder that the patterns are relative to
 */
export async function discover(
  lines: readonly FilePattern[],
  searchRoot: string,
  options: DiscoverOptions = {},
): Promise<Discovery> {
  await assertCheckedOut(searchRoot);
  const found = await findFiles(searchRoot, lines, options.signal);
  return {
    files: found.files.map((file) => ({ path: file, absolutePath: path.join(searchRoot, file) })),
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

/** What the patterns find. Paths are relative to the root, with forward slashes, in the order of their code units. */
export interface FoundPaths {
  readonly files: readonly string[];
  /** Symbolic links that match, or that lead to a folder in which a pattern could match. They are not followed. */
  readonly links: readonly string[];
  /** Lines that matched something, or may have: a folder that a later line excludes is not searched. */
  readonly matchedLines: ReadonlySet<number>;
}

const GLOB_OPTIONS = { followSymbolicLinks: false, implicitDescendants: false, matchDirectories: false };

/** Each walk waits for one file at a time, so several of them keep Node's file threads busy. */
const CONCURRENT_WALKS = 8;

/** A line break ends a pattern, and U+FFFD stands for bytes that are not UTF-8. */
const CANNOT_BE_PATTERN = /[\n\r\ufffd]/;

/**
 * Finds the files that the lines select. `@actions/glob` walks one folder after the other, and the lines decide about
 * each path that it yields. The top level is listed, so that folders which no line can reach are not walked at all.
 */
export async function findFiles(
  searchRoot: string,
  lines: readonly FilePattern[],
  signal?: AbortSignal,
): Promise<FoundPaths> {
  const base = await realpath(searchRoot);
  const start = base.endsWith(path.sep) ? base.length : base.length + 1;
  const matcher = new PathMatcher(lines);
  const files = new Set<string>();
  const links = new Set<string>();
  const matchedLines = new Set<number>();
  const problems: Cause[] = [];

  const record = (file: string, entry: Dirent | Stats): void => {
    if (!entry.isFile() && !entry.isSymbolicLink()) return;
    const matching = matcher.linesMatching(file);
    for (const line of matching) matchedLines.add(line);
    if (matcher.isSelectedBy(matching)) (entry.isFile() ? files : links).add(file);
    else if (entry.isSymbolicLink() && matcher.canSelectUnder(file) && isFolder(path.join(base, file))) links.add(file);
  };

  /** Lists one folder. Returns its subfolders, which are still to be searched. */
  const list = async (folder: string): Promise<string[]> => {
    let entries: readonly Dirent[];
    try {
      entries = await readdir(path.join(base, folder), { withFileTypes: true });
    } catch (error) {
      // Going on would check fewer files than the workflow asks for.
      problems.push(unreadableFolder(folder, error));
      return [];
    }
    const subfolders: string[] = [];
    const ambiguous = namesUsedTwice(entries);
    for (const entry of entries) {
      const child = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const isSubfolder = entry.isDirectory();
      if (isSubfolder) for (const line of matcher.linesOverruledAt(child)) matchedLines.add(line);
      if (ambiguous.has(entry.name)) {
        if (isSubfolder ? matcher.canSelectUnder(child) : matcher.selects(child)) problems.push(ambiguousName(child));
      } else if (!isSubfolder) record(child, entry);
      else if (matcher.canSelectUnder(child)) subfolders.push(child);
    }
    return subfolders;
  };

  /** Walks everything under a folder. Returns subfolders that have to be searched on their own. */
  const walk = async (folder: string): Promise<string[]> => {
    signal?.throwIfAborted();
    const absolute = path.join(base, folder);
    if (CANNOT_BE_PATTERN.test(absolute) || matcher.needsSubfolder(folder)) return await list(folder);
    const withReplacement = new Set<string>();
    try {
      const globber = await create(patternForAll(absolute), GLOB_OPTIONS);
      for await (const found of globber.globGenerator()) {
        signal?.throwIfAborted();
        if (found.includes('\ufffd')) {
          if (withReplacement.has(found)) throw new Error('Two names look the same.');
          withReplacement.add(found);
        }
        const stats = lstatSync(found, { throwIfNoEntry: false });
        if (stats) record(found.slice(start).replaceAll(path.sep, '/'), stats);
      }
      return [];
    } catch {
      signal?.throwIfAborted();
      // One path that cannot be opened ends the walk. Level by level, the search goes around it, or names it.
      return await list(folder);
    }
  };

  signal?.throwIfAborted();
  let folders: readonly string[] = await list('');
  while (folders.length > 0) folders = (await concurrently(folders, CONCURRENT_WALKS, walk)).flat();

  if (problems.length > 0) throw new GateError(problems);
  return { files: [...files].toSorted(byCodeUnit), links: [...links].toSorted(byCodeUnit), matchedLines };
}

/** A pattern for all files under a folder, whatever characters its path has. */
function patternForAll(folder: string): string {
  const literal = path.sep === '\\' ? folder : folder.replaceAll('\\', '\\\\');
  return `${literal.replaceAll(/[*?[]/g, '[$&]')}${path.sep}**`;
}

/** Names that are not UTF-8 can look like another name, and then only one of the two can be opened. */
function namesUsedTwice(entries: readonly Dirent[]): ReadonlySet<string> {
  const names = entries.map(({ name }) => name).filter((name) => name.includes('\ufffd'));
  return new Set(names.filter((name, index) => names.indexOf(name) !== index));
}

function ambiguousName(path: string): Cause {
  return {
    reason: 'pre-flight',
    path,
    message: 'Two names in this folder are not valid UTF-8 and look the same, so only one of them could be checked.',
    fix: 'Rename both, or exclude them with a line that starts with `!` in the input `files`.',
  };
}

/** The same order on every machine, whatever its language. */
function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function isFolder(absolutePath: string): boolean {
  try {
    return statSync(absolutePath).isDirectory();
  } catch {
    // A link that leads nowhere hides no files.
    return false;
  }
}

function unreadableFolder(folder: string, error: unknown): Cause {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return {
    reason: 'pre-flight',
    path: folder === '' ? '.' : folder,
    message: `The folder cannot be read (${code}), so the files in it cannot be checked.`,
    fix: "Give the job's user read access to it, or exclude it with a line that starts with `!` in the input `files`.",
  };
}
