import { lstatSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { create } from '@actions/glob';
import { author, type Cause, FILE, GateError, workflowOwner } from '../lib/cause.ts';
import type { FoundFile } from './file.ts';
import { followLinks, type Tree } from './links.ts';
import { decidingLine, type FilePattern, isIn } from './patterns.ts';

/** discover → inspect */
export interface Discovery {
  /** Sorted by path. */
  readonly files: readonly FoundFile[];
  /** Patterns without a match. */
  readonly notices: readonly string[];
}

export interface DiscoverOptions {
  /** Most of the built-in patterns match nothing, so that is not reported. */
  readonly isDefault?: boolean;
}

/**
 * Finds the files that the input `files` selects.
 *
 * @param searchRoot folder that the patterns are relative to
 */
export async function discover(
  lines: readonly FilePattern[],
  searchRoot: string,
  { isDefault = false }: DiscoverOptions = {},
): Promise<Discovery> {
  const tree = await walk(searchRoot);
  const decided = [...tree.entries]
    .filter(([, kind]) => kind === 'file')
    .map(([file]) => ({ file, line: decidingLine(lines, file) }))
    .filter(({ line }) => line);
  const selected = decided.filter(({ line }) => !line?.exclude);
  const files = [
    ...selected.map(({ file }) => ({ path: file, absolutePath: path.join(tree.root, file) })),
    ...(await followLinks(tree, lines)),
  ].toSorted(byPath);
  if (isDefault) return { files, notices: [] };
  const deciding = new Set(decided.map(({ line }) => line));
  const paths = [...decided.map(({ file }) => file), ...files.map((file) => file.path)];
  const unmatched = lines.filter(
    (line) => !line.exclude && !deciding.has(line) && !paths.some((file) => line.matches(file)),
  );
  const notices = unmatched.map(({ text }) => `The pattern "${text}" of the input \`files\` matches no file.`);
  return { files, notices };
}

/** The same order on every machine, whatever its language. */
function byPath(a: FoundFile, b: FoundFile): number {
  return a.path < b.path ? -1 : Number(a.path > b.path);
}

/** The patterns match no file at all. */
export function noFilesMatch(searchRoot: string): Cause {
  return {
    reason: 'no-files',
    message: 'No file matches the input `files`, so nothing was checked.',
    steps: [
      workflowOwner(
        `If there should be media in ${searchRoot}, correct \`files\` or \`working-directory\`. If not, set \`if-no-files-found: ignore\`.`,
      ),
    ],
  };
}

/** Folders are yielded as well, so that one whose name is not UTF-8 is noticed even if it looks like another one. */
const GLOB_OPTIONS = { followSymbolicLinks: false, implicitDescendants: false, matchDirectories: true };

/** Everything in a folder except Git's own files. */
async function walk(folder: string): Promise<Tree> {
  const root = await realpath(folder).catch(() => folder);
  const entries = new Map<string, 'file' | 'folder' | 'link'>();
  const start = root.endsWith(path.sep) ? root.length : root.length + 1;
  const relative = (absolute: string): string => absolute.slice(start).replaceAll(path.sep, '/');
  try {
    const globber = await create(patternForAll(root), GLOB_OPTIONS);
    for await (const found of globber.globGenerator()) {
      const entry = relative(found);
      if (entry === '' || isIn('.git', entry)) continue;
      if (entry.includes('\ufffd')) throw new GateError(unreadable(entry));
      const stats = lstatSync(found);
      if (stats.isFile()) entries.set(entry, 'file');
      else if (stats.isDirectory()) entries.set(entry, 'folder');
      else if (stats.isSymbolicLink()) entries.set(entry, 'link');
    }
  } catch (error) {
    if (!(error instanceof Error && 'path' in error && 'code' in error)) throw error;
    // Going on would check fewer files than the workflow asks for.
    throw new GateError(unreadable(relative(String(error.path)), String(error.code)), { cause: error });
  }
  if (entries.size === 0) throw new GateError(NOT_CHECKED_OUT);
  return { root, entries };
}

/** Without a checkout no file would match, and the gate would look as if there was nothing to check. */
const NOT_CHECKED_OUT: Cause = {
  reason: 'checkout',
  message: 'The workspace is empty: there are no files to check.',
  steps: [workflowOwner('Run `actions/checkout` in a step before this one.')],
};

/** A pattern for everything in a folder, whatever characters its path has. */
function patternForAll(folder: string): string {
  const literal = path.sep === '\\' ? folder : folder.replaceAll('\\', '\\\\');
  return `${literal.replaceAll(/[*?[]/g, '[$&]')}${path.sep}**`;
}

function unreadable(file: string, code = ''): Cause {
  // U+FFFD stands for bytes that are not UTF-8. Such a name cannot be opened, or another file is opened instead.
  if (file.includes('\ufffd')) {
    const message = 'The name is not valid UTF-8, so the file or folder cannot be opened.';
    const fix = `Rename ${FILE}, commit and push. No pattern can exclude it.`;
    return { reason: 'pre-flight', path: file, message, steps: [author(fix)] };
  }
  const message = `The file or folder cannot be read (${code}), so not all files can be found.`;
  const fix = `Give the job's user read access to ${FILE}, and run this step after every step that moves or writes files.`;
  return { reason: 'pre-flight', path: file, message, steps: [workflowOwner(fix)] };
}
