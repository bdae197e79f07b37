import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Cause, forOwner, GateError } from '../causes/cause.ts';
import { concurrently } from '../lib/async.ts';
import { formatList, plural } from '../lib/format.ts';
import { type FoundFile, readAt, withFile } from './file.ts';
import { type Entry, entriesBelow, entriesOf, findPaths, foldersAbove } from './find-paths.ts';
import { hasDefaultExtension, isMediaName, typeOfName } from './media-types.ts';
import { type FilePattern, type FilePatterns, isIn, parsePattern } from './patterns.ts';
import { sniff } from './sniff.ts';

/** The result of `discover`, and the input of `inspect`. */
export interface Discovery {
  /** Sorted by path. */
  readonly files: readonly FoundFile[];
  /**
   * Media that the patterns do not select and that no `!` line excludes, sorted by path, and submodules that are not
   * checked out. People publish files like these, so the report names them.
   */
  readonly unchecked: readonly FoundFile[];
  /**
   * Top-level folders with files that have a default extension but match no pattern; most such files first. Empty
   * unless this is a dry run or no file is selected.
   */
  readonly elsewhere: readonly { readonly folder: string; readonly files: number }[];
  /** The number of files that a pattern matches but does not select, without those in `unchecked`. */
  readonly leftOut: number;
  /** Notices about patterns that match no file, about folders that look excluded but are not, and about `elsewhere`. */
  readonly notices: readonly string[];
}

/**
 * Finds the files that the input `files` selects.
 *
 * @param isDryRun whether to report media outside the patterns even if the patterns select some files
 */
export async function discover(patterns: FilePatterns, searchRoot: string, isDryRun = false): Promise<Discovery> {
  const root = await realpath(searchRoot).catch(() => undefined);
  if (root === undefined || entriesOf(root, '').length === 0) throw new GateError(NOT_CHECKED_OUT);
  const found = await findPaths(root, patterns);
  const fileAt = (file: string): FoundFile => {
    const real = found.get(file) ?? file;
    return { path: file, absolutePath: path.join(root, real), ...(real !== file && { realPath: real }) };
  };
  const paths = [...found.keys()].toSorted();
  const decisions = Object.groupBy(paths, (file) => patterns.decide(file));
  const { selected = [], excluded = [], 'left-out': leftOut = [], unmatched = [] } = decisions;
  const others = unmatched.filter((file) => mayBePublished(file) && patterns.canSelectBeside(file));
  const unchecked = [
    ...(await mediaAmong([...leftOut, ...others].toSorted().map(fileAt))),
    ...(await findEmptySubmodules(root, patterns, paths)),
  ];
  const uncheckedPaths = unchecked.map((file) => file.path);
  const unmatchedLines = patterns.unmatched([...selected, ...excluded, ...leftOut]);
  const isElsewhereShown = isDryRun || selected.length === 0;
  // The list is only for notices and `elsewhere`, so a workspace that cannot be listed does not end the run.
  const all = isElsewhereShown || unmatchedLines.length > 0 ? await entriesBelow(root, '').catch(() => []) : [];
  const elsewhere = isElsewhereShown ? mediaElsewhere(all, patterns) : [];
  return {
    files: selected.map(fileAt),
    unchecked,
    elsewhere,
    leftOut: new Set(leftOut).difference(new Set(uncheckedPaths)).size,
    notices: [
      ...unmatchedLines.map((line) => describeUnmatched(line, all)),
      ...describeFolders(patterns, [...selected, ...uncheckedPaths]),
      ...(elsewhere.length > 0 ? [describeElsewhere(elsewhere)] : []),
    ],
  };
}

/** Whether people may publish files of this name as media, although they are not checked by default. */
function mayBePublished(path: string): boolean {
  return isMediaName(path) && !hasDefaultExtension(path) && typeOfName(path)?.family !== 'text';
}

const CONCURRENCY = 8;

async function mediaAmong(notSelected: readonly FoundFile[]): Promise<readonly FoundFile[]> {
  const each = await concurrently(notSelected, CONCURRENCY, async (file) => ((await isMedia(file)) ? [file] : []));
  return each.flat();
}

/** Whether somebody may publish a file that is not selected as media. */
async function isMedia(file: FoundFile): Promise<boolean> {
  const hasMediaName = mayBePublished(file.path);
  try {
    return await withFile(file, async (handle, { size }) => {
      const { pointer, types } = await sniff(file.path, handle, size);
      // People keep films in Git LFS, but neither source code nor keys.
      if (pointer) return hasMediaName;
      const [type] = types;
      // Detection knows the bytes of documents, so a file called `.key` of other bytes is a private key.
      if (!type) return hasMediaName && typeOfName(file.path)?.category !== 'document';
      return type.family !== 'text' && (hasMediaName || type.category !== undefined);
    });
  } catch (error) {
    // A file that cannot be read does not end the run, because it is not checked anyway. Its extension decides.
    if (error instanceof GateError) return hasMediaName;
    throw error;
  }
}

const MAX_MODULES_BYTES = 1_000_000;

/**
 * The submodules in which the user selects files, and of which none was found: `actions/checkout` leaves submodules
 * empty by default. Their paths end in `/`.
 */
async function findEmptySubmodules(
  root: string,
  patterns: FilePatterns,
  found: readonly string[],
): Promise<readonly FoundFile[]> {
  const list = { path: '.gitmodules', absolutePath: path.join(root, '.gitmodules') };
  const reading = withFile(list, async (handle) => Buffer.from(await readAt(handle, 0, MAX_MODULES_BYTES)));
  const text = String(await reading.catch(() => ''));
  return [...text.matchAll(/^[ \t]*path[ \t]*=(.+)$/gm)]
    .map(([, value = '']) => value.trim().replaceAll('"', ''))
    .filter((folder) => !folder.startsWith('..') && patterns.canUserSelectIn(folder))
    .map((folder) => ({ path: `${folder}/`, absolutePath: path.join(root, folder) }))
    .filter((submodule) => !found.some((file) => file.startsWith(submodule.path)));
}

/** If the pattern matches a file in another letter case, names the file, or its folders before the first wildcard. */
function describeUnmatched({ text }: FilePattern, entries: readonly Entry[]): string {
  const lowered = parsePattern(text.toLowerCase(), { windows: path.sep === '\\' });
  const other = entries.find((entry) => lowered.matches(entry.path.toLowerCase()));
  const wildcard = text.split('/').findIndex((part) => /[*?{]/.test(part));
  const named = other?.path.split('/').slice(0, wildcard > 0 ? wildcard : undefined);
  const hint = named ? ` Upper and lower case differ: there is \`${named.join('/')}\`.` : '';
  return `The pattern "${text}" of the input \`files\` matches no file.${hint}`;
}

/** Notices about folders such as `x.svg`: a `!` line such as `!**\/*.svg` does not exclude the files in them. */
function describeFolders(patterns: FilePatterns, files: readonly string[]): readonly string[] {
  const folders = [...new Set(files.flatMap(foldersAbove))].toSorted();
  return folders
    .filter((folder) => isMediaName(folder) && patterns.decide(folder) === 'excluded')
    .map(
      (folder) =>
        `The files in the folder ${folder} are not excluded: a \`!\` line that ends in a file extension matches files only. To exclude them, add the line \`!${folder}/**\` to the input \`files\`.`,
    );
}

function mediaElsewhere(entries: readonly Entry[], patterns: FilePatterns): Discovery['elsewhere'] {
  const missed = entries
    .filter(({ kind }) => kind === 'file')
    .map((entry) => entry.path)
    .filter(
      (file) => hasDefaultExtension(file) && patterns.decide(file) === 'unmatched' && !isIn('node_modules', file),
    );
  return [...Map.groupBy(missed, (file) => /^[^/]+(?=\/)/.exec(file)?.[0] ?? '.')]
    .map(([folder, all]) => ({ folder, files: all.length }))
    .toSorted((one, other) => other.files - one.files);
}

/** "12 media files elsewhere: assets/ (7), content/ (5)". */
function describeElsewhere(elsewhere: Discovery['elsewhere']): string {
  const number = elsewhere.reduce((sum, { files }) => sum + files, 0);
  const folders = elsewhere.map(({ folder, files }) => `${folder}/ (${files})`);
  return `${plural(number, 'media file')} elsewhere: ${formatList(folders)}. To check one of these folders, add it to the input \`files\`.`;
}

/** For the log: "12 files to check". */
export function describeSearch({ files, leftOut }: Discovery): string {
  const others = `; ${plural(leftOut, 'other file')} below a folder or wildcard of \`files\` left out`;
  return `${plural(files.length, 'file')} to check${leftOut > 0 ? others : ''}`;
}

/** @param isExpected whether `if-no-files-found: ignore` is set already */
export function noFilesMatch(searchRoot: string, isExpected: boolean): Cause {
  const message = 'No file matches the input `files`, so nothing was checked.';
  const otherwise = isExpected ? 'there is nothing to do' : 'set `if-no-files-found: ignore`';
  const fix = `If there should be media in ${searchRoot}, correct \`files\` or \`working-directory\`. If not, ${otherwise}.`;
  return forOwner('no-files', message, fix);
}

/** A missing checkout is an error: otherwise no file would match, and the run would end as if there were no media. */
const NOT_CHECKED_OUT = forOwner(
  'checkout',
  'The workspace is empty: there are no files to check.',
  'Run `actions/checkout` in a step before this one.',
);
