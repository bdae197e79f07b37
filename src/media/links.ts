import { readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Cause, FILE, GateError, preFlight } from '../lib/cause.ts';
import { count } from '../lib/format.ts';
import type { FoundFile } from './file.ts';
import { canSelectIn, type FilePattern, isIn, selects } from './patterns.ts';

/** What a walk found that follows no link. */
export interface Tree {
  /** Absolute, without links. */
  readonly root: string;
  /** By path relative to the root, with forward slashes. */
  readonly entries: ReadonlyMap<string, 'file' | 'folder' | 'link'>;
}

/** Links that lead into each other can make any number of paths. */
const MAX_LINKED_PATHS = 10_000;

/**
 * The selected files that are reached through links, under the links' paths. A link must lead to a file or folder in the
 * root, because only those are the team's own, and everything else could be a secret of the machine.
 */
export async function followLinks(
  { root, entries }: Tree,
  lines: readonly FilePattern[],
): Promise<readonly FoundFile[]> {
  const links = [...entries.keys()].filter((entry) => entries.get(entry) === 'link');
  if (links.length === 0) return [];
  const found: FoundFile[] = [];
  const problems: Cause[] = [];
  const targets = new Map<string, Promise<Target>>();
  const children = Map.groupBy(entries.keys(), (entry) => path.posix.dirname(entry));
  let visited = 0;

  /** @param entered the folders that links on the way led to: a circle ends when one comes again */
  const visitLink = async (shown: string, link: string, entered: readonly string[]): Promise<void> => {
    const [isSelected, canSelect] = [selects(lines, shown), canSelectIn(lines, shown)];
    if (!isSelected && !canSelect) return;
    const target = targets.get(link) ?? resolve(root, link);
    targets.set(link, target);
    const { isFolder, real } = await target;
    const isWanted = isFolder === undefined || (isFolder ? canSelect : isSelected);
    if (!isWanted) return;
    if (real === undefined) problems.push(wrongLink(shown));
    else if (!isFolder) found.push(fileThroughLink(shown, real, root));
    else if (!entered.includes(real)) await visitFolder(shown, real, [...entered, real]);
  };

  const visitFolder = async (shown: string, folder: string, entered: readonly string[]): Promise<void> => {
    for (const child of children.get(folder) ?? []) {
      visited += 1;
      if (visited > MAX_LINKED_PATHS) throw new GateError(tooManyPaths(shown));
      const childShown = `${shown}/${path.posix.basename(child)}`;
      const kind = entries.get(child);
      if (kind === 'link') await visitLink(childShown, child, entered);
      else if (kind === 'folder' && canSelectIn(lines, childShown)) await visitFolder(childShown, child, entered);
      else if (kind === 'file' && selects(lines, childShown)) found.push(fileThroughLink(childShown, child, root));
    }
  };

  for (const link of links) await visitLink(link, link, []);
  if (problems.length > 0) throw new GateError(problems);
  return found;
}

interface Target {
  /** Undefined if nothing is there and it lies out of the root: on another machine it may be either. */
  readonly isFolder: boolean | undefined;
  /** Relative to the root, `.` for the root itself; undefined if nothing is there, or it is elsewhere or among Git's own files. */
  readonly real?: string;
}

async function resolve(root: string, link: string): Promise<Target> {
  try {
    const absolute = await realpath(path.join(root, link));
    const stats = await stat(absolute);
    const isFolder = stats.isDirectory();
    const real = path.relative(root, absolute).replaceAll(path.sep, '/') || '.';
    const isUsable = !isOutside(real) && !isIn('.git', real) && (isFolder || stats.isFile());
    return isUsable ? { isFolder, real } : { isFolder };
  } catch {
    const target = path.resolve(root, path.dirname(link), await readlink(path.join(root, link)));
    return { isFolder: isOutside(path.relative(root, target)) ? undefined : false };
  }
}

/** @param relative to the root */
function isOutside(relative: string): boolean {
  return /^\.\.(?:[/\\]|$)/.test(relative) || path.isAbsolute(relative);
}

function fileThroughLink(shown: string, real: string, root: string): FoundFile {
  return { path: shown, absolutePath: path.join(root, real), realPath: real };
}

function wrongLink(link: string): Cause {
  const message =
    'The symbolic link leads to no file or folder in the folder that is searched, so what it stands for cannot be checked.';
  return preFlight(link, message, `Put the file or folder itself at ${FILE}`);
}

function tooManyPaths(link: string): Cause {
  const message = `More than ${count(MAX_LINKED_PATHS)} paths lead through symbolic links.`;
  return preFlight(link, message, `Remove the link ${FILE}`);
}
