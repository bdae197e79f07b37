import { readdirSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Cause, forOwner, GateError } from '../causes/cause.ts';
import { foldersAbove } from '../lib/file-system.ts';
import { formatList, plural } from '../lib/format.ts';
import { type FoundFile, unreadableProblem } from './file.ts';
import { findLinkProblems } from './links.ts';
import { DEFAULT_PATTERNS, isMedia } from './media-types.ts';
import { exclusionOf, FilePatterns, isFileName } from './patterns.ts';
import { hasInvalidName, INVALID_NAME, listBelow } from './walk.ts';

/** The result of `discover`, and the input of `inspect`. */
export interface Discovery {
  /** Sorted by path. */
  readonly files: readonly FoundFile[];
  /** The paths of media in searched folders that the patterns neither select nor exclude, sorted. The report names them. */
  readonly unchecked: readonly string[];
  /** The number of files that a pattern matches but does not select, without those in `unchecked`. */
  readonly leftOut: number;
  readonly notices: readonly string[];
}

/**
 * Finds the files that the input `files` selects. Throws a `GateError` for everything that may hide a selected file: a
 * link, a folder that cannot be opened, a name that is not UTF-8.
 *
 * @param isDryRun whether to report media outside the patterns even if the patterns select some files
 */
export async function discover(patterns: FilePatterns, searchRoot: string, isDryRun = false): Promise<Discovery> {
  const root = await realpath(searchRoot).catch(() => undefined);
  if (root === undefined || foldersAndFiles(root).length === 0) throw new GateError(NOT_CHECKED_OUT);
  const canSelectIn = (folder: string): boolean => patterns.search(folder) !== 'nowhere';
  const { files, links: all, unreadable } = await listBelow(root, '', canSelectIn);
  // Other links lead to nothing that a reader could take for a selected file.
  const links = all.filter((link) => patterns.selects(link) || canSelectIn(link));
  const invalid = [...files.filter(hasInvalidName).filter(patterns.selects), ...links.filter(hasInvalidName)];
  for (const place of invalid) unreadable.set(place, INVALID_NAME);
  const problems = [...unreadable].map(([place, error]) => unreadableProblem(place, error));
  for (const link of links) if (!unreadable.has(link)) problems.push(...(await findLinkProblems(root, link, patterns)));
  if (problems.length > 0) throw new GateError(problems);
  const byDecision = Object.groupBy(files.toSorted(), (file) => patterns.decide(file));
  const { selected = [], excluded = [], 'left out': leftOut = [], unmatched = [] } = byDecision;
  // Searched folders are those in which a line can select a file directly, not those above them.
  const isInSearchedFolder = (file: string): boolean => patterns.search(foldersAbove(file)[0] ?? '') === 'here';
  const unchecked = [...leftOut.filter(isMedia), ...unmatched.filter(isMedia).filter(isInSearchedFolder)].toSorted();
  const elsewhere = isDryRun || selected.length === 0 ? await describeElsewhere(root, patterns) : [];
  return {
    files: selected.map((file) => ({ path: file, absolutePath: path.join(root, file) })),
    unchecked,
    leftOut: leftOut.filter((file) => !isMedia(file)).length,
    notices: [
      ...patterns
        .idle([...selected, ...excluded, ...leftOut])
        .map((line) => `The pattern "${line}" of the input \`files\` matches no file.`),
      ...describeFolders(patterns, [...selected, ...unchecked]),
      ...elsewhere,
    ],
  };
}

/** The names at the top of the checkout, without `.git`. */
function foldersAndFiles(root: string): readonly string[] {
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) =>
    entry.name === '.git' ? [] : entry.name + (entry.isDirectory() ? '/' : ''),
  );
}

/** Notices about folders such as `x.svg`: a `!` line such as `!**\/*.svg` does not exclude the files in them. */
function describeFolders(patterns: FilePatterns, files: readonly string[]): readonly string[] {
  const folders = [...new Set(files.flatMap(foldersAbove))].toSorted();
  return folders
    .filter((folder) => isFileName(folder) && patterns.decide(folder) === 'excluded')
    .map(
      (folder) =>
        `The files in the folder ${folder} are not excluded: a \`!\` line that ends in a file extension matches files only. To exclude them, add the line \`${exclusionOf(folder)}\` to the input \`files\`.`,
    );
}

/**
 * "12 media files elsewhere: assets/ (7), content/ (5)": the media that the default patterns would select and no pattern
 * matches, by top-level folder.
 */
async function describeElsewhere(root: string, patterns: FilePatterns): Promise<readonly string[]> {
  const defaults = new FilePatterns(DEFAULT_PATTERNS);
  const { files } = await listBelow(root, '', (folder) => defaults.search(folder) !== 'nowhere');
  const missed = files.filter((file) => defaults.selects(file) && patterns.decide(file) === 'unmatched');
  if (missed.length === 0) return [];
  const folders = [...Map.groupBy(missed.toSorted(), (file) => /^[^/]+(?=\/)/.exec(file)?.[0] ?? '.')]
    .toSorted(([, some], [, others]) => others.length - some.length)
    .map(([folder, { length }]) => `${folder}/ (${length})`);
  return [
    `${plural(missed.length, 'media file')} elsewhere: ${formatList(folders)}. To check one of these folders, add it to the input \`files\`.`,
  ];
}

/** For the log: "12 files to check". */
export function describeSearch({ files, leftOut }: Discovery): string {
  const others = `; ${plural(leftOut, 'other file')} matched and left out: no media by name, and no line names them`;
  return `${plural(files.length, 'file')} to check${leftOut > 0 ? others : ''}`;
}

/** @param isExpected whether `if-no-files-found: ignore` is set already */
export function noFilesMatch({ userLines }: FilePatterns, searchRoot: string, isExpected: boolean): Cause {
  const lines =
    userLines.length > 0 ? formatList(userLines.map((line) => `\`${line}\``)) : 'the usual media extensions';
  const places = formatList(foldersAndFiles(searchRoot).filter((name) => name.endsWith('/'))) || 'none';
  const message = `No file matches the input \`files\` (${lines}), so nothing was checked. Folders here: ${places}.`;
  const otherwise = isExpected ? 'there is nothing to do' : 'set `if-no-files-found: ignore`';
  const fix = `If there should be media, correct \`files\` or \`working-directory\`. If not, ${otherwise}.`;
  return forOwner('no-files', message, fix);
}

/** A missing checkout is an error: otherwise no file would match, and the run would end as if there were no media. */
const NOT_CHECKED_OUT = forOwner(
  'checkout',
  'The workspace is empty: there are no files to check.',
  'Run `actions/checkout` in a step before this one.',
);
