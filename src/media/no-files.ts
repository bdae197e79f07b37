import type { Cause } from '../lib/cause.ts';
import { formatList } from '../lib/format.ts';
import type { FilePattern } from './patterns.ts';

const MAX_PATTERNS = 5;

interface Search {
  readonly files: readonly FilePattern[];
  readonly filesAreDefault: boolean;
  readonly searchRoot: string;
}

/** Why a run without any matching file checks nothing. */
export function noFilesMatch({ files, filesAreDefault, searchRoot }: Search): Cause {
  const named = files.map(({ text }) => `\`${text}\``);
  const patterns = filesAreDefault ? 'the default patterns' : formatList(named, MAX_PATTERNS);
  return {
    reason: 'no-files',
    message: 'No file matches the input `files`, so nothing was checked.',
    fix: `Searched in ${searchRoot} for ${patterns}. If there should be media, correct \`files\` or \`working-directory\`. If not, set \`if-no-files-found: ignore\`.`,
  };
}
