import { readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Cause, FILE, GateError, preFlight } from '../lib/cause.ts';
import { count } from '../lib/format.ts';
import type { FoundFile } from './file.ts';
import { type FilePatterns, isIn } from './patterns.ts';
import type { Tree } from './tree.ts';

/** Links that lead into each other can make any number of paths. */
const MAX_LINKED_PATHS = 10_000;

/**
 * The files that are reached through links and that a line means, by the links' paths. A link must lead to a file or folder
 * in the root, because only those are the team's own, and everything else could be a secret of the machine.
 */
export async function followLinks(
  tree: Tree,
  links: ReadonlySet<string>,
  patterns: FilePatterns,
): Promise<ReadonlyMap<string, FoundFile>> {
  const found = new Map<string, FoundFile>();
  const problems: Cause[] = [];
  const targets = new Map<string, Promise<Target>>();
  let visited = 0;
  const add = (shown: string, real: string): unknown =>
    found.set(shown, { path: shown, absolutePath: path.join(tree.root, real), realPath: real });

  /** @param entered the folders that links on the way led to: a circle ends when one comes again */
  const visitLink = async (shown: string, link: string, entered: readonly string[]): Promise<void> => {
    const [decision, canSelect] = [patterns.decide(shown), patterns.canSelectIn(shown)];
    if (decision !== 'selected' && !canSelect) return;
    const target = targets.get(link) ?? resolve(tree.root, link);
    targets.set(link, target);
    const { isFolder, real } = await target;
    const isWanted = isFolder === undefined || (isFolder ? canSelect : decision === 'selected');
    if (real === undefined) {
      if (isWanted) problems.push(wrongLink(shown));
    } else if (!isFolder) add(shown, real);
    else if (isWanted && !entered.includes(real)) await visitFolder(shown, real, [...entered, real]);
  };

  const visitFolder = async (shown: string, folder: string, entered: readonly string[]): Promise<void> => {
    for (const [name, kind] of tree.entries(folder)) {
      visited += 1;
      if (visited > MAX_LINKED_PATHS) throw new GateError(tooManyPaths(shown));
      const [childShown, child] = [path.posix.join(shown, name), path.posix.join(folder, name)];
      if (kind === 'link') await visitLink(childShown, child, entered);
      else if (kind === 'folder' && patterns.canSelectIn(childShown)) await visitFolder(childShown, child, entered);
      else if (kind === 'file') add(childShown, child);
    }
  };

  for (const link of links) await visitLink(link, link, []);
  if (problems.length > 0) throw new GateError(problems);
  return found;
}

interface Target {
  /** Undefined if nothing is there and it lies out of the root: on another machine it may be either. */
  readonly isFolder: boolean | undefined;
  /** Relative to the root; undefined if nothing is there, or it is elsewhere or among Git's own files. */
  readonly real?: string;
}

async function resolve(root: string, link: string): Promise<Target> {
  try {
    const absolute = await realpath(path.join(root, link));
    const stats = await stat(absolute);
    const isFolder = stats.isDirectory();
    const real = path.relative(root, absolute).replaceAll(path.sep, '/');
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

function wrongLink(link: string): Cause {
  const message =
    'The symbolic link leads to no file or folder in the folder that is searched, so what it stands for cannot be checked.';
  return preFlight(link, message, `Put the file or folder itself at ${FILE}`);
}

function tooManyPaths(link: string): Cause {
  const message = `More than ${count(MAX_LINKED_PATHS)} paths lead through symbolic links.`;
  return preFlight(link, message, `Remove the link ${FILE}`);
}
