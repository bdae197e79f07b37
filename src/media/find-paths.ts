import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { author, type Cause, FILE, GateError, preFlight, workflowOwner } from '../lib/cause.ts';
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
}

/** @param entered the folders that links on the way led to */
type Visit = (place: Place, entered: readonly Place[]) => Promise<void>;

/**
 * The paths of files that patterns may select, also through links, each with the path where its file is. A link must lead
 * to a file or folder in the root: anything else could be a secret of the machine, or is missing in a sparse checkout.
 */
export async function findPaths(root: string, patterns: FilePatterns): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const problems: Cause[] = [];
  /** Links back to a folder on their way, and the path at which that folder was entered. */
  const circles: { readonly link: string; readonly entrance: string }[] = [];
  /** Folders and links that were not looked into. */
  const skipped: string[] = [];
  let linkedPaths = 0;

  const visitFolder: Visit = async ({ shown, real }, entered) => {
    if (!patterns.canSelectIn(shown)) return void skipped.push(shown);
    const isWalked = shown === real && patterns.hasWildcardIn(shown);
    for (const { path: inside, kind } of isWalked ? await entriesBelow(root, real) : entriesOf(root, real)) {
      const child = { shown: joined(shown, inside), real: joined(real, inside) };
      linkedPaths += entered.length > 0 ? 1 : 0;
      if (linkedPaths > MAX_LINKED_PATHS) throw new GateError(tooManyPaths(shown));
      if (kind === 'file') found.set(child.shown, child.real);
      else await (kind === 'folder' ? visitFolder : visitLink)(child, entered);
    }
  };

  const visitLink: Visit = async ({ shown, real: link }, entered) => {
    const [isSelected, canSelectIn] = [patterns.selects(shown), patterns.canSelectIn(shown)];
    if (!isSelected && !canSelectIn) return void skipped.push(shown);
    const { isFolder, real } = await resolve(root, link);
    const before = entered.find((each) => each.real === real);
    if (real === undefined) {
      const isWanted = isFolder === undefined || (isFolder ? canSelectIn : isSelected);
      if (isWanted) problems.push(linkProblem(shown, NOWHERE));
    } else if (!isFolder) found.set(shown, real);
    else if (before) circles.push({ link: shown, entrance: before.shown });
    else await visitFolder({ shown, real }, [...entered, { shown, real }]);
  };

  await visitFolder({ shown: '', real: '' }, []);
  const isUnselected = (file: string): boolean => patterns.couldSelect(file) && !patterns.selects(file);
  const unselected = circles.length > 0 ? [...skipped, ...[...found.keys()].filter(isUnselected)] : [];
  const incomplete = new Set(unselected.flatMap(foldersAbove));
  for (const { link, entrance } of circles) if (incomplete.has(entrance)) problems.push(linkProblem(link, CIRCLE));
  if (problems.length > 0) throw new GateError(problems);
  return found;
}

interface Target {
  /** Undefined if nothing is there: where the files are published it may be either. */
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
    return { isFolder: undefined };
  }
}

function foldersAbove(file: string): readonly string[] {
  const folder = path.posix.dirname(file);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}

const NOWHERE =
  'The symbolic link leads to no file or folder in the folder that is searched, so what it stands for cannot be checked. A sparse checkout may have left it out.';
const CIRCLE =
  'The symbolic link leads back to a folder that contains it, and the patterns in `files` do not select every media file there at the first visit.';

function linkProblem(link: string, message: string): Cause {
  const fix = author(`Put the file or folder itself at ${FILE}, or remove the link. Then commit and push.`);
  const exclude = workflowOwner(
    `Or, if nothing behind it is published, add the line \`!${link}\` to the input \`files\`.`,
  );
  return { reason: 'pre-flight', path: link, message, steps: [fix, exclude] };
}

function tooManyPaths(link: string): Cause {
  const message = `More than ${count(MAX_LINKED_PATHS)} paths lead through symbolic links.`;
  return preFlight(link, message, `Remove the link ${FILE}`);
}
