import { readdirSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { dirname, join } from 'node:path/posix';
import { create } from '@actions/glob';
import { author, type Cause, FILE, GateError, workflowOwner } from '../causes/cause.ts';
import { isSystemError, pathIn } from '../lib/folders.ts';
import { count } from '../lib/format.ts';
import { asReadProblem } from './file.ts';
import { type FilePatterns, isIn } from './patterns.ts';

/** Limits the paths through links, because links to folders with links can make any number of paths. */
const MAX_LINKED_PATHS = 10_000;

interface Place {
  /** The path of the file or folder as the user sees it. Patterns are compared with this path. */
  readonly shown: string;
  /** The path without links. It differs from `shown` if `shown` leads through a link. */
  readonly real: string;
}

/**
 * Returns the paths of files that the patterns may select, including paths through links, each with the real path of
 * its file. Throws a `GateError` for a folder that cannot be read, because its files would not be checked; for a link to
 * a target outside the root, which could be a secret of the machine; and for a link to a missing target, which a sparse
 * checkout may have left out.
 */
export async function findPaths(root: string, patterns: FilePatterns): Promise<ReadonlyMap<string, string>> {
  try {
    return await walk(root, patterns);
  } catch (error) {
    const place = isSystemError(error) ? path.relative(root, error.path ?? '') : '';
    throw asReadProblem(error, place.replaceAll(path.sep, '/'));
  }
}

async function walk(root: string, patterns: FilePatterns): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const problems: Cause[] = [];
  /** Links that lead back to a folder in `entered`, each with the path at which that folder was entered. */
  const circles: { readonly link: string; readonly entrance: string }[] = [];
  /** Folders and links that were not searched, because the patterns select nothing in them. */
  const skipped: string[] = [];
  let linkedPaths = 0;

  /** @param entered the folders that were entered through a link to reach this folder */
  const visitFolder = async ({ shown, real }: Place, entered: readonly Place[]): Promise<void> => {
    if (!patterns.shouldSearch(shown)) return void skipped.push(shown);
    // A folder that is searched as a whole is listed at once with everything below it; an excluded one is not opened.
    // The root and folders behind links are listed level by level: the root may have large folders that need no search,
    // such as `node_modules`.
    const isListedWhole = shown !== '' && shown === real && patterns.searchesEverythingIn(shown);
    for (const { path: inside, kind } of isListedWhole ? await entriesBelow(root, real) : entriesOf(root, real)) {
      const child = { shown: join(shown, inside), real: join(real, inside) };
      linkedPaths += entered.length > 0 ? 1 : 0;
      if (linkedPaths > MAX_LINKED_PATHS) throw new GateError(linkProblem(shown, 'too many', true));
      if (kind === 'file') found.set(child.shown, child.real);
      else await (kind === 'folder' ? visitFolder : visitLink)(child, entered);
    }
  };

  const visitLink = async ({ shown, real: link }: Place, entered: readonly Place[]): Promise<void> => {
    const [isSelected, isSearched] = [patterns.selects(shown), patterns.shouldSearch(shown)];
    if (!isSelected && !isSearched) return void skipped.push(shown);
    const target = await targetOf(root, link);
    if (!target) {
      // The target may be a file or a folder, so only a `!` line with exactly the path of the link excludes it.
      if (!patterns.isExcludedByName(shown)) problems.push(linkProblem(shown, 'nowhere'));
      return;
    }
    const { isFolder, real } = target;
    const before = entered.find((each) => each.real === real);
    if (real === undefined) {
      if (isFolder ? isSearched : isSelected) problems.push(linkProblem(shown, 'outside', isFolder));
    } else if (!isFolder) found.set(shown, real);
    else if (before) circles.push({ link: shown, entrance: before.shown });
    else await visitFolder({ shown, real }, [...entered, { shown, real }]);
  };

  await visitFolder({ shown: '', real: '' }, []);
  // A link back to a folder in `entered` is not followed. It hides nothing if every media file in that folder is
  // selected already. Otherwise `files` may select one by its path through the link, so the link is a problem.
  const isUnselected = (file: string): boolean => patterns.isSelectableName(file) && !patterns.selects(file);
  const unselected = circles.length > 0 ? [...skipped, ...[...found.keys()].filter(isUnselected)] : [];
  const incomplete = new Set(unselected.flatMap(foldersAbove));
  for (const { link, entrance } of circles)
    if (incomplete.has(entrance)) problems.push(linkProblem(link, 'circle', true));
  if (problems.length > 0) throw new GateError(problems);
  return found;
}

interface Target {
  readonly isFolder: boolean;
  /** Relative to the root. Undefined if the target is outside the root, in `.git`, or neither a file nor a folder. */
  readonly real?: string;
}

/** Resolves a link. Returns undefined if its target is missing. */
async function targetOf(root: string, link: string): Promise<Target | undefined> {
  try {
    const absolute = await realpath(path.join(root, link));
    const stats = await stat(absolute);
    const isFolder = stats.isDirectory();
    const real = pathIn(root, absolute)?.replaceAll(path.sep, '/');
    const isUsable = real !== undefined && !isIn('.git', real) && (isFolder || stats.isFile());
    return isUsable ? { isFolder, real } : { isFolder };
  } catch {
    return undefined;
  }
}

/** A file, folder or link in a listed folder. */
export interface Entry {
  /** Relative to the listed folder, with forward slashes. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
}

/** Lists what is directly in a folder (relative to the root), without `.git`, pipes and other special files. */
export function entriesOf(root: string, folder: string): readonly Entry[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry): readonly Entry[] => {
    const { name } = entry;
    // Node replaces bytes that are not UTF-8 with this character. Opening the changed name fails or opens another file.
    if (name.includes('\ufffd')) throw new GateError(invalidName(join(folder, name)));
    if (name === '.git') return [];
    if (entry.isDirectory()) return [{ path: name, kind: 'folder' }];
    if (entry.isSymbolicLink()) return [{ path: name, kind: 'link' }];
    return entry.isFile() ? [{ path: name, kind: 'file' }] : [];
  });
}

/** `matchDirectories` returns a folder before its entries are opened, so that `entriesOf` finds invalid names first. */
const GLOB_OPTIONS = { followSymbolicLinks: false, implicitDescendants: false, matchDirectories: true };

/** Lists the files and links in a folder and below it, and follows no link. */
export async function entriesBelow(root: string, folder: string): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  const top = path.join(root, folder);
  const globber = await create(patternForFolders(top), GLOB_OPTIONS);
  for await (const each of globber.globGenerator()) {
    const inside = pathIn(top, each)?.replaceAll(path.sep, '/');
    // The pattern can also match a folder beside this one.
    if (inside === undefined || isIn('.git', inside)) continue;
    for (const entry of entriesOf(root, join(folder, inside)))
      if (entry.kind !== 'folder') found.push({ ...entry, path: join(inside, entry.path) });
  }
  return found;
}

/** A glob for a folder and all folders below it. Special characters in the path of the folder are escaped. */
function patternForFolders(folder: string): string {
  const literal = path.sep === '\\' ? folder : folder.replaceAll('\\', '\\\\');
  // `?` stands for every kind of line break: a glob cannot contain one, and the library logs the glob.
  return `${literal.replaceAll(/[*?[]/g, '[$&]').replaceAll(/[\n\r\u2028\u2029]/g, '?')}${path.sep}**${path.sep}`;
}

/** The nearest folder comes first. The root is left out. */
export function foldersAbove(file: string): readonly string[] {
  const folder = dirname(file);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}

/** Why what is behind a link cannot be checked. */
const LINK_PROBLEMS = {
  outside: 'The symbolic link leads out of the files that are searched, so its target cannot be checked.',
  nowhere: 'The symbolic link leads nowhere: its target does not exist, or was left out by a sparse checkout.',
  circle:
    'The symbolic link leads back to a folder above it, and `files` does not select every media file in that folder.',
  'too many': `More than ${count(MAX_LINKED_PATHS)} paths lead through symbolic links.`,
} as const;

function linkProblem(link: string, problem: keyof typeof LINK_PROBLEMS, isFolder = false): Cause {
  const putItself = author(`Put the file or folder itself at ${FILE}, or remove the link. Then commit and push.`);
  const line = isFolder ? `!${link}/**` : `!${link}`;
  const exclude = workflowOwner(`Or, if nothing there is published, add the line \`${line}\` to the input \`files\`.`);
  return { reason: 'pre-flight', path: link, message: LINK_PROBLEMS[problem], steps: [putItself, exclude] };
}

function invalidName(file: string): Cause {
  const message = 'The name is not valid UTF-8, so the file or folder cannot be opened.';
  return { reason: 'pre-flight', path: file, message, steps: [author(`Rename ${FILE}, commit and push.`)] };
}
