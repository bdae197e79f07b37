import { braceExpand } from 'minimatch';
import { globOf } from './glob.ts';

/** One step of a pattern, from one directory to what is in it. */
export interface Segment {
  readonly text: string;
  /** `**`: any number of directories, none too. */
  readonly anyDepth: boolean;
  matches(name: Name): boolean;
  /** As `matches`, with the extension in any case. */
  matchesFile(name: Name): boolean;
}

/** The name of a directory entry, in the forms that segments compare. */
export interface Name {
  readonly text: string;
  /** With the extension in lower case. */
  readonly folded: string;
}

/** One line of the input `files`. */
export interface FilePattern {
  /** As the user wrote it. */
  readonly text: string;
  readonly exclude: boolean;
  /** What the braces stand for. A pattern without segments means the whole workspace. */
  readonly alternatives: readonly (readonly Segment[])[];
}

export interface PatternPlace {
  readonly workspace: string;
  /** There, `\` separates and case does not matter. */
  readonly windows: boolean;
}

/** Ends in an error, not in fewer patterns: what is cut off would not be checked. */
const MAX_ALTERNATIVES = 1_000;
const MAX_PATTERN_LENGTH = 1_000;

/** The pattern, or what is wrong with it, in words that fit behind a comma. */
export function parsePattern(text: string, place: PatternPlace): FilePattern | string {
  let rest = text;
  let exclude = false;
  while (rest.startsWith('!')) {
    exclude = !exclude;
    rest = rest.slice(1).trim();
  }
  if (rest === '') return 'which has nothing after the `!`';
  if (rest.length > MAX_PATTERN_LENGTH) return 'which is too long';

  const pattern = relativeTo(place, (place.windows ? rest.replaceAll('\\', '/') : rest).normalize('NFC'));
  // The text itself is an alternative too, so that a file that is really called `{a,b}.png` can be named.
  const spellings = new Set([...braceExpand(pattern, { braceExpandMax: MAX_ALTERNATIVES }), pattern]);
  if (spellings.size > MAX_ALTERNATIVES) return `whose braces stand for ${MAX_ALTERNATIVES} patterns or more`;
  const alternatives: (readonly Segment[])[] = [];
  for (const spelling of spellings) {
    const parts = spelling.split('/');
    if (isRooted(spelling, place.windows)) return 'which is outside the workspace';
    if (parts.includes('..')) return 'which holds `..`: only files in the workspace can be sent';
    alternatives.push(segmentsOf(parts, place.windows));
  }
  return { text, exclude, alternatives };
}

/** Takes the workspace off an absolute pattern, and leaves every other one as it is. */
function relativeTo({ workspace, windows }: PatternPlace, pattern: string): string {
  const root = (windows ? workspace.replaceAll('\\', '/') : workspace).normalize('NFC').replace(/\/+$/, '');
  const [a, b] = windows ? [pattern.toLowerCase(), root.toLowerCase()] : [pattern, root];
  if (a === b) return '.';
  return a.startsWith(`${b}/`) ? `.${pattern.slice(root.length)}` : pattern;
}

function isRooted(pattern: string, windows: boolean): boolean {
  // `~` is the home directory to people who know other actions; a file of that name is `./~`.
  return /^(?:\/|~$|~\/)/.test(pattern) || (windows && /^[a-z]:/i.test(pattern));
}

function segmentsOf(parts: readonly string[], windows: boolean): readonly Segment[] {
  const onlyDirectories = parts.at(-1) === '';
  const kept = parts.filter((part) => part !== '' && part !== '.');
  // A pattern that matches a directory means everything under it, so a `**` at the end says nothing more, and a slash
  // at the end asks for at least one step further.
  if (onlyDirectories) kept.push('**', '*');
  while (kept.at(-1) === '**') kept.pop();
  return kept.map((part) => segmentOf(part, windows));
}

function segmentOf(text: string, windows: boolean): Segment {
  if (text === '**') return { text, anyDepth: true, matches: () => true, matchesFile: () => true };
  const plain = matcherOf(text, windows);
  const folded = matcherOf(foldExtension(text), windows);
  return {
    text,
    anyDepth: false,
    matches: (name) => plain(name.text),
    matchesFile: (name) => folded(name.folded) || plain(name.text),
  };
}

function matcherOf(text: string, windows: boolean): (name: string) => boolean {
  const glob = globOf(text, windows);
  const literal = windows ? text.toLowerCase() : text;
  // A file may be called `x[1].png`: the pattern that spells it so means it too.
  return (name) => glob(name) || (windows ? name.toLowerCase() : name) === literal;
}

function foldExtension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot) + name.slice(dot).toLowerCase();
}

export function nameOf(raw: string): Name {
  // One name can be stored in two Unicode forms, and what a person types need not be the form on disk.
  const text = raw.normalize('NFC');
  return { text, folded: foldExtension(text) };
}
