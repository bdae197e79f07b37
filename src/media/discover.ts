import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Cause, GateError, workflowOwner } from '../lib/cause.ts';
import { formatList, plural } from '../lib/format.ts';
import { type FoundFile, readProblem } from './file.ts';
import { findPaths } from './find-paths.ts';
import { type FilePatterns, hasDefaultExtension, isIn } from './patterns.ts';
import { entriesBelow, entriesOf } from './tree.ts';

/** The result of `discover`, and the input of `inspect`. */
export interface Discovery {
  /** Sorted by path. */
  readonly files: readonly FoundFile[];
  /**
   * Media that the patterns do not select and that no `!` line excludes, sorted by path. People publish files like
   * these, so the report names them.
   */
  readonly unchecked: readonly string[];
  /**
   * Folders with media of the default extensions that the patterns do not reach, largest first. Only a dry run and a
   * run without files look for them.
   */
  readonly elsewhere: readonly { readonly folder: string; readonly files: number }[];
  /** Notices about patterns that match no file, and about files that are not checked. */
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
  const found = await findPaths(root, patterns).catch((error: unknown) => {
    throw asGateError(error, root);
  });
  const decisions = Object.groupBy(found.keys(), (file) => patterns.decide(file) ?? 'unmatched');
  const { selected = [], excluded = [], 'left-out': leftOut = [] } = decisions;
  const elsewhere = isDryRun || selected.length === 0 ? await mediaElsewhere(patterns, root) : [];
  const unmatched = patterns.unmatched([...selected, ...excluded, ...leftOut]);
  return {
    files: selected.toSorted().map((file) => {
      const real = found.get(file) ?? file;
      return { path: file, absolutePath: path.join(root, real), ...(real !== file && { realPath: real }) };
    }),
    unchecked: [],
    elsewhere,
    notices: [
      ...unmatched.map(({ text }) => `The pattern "${text}" of the input \`files\` matches no file.`),
      ...(leftOut.length > 0 ? [describeLeftOut(leftOut)] : []),
      ...(elsewhere.length > 0 ? [describeElsewhere(elsewhere)] : []),
    ],
  };
}

/** Empty if the workspace cannot be listed. */
async function mediaElsewhere(patterns: FilePatterns, root: string): Promise<Discovery['elsewhere']> {
  const entries = await entriesBelow(root, '').catch(() => []);
  const missed = entries
    .filter(({ kind }) => kind === 'file')
    .map((entry) => entry.path)
    .filter((file) => hasDefaultExtension(file) && patterns.decide(file) === undefined && !isIn('node_modules', file));
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

function describeLeftOut(files: readonly string[]): string {
  const [has, is] = files.length === 1 ? ['has', 'is'] : ['have', 'are'];
  return `${plural(files.length, 'file')} that the input \`files\` reaches only through a folder or a wildcard ${has} none of the default extensions and ${is} not checked: ${formatList(files.toSorted(), 3)}. To check such files, add a line that ends in their extension or name, such as \`**/*.txt\`.`;
}

/** A folder that cannot be read ends the run: otherwise its files would not be checked. */
function asGateError(error: unknown, root: string): unknown {
  if (!(error instanceof Error && 'path' in error && 'code' in error)) return error;
  const file = path.relative(root, String(error.path)).replaceAll(path.sep, '/');
  return new GateError(readProblem(file, String(error.code)), { cause: error });
}

export function noFilesMatch(searchRoot: string): Cause {
  const message = 'No file matches the input `files`, so nothing was checked.';
  const fix = `If there should be media in ${searchRoot}, correct \`files\` or \`working-directory\`. If not, set \`if-no-files-found: ignore\`.`;
  return { reason: 'no-files', message, steps: [workflowOwner(fix)] };
}

/** A missing checkout is an error: otherwise no file would match, and the run would end as if there were no media. */
const NOT_CHECKED_OUT: Cause = {
  reason: 'checkout',
  message: 'The workspace is empty: there are no files to check.',
  steps: [workflowOwner('Run `actions/checkout` in a step before this one.')],
};
