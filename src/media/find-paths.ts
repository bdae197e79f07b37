import { readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Cause, FILE, GateError, preFlight } from '../lib/cause.ts';
import { pathIn } from '../lib/folders.ts';
import { count } from '../lib/format.ts';
import { type FilePatterns, isIn } from './patterns.ts';
import { entriesBelow, entriesOf, joined } from './tree.ts';

/** Links that lead into each other can make any number of paths. */
const MAX_LINKED_PATHS = 10_000;

interface Place {
  /** Its path, by which patterns decide. */
  readonly shown: string;
  /** Where it is: another path if a link leads to it. */
  readonly real: string;
  /** The folders that links on the way led to: a circle ends when one comes again. */
  readonly entered: readonly string[];
}

/**
 * The paths of files that patterns may select, also through links, each with the path where its file is. A link must lead
 * to a file or folder in the root, because only those are the team's own, and everything else could be a secret of the
 * machine.
 */
export async function findPaths(root: string, patterns: FilePatterns): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const problems: Cause[] = [];
  let linkedPaths = 0;

  const visitFolder = async ({ shown, real, entered }: Place): Promise<void> => {
    if (!patterns.canSelectIn(shown)) return;
    const isWalked = shown === real && patterns.hasWildcardIn(shown);
    for (const { path: inside, kind } of isWalked ? await entriesBelow(root, real) : entriesOf(root, real)) {
      const child = { shown: joined(shown, inside), real: joined(real, inside), entered };
      linkedPaths += entered.length > 0 ? 1 : 0;
      if (linkedPaths > MAX_LINKED_PATHS) throw new GateError(tooManyPaths(shown));
      if (kind === 'file') found.set(child.shown, child.real);
      else await (kind === 'folder' ? visitFolder(child) : visitLink(child));
    }
  };

  const visitLink = async ({ shown, real: link, entered }: Place): Promise<void> => {
    const [isSelected, canSelectIn] = [patterns.selects(shown), patterns.canSelectIn(shown)];
    if (!isSelected && !canSelectIn) return;
    const { isFolder, real } = await resolve(root, link);
    if (real === undefined) {
      const isWanted = isFolder === undefined || (isFolder ? canSelectIn : isSelected);
      if (isWanted) problems.push(wrongLink(shown));
    } else if (!isFolder) found.set(shown, real);
    else if (!entered.includes(real)) await visitFolder({ shown, real, entered: [...entered, real] });
  };

  await visitFolder({ shown: '', real: '', entered: [] });
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
    const real = pathIn(root, absolute)?.replaceAll(path.sep, '/');
    const isUsable = real !== undefined && !isIn('.git', real) && (isFolder || stats.isFile());
    return isUsable ? { isFolder, real } : { isFolder };
  } catch {
    const target = path.resolve(root, path.dirname(link), await readlink(path.join(root, link)));
    return { isFolder: pathIn(root, target) === undefined ? undefined : false };
  }
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
