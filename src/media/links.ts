import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Cause, EXCLUDE_IT, GateError, preFlight } from '../lib/cause.ts';
import { count } from '../lib/format.ts';
import type { FoundFile } from './file.ts';
import { isIn, type PathMatcher } from './patterns.ts';

/** What a walk found that follows no link. Paths are relative to the root, with forward slashes. */
export interface Tree {
  /** Absolute, without links. */
  readonly root: string;
  readonly files: readonly string[];
  readonly links: readonly string[];
}

/** Links that lead into each other can make any number of paths. */
const MAX_LINKED_PATHS = 10_000;

/**
 * The selected files that are reached through links, under the links' paths. A link must lead to a file or folder in the
 * root, because only those are the team's own, and everything else could be a secret of the machine.
 */
export async function followLinks(tree: Tree, matcher: PathMatcher): Promise<readonly FoundFile[]> {
  if (tree.links.length === 0) return [];
  const found: FoundFile[] = [];
  const problems: Cause[] = [];
  const targets = new Map<string, Promise<Target>>();
  const children = Map.groupBy([...foldersOf(tree), ...tree.files, ...tree.links], (entry) =>
    path.posix.dirname(entry),
  );
  const [files, links] = [new Set(tree.files), new Set(tree.links)];
  let visited = 0;

  /** @param entered the folders that links on the way led to: a circle ends when one comes again */
  const visitLink = async (shown: string, link: string, entered: readonly string[]): Promise<void> => {
    const [isSelected, canSelect] = [matcher.selects(shown), matcher.canSelectIn(shown)];
    if (!isSelected && !canSelect) return;
    const target = targets.get(link) ?? resolve(tree.root, link);
    targets.set(link, target);
    const { kind, real } = await target;
    if (!(kind === 'folder' ? canSelect : isSelected)) return;
    if (kind === 'nothing') problems.push(brokenLink(shown));
    else if (real === undefined) problems.push(linkOutOfRoot(shown));
    else if (kind === 'file') found.push(fileThroughLink(shown, real, tree.root));
    else if (!entered.includes(real)) await visitFolder(shown, real, [...entered, real]);
  };

  const visitFolder = async (shown: string, folder: string, entered: readonly string[]): Promise<void> => {
    for (const child of children.get(folder) ?? []) {
      visited += 1;
      if (visited > MAX_LINKED_PATHS) throw new GateError(tooManyPaths(shown));
      const childShown = `${shown}/${path.posix.basename(child)}`;
      if (links.has(child)) await visitLink(childShown, child, entered);
      else if (files.has(child)) {
        if (matcher.selects(childShown)) found.push(fileThroughLink(childShown, child, tree.root));
      } else if (matcher.canSelectIn(childShown)) await visitFolder(childShown, child, entered);
    }
  };

  for (const link of tree.links) await visitLink(link, link, []);
  if (problems.length > 0) throw new GateError(problems);
  return found;
}

interface Target {
  readonly kind: 'file' | 'folder' | 'nothing';
  /** Relative to the root, `.` for the root itself; undefined if it is elsewhere or among Git's own files. */
  readonly real?: string;
}

async function resolve(root: string, link: string): Promise<Target> {
  try {
    const absolute = await realpath(path.join(root, link));
    const stats = await stat(absolute);
    const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'nothing';
    const real = path.relative(root, absolute).replaceAll(path.sep, '/') || '.';
    const isElsewhere = real === '..' || real.startsWith('../') || path.isAbsolute(real) || isIn('.git', real);
    return isElsewhere ? { kind } : { kind, real };
  } catch {
    return { kind: 'nothing' };
  }
}

/** All folders that hold a file or a link. */
function foldersOf({ files, links }: Tree): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const entry of [...files, ...links]) {
    for (let folder = path.posix.dirname(entry); folder !== '.' && !folders.has(folder); ) {
      folders.add(folder);
      folder = path.posix.dirname(folder);
    }
  }
  return folders;
}

function fileThroughLink(shown: string, real: string, root: string): FoundFile {
  return { path: shown, absolutePath: path.join(root, real), realPath: real };
}

function brokenLink(link: string): Cause {
  const message = 'The symbolic link does not lead to a file, so what it stands for cannot be checked.';
  return preFlight(link, message, `Remove the link, or ${EXCLUDE_IT}`);
}

function linkOutOfRoot(link: string): Cause {
  const message =
    'The symbolic link leads out of the folder that is searched, so what it stands for cannot be checked.';
  return preFlight(link, message, `Put the file or folder itself there, or ${EXCLUDE_IT}`);
}

function tooManyPaths(link: string): Cause {
  const message = `More than ${count(MAX_LINKED_PATHS)} paths lead through symbolic links.`;
  return preFlight(link, message, `Remove the link, or ${EXCLUDE_IT}`);
}
