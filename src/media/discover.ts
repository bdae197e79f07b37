import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Cause, GateError, workflowOwner } from '../lib/cause.ts';
import { plural } from '../lib/format.ts';
import type { FoundFile } from './file.ts';
import { followLinks } from './links.ts';
import type { FilePatterns } from './patterns.ts';
import { type Kind, Tree } from './tree.ts';

/** discover → inspect */
export interface Discovery {
  /** Sorted by path. */
  readonly files: readonly FoundFile[];
  /** Patterns without a match, and what a line reaches and does not mean. */
  readonly notices: readonly string[];
}

/**
 * Finds the files that the input `files` selects.
 *
 * @param searchRoot folder that the patterns are relative to
 */
export async function discover(patterns: FilePatterns, searchRoot: string): Promise<Discovery> {
  const root = await realpath(searchRoot).catch(() => undefined);
  if (root === undefined) throw new GateError(NOT_CHECKED_OUT);
  const tree = new Tree(root);
  if (tree.entries('').size === 0) throw new GateError(NOT_CHECKED_OUT);
  const walked = await Promise.all(patterns.starts.map(async (start) => await tree.walk(start)));
  const pathsOf = (wanted: Kind): readonly string[] =>
    walked.flat().flatMap(({ path: each, kind }) => (kind === wanted ? [each] : []));
  const linked = await followLinks(tree, new Set(pathsOf('link')), patterns);
  const paths = Map.groupBy([...pathsOf('file'), ...linked.keys()], (file) => patterns.decide(file));
  const selected = paths.get('selected') ?? [];
  const leftOut = paths.get('left-out') ?? [];
  const unmatched = patterns.unmatched([...selected, ...leftOut, ...(paths.get('excluded') ?? [])]);
  return {
    files: selected
      .toSorted(inOrder)
      .map((file) => linked.get(file) ?? { path: file, absolutePath: path.join(root, file) }),
    notices: [
      ...unmatched.map(({ text }) => `The pattern "${text}" of the input \`files\` matches no file.`),
      ...(leftOut.length > 0 ? [describeLeftOut(leftOut)] : []),
    ],
  };
}

/** The same order on every machine, whatever its language. */
function inOrder(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

const MAX_EXAMPLES = 3;

function describeLeftOut(files: readonly string[]): string {
  const examples = files.toSorted(inOrder).slice(0, MAX_EXAMPLES).join(', ');
  const which = files.length > MAX_EXAMPLES ? `${examples}, …` : examples;
  return `${plural(files.length, 'file')} that the input \`files\` reaches only through a folder or a wildcard ${files.length === 1 ? 'has' : 'have'} none of the default extensions and ${files.length === 1 ? 'is' : 'are'} not checked: ${which}. To check such files, add a line that ends in their extension or name, such as \`**/*.txt\`.`;
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

/** Without a checkout no file would match, and the gate would look as if there was nothing to check. */
const NOT_CHECKED_OUT: Cause = {
  reason: 'checkout',
  message: 'The workspace is empty: there are no files to check.',
  steps: [workflowOwner('Run `actions/checkout` in a step before this one.')],
};
