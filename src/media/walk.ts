import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Cause, GateError } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import { canMatch, enter, isSelected, linesMatching, type Reach, start } from './match.ts';
import { type FilePattern, nameOf } from './patterns.ts';

/** What the patterns find in the workspace. Paths are relative to it, with forward slashes. */
export interface Walk {
  readonly files: readonly string[];
  /** Symbolic links that match, or that lead to a directory where a pattern could. They are not followed. */
  readonly links: readonly string[];
  /** Lines that matched something, or may have: what a later line excludes as a whole is not walked. */
  readonly matched: ReadonlySet<number>;
}

interface Directory {
  readonly path: string;
  readonly reach: Reach;
}

/** Node reads with a few threads; some more directories waiting keep them busy. */
const LANES = 16;

/** Reads only the directories that a pattern can reach. */
export async function walk(workspace: string, lines: readonly FilePattern[], signal?: AbortSignal): Promise<Walk> {
  const files: string[] = [];
  const links: string[] = [];
  const matched = new Set<number>();
  const problems: Cause[] = [];

  const visit = async ({ path: parent, reach }: Directory): Promise<Directory[]> => {
    signal?.throwIfAborted();
    let entries: readonly Dirent[];
    try {
      entries = await readdir(path.join(workspace, parent), { withFileTypes: true });
    } catch (error) {
      // Going on would judge less than was asked for, and call it a pass.
      problems.push(unreadable(parent, error));
      return [];
    }
    const found: Directory[] = [];
    const confused = namesTwice(entries);
    for (const entry of entries) {
      const child = parent === '' ? entry.name : `${parent}/${entry.name}`;
      const name = nameOf(entry.name);
      if (entry.isDirectory()) {
        const below = enter(lines, reach, name);
        for (const line of below.cut) matched.add(line);
        if (!canMatch(lines, below)) continue;
        if (confused.has(entry.name)) problems.push(ambiguous(child));
        else found.push({ path: child, reach: below });
      } else if (entry.isFile() || entry.isSymbolicLink()) {
        const matching = linesMatching(lines, reach, name);
        for (const line of matching) matched.add(line);
        if (isSelected(lines, matching)) {
          if (confused.has(entry.name)) problems.push(ambiguous(child));
          else (entry.isFile() ? files : links).push(child);
        } else if (entry.isSymbolicLink() && canMatch(lines, enter(lines, reach, name))) {
          if (await isDirectory(path.join(workspace, child))) links.push(child);
        }
      }
    }
    return found;
  };

  const root = start(lines);
  let level: readonly Directory[] = canMatch(lines, root) ? [{ path: '', reach: root }] : [];
  while (level.length > 0) level = (await concurrently(level, LANES, visit)).flat();

  if (problems.length > 0) throw new GateError(problems);
  return { files: files.toSorted(byCodeUnit), links: links.toSorted(byCodeUnit), matched };
}

/**
 * Names that are not UTF-8 are read with a sign in place of each wrong byte. Where that makes two names the same, only
 * one of the two can be opened: the other would never be seen.
 */
function namesTwice(entries: readonly Dirent[]): ReadonlySet<string> {
  const [once, twice] = [new Set<string>(), new Set<string>()];
  for (const { name } of entries) if (name.includes('\ufffd')) (once.has(name) ? twice : once).add(name);
  return twice;
}

function ambiguous(path: string): Cause {
  return {
    reason: 'pre-flight',
    path,
    message: 'Two names in one directory are not UTF-8 and look the same, so only one of them could be checked.',
    fix: 'Rename them with letters that UTF-8 has, or exclude them with a line that starts with `!` in the input `files`.',
  };
}

/** The same order on every machine, whatever its language. */
function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

async function isDirectory(absolutePath: string): Promise<boolean> {
  try {
    return (await stat(absolutePath)).isDirectory();
  } catch {
    // A link that leads nowhere hides no files.
    return false;
  }
}

function unreadable(directory: string, error: unknown): Cause {
  const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return {
    reason: 'pre-flight',
    path: directory === '' ? '.' : directory,
    message: `The directory cannot be read (${why}), so the files in it cannot be checked.`,
    fix: 'Let the user of the job read it, or exclude it with a line that starts with `!` in the input `files`.',
  };
}
