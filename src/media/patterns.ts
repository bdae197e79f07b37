import { braceExpand, Minimatch } from 'minimatch';

/** The part of a pattern between two slashes. */
export interface Segment {
  readonly text: string;
  /** `**`: any number of folders, or none. */
  readonly anyDepth: boolean;
  matches(name: Name): boolean;
  /** As `matches`, with the extension in any case. */
  matchesFile(name: Name): boolean;
}

/** The name of a file or folder, in the forms that segments compare. */
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
  /** What the braces stand for. A pattern without segments means the whole root folder. */
  readonly alternatives: readonly (readonly Segment[])[];
}

export interface PatternRoot {
  /** Absolute path of the folder that patterns are relative to. */
  readonly searchRoot: string;
  /** On Windows `\` separates and case does not matter. */
  readonly windows: boolean;
}

/** More than that is an error: leaving some out would leave files unchecked. */
const MAX_ALTERNATIVES = 1_000;
const MAX_PATTERN_LENGTH = 1_000;

/** A line that is not a pattern. The message is a relative clause, to be put after the quoted line. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** Throws a `PatternError`. */
export function parsePattern(text: string, root: PatternRoot): FilePattern {
  let rest = text;
  let exclude = false;
  while (rest.startsWith('!')) {
    exclude = !exclude;
    rest = rest.slice(1).trim();
  }
  if (rest === '') throw new PatternError('which has nothing after the `!`');
  if (rest.length > MAX_PATTERN_LENGTH) throw new PatternError('which is too long');

  const pattern = relativeTo(root, (root.windows ? rest.replaceAll('\\', '/') : rest).normalize('NFC'));
  // The text itself is one alternative, so that a file called `{a,b}.png` can be named.
  const spellings = new Set([...braceExpand(pattern, { braceExpandMax: MAX_ALTERNATIVES }), pattern]);
  if (spellings.size > MAX_ALTERNATIVES)
    throw new PatternError(`whose braces stand for ${MAX_ALTERNATIVES} patterns or more`);
  const alternatives: (readonly Segment[])[] = [];
  for (const spelling of spellings) {
    const parts = spelling.split('/');
    if (isRooted(spelling, root.windows)) throw new PatternError('which is outside the folder that is searched');
    if (parts.includes('..')) throw new PatternError('which holds `..`: only files in the workspace can be sent');
    alternatives.push(segmentsOf(parts, root.windows));
  }
  return { text, exclude, alternatives };
}

/** Makes an absolute pattern inside the root relative, and leaves every other one as it is. */
function relativeTo({ searchRoot, windows: isWindows }: PatternRoot, pattern: string): string {
  const base = (isWindows ? searchRoot.replaceAll('\\', '/') : searchRoot).normalize('NFC').replace(/\/+$/, '');
  const [a, b] = isWindows ? [pattern.toLowerCase(), base.toLowerCase()] : [pattern, base];
  if (a === b) return '.';
  return a.startsWith(`${b}/`) ? `.${pattern.slice(base.length)}` : pattern;
}

function isRooted(pattern: string, isWindows: boolean): boolean {
  // Other actions read `~` as the home folder; a file of that name is `./~`.
  return /^(?:\/|~$|~\/)/.test(pattern) || (isWindows && /^[a-z]:/i.test(pattern));
}

function segmentsOf(parts: readonly string[], isWindows: boolean): readonly Segment[] {
  const isFolderOnly = parts.at(-1) === '';
  const kept = parts.filter((part) => part !== '' && part !== '.');
  // A pattern that matches a folder means everything under it, so a final `**` adds nothing, and a final slash asks for
  // at least one more level.
  if (isFolderOnly) kept.push('**', '*');
  while (kept.at(-1) === '**') kept.pop();
  return kept.map((part) => segmentOf(part, isWindows));
}

function segmentOf(text: string, isWindows: boolean): Segment {
  if (text === '**') return { text, anyDepth: true, matches: () => true, matchesFile: () => true };
  const foldedText = foldExtension(text);
  const plain = matcherOf(text, isWindows);
  const folded = foldedText === text ? plain : matcherOf(foldedText, isWindows);
  // Most names and patterns have a lower-case extension, and then the second test would be the first one again.
  const isSameTest = (name: Name): boolean => folded === plain && name.folded === name.text;
  return {
    text,
    anyDepth: false,
    matches: (name) => plain(name.text),
    matchesFile: (name) => folded(name.folded) || (!isSameTest(name) && plain(name.text)),
  };
}

function matcherOf(text: string, isWindows: boolean): (name: string) => boolean {
  const glob = compileGlob(text, isWindows);
  const literal = isWindows ? text.toLowerCase() : text;
  // A pattern that spells a name such as `x[1].png` means that file as well.
  return (name) => glob(name) || (isWindows ? name.toLowerCase() : name) === literal;
}

/** `A.PNG` becomes `A.png`: the case of an extension does not matter. A name such as `.PNG` is only an extension. */
function foldExtension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot === -1 ? name : name.slice(0, dot) + name.slice(dot).toLowerCase();
}

export function nameOf(raw: string): Name {
  // A name can be stored in two Unicode forms, and the pattern may be typed in the other one.
  const text = raw.normalize('NFC');
  return { text, folded: foldExtension(text) };
}

/** Matches one character; `many` matches any number of any characters. */
type Token = ((character: string) => boolean) | 'many';

/** A class in brackets. A `]` in first place is a member, and so can be `[:alpha:]`. */
const CLASS = /^\[[!^]?\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*\]/u;

/** `*.png`: most patterns have this form, so it has a fast path. */
const ENDING = /^\*([^*?[\]\\]+)$/;

/**
 * Makes a test for names from one segment of a pattern: `*`, `?`, classes and `\\`. Classes are left to `minimatch`; the
 * rest is not, because its regular expressions take exponential time on a pattern with many stars.
 */
export function compileGlob(pattern: string, ignoresCase: boolean): (name: string) => boolean {
  const ending = ENDING.exec(pattern)?.[1];
  if (ending !== undefined && !ignoresCase) return (name) => name.endsWith(ending);
  const tokens = parseTokens(pattern, ignoresCase);
  return (name) => matchesTokens(tokens, Array.from(name));
}

function parseTokens(pattern: string, ignoresCase: boolean): readonly Token[] {
  const tokens: Token[] = [];
  let rest = pattern;
  while (rest !== '') {
    // Without a `]` no class can match, and the search for one would take quadratic time.
    const text = (rest.includes(']') ? CLASS.exec(rest)?.[0] : undefined) ?? /^\\[^]|^[^]/u.exec(rest)?.[0] ?? rest;
    rest = rest.slice(text.length);
    if (text !== '*') tokens.push(parseCharacter(text, ignoresCase));
    else if (tokens.at(-1) !== 'many') tokens.push('many');
  }
  return tokens;
}

function parseCharacter(text: string, ignoresCase: boolean): Token {
  if (text === '?') return () => true;
  if (text.length > 2 && text.startsWith('[')) return parseClass(text, ignoresCase);
  const literal = text.startsWith('\\') && text.length > 1 ? text.slice(1) : text;
  return ignoresCase
    ? (character) => character.toLowerCase() === literal.toLowerCase()
    : (character) => character === literal;
}

function parseClass(text: string, ignoresCase: boolean): Token {
  const parsed = new Minimatch(text, {
    dot: true,
    nobrace: true,
    nocase: ignoresCase,
    noext: true,
    nonegate: true,
    nocomment: true,
    platform: 'linux',
  }).set[0]?.[0];
  if (parsed instanceof RegExp) return (character) => parsed.test(character);
  return (character) => character === parsed;
}

/** Goes back to the last star only, since an earlier one cannot match more, so the time is at most quadratic. */
function matchesTokens(tokens: readonly Token[], name: readonly string[]): boolean {
  let at = 0;
  let token = 0;
  let star: { readonly token: number; at: number } | undefined;
  while (at < name.length) {
    const current = tokens[token];
    if (current === 'many') {
      star = { token, at };
      token += 1;
    } else if (current?.(name[at] ?? '')) {
      at += 1;
      token += 1;
    } else if (star) {
      star.at += 1;
      at = star.at;
      token = star.token + 1;
    } else {
      return false;
    }
  }
  while (tokens[token] === 'many') token += 1;
  return token === tokens.length;
}

/**
 * What the input `files` stands for when it is not given. `.ts` and `.mts` are left to the user's own patterns: in most
 * repositories they are TypeScript. So are `.txt`, `.md`, `.html` and their like, which are seldom media.
 */
export const DEFAULT_PATTERNS: readonly string[] = [
  'mp4 m4v mov webm mkv avi wmv flv mpg mpeg m2ts 3gp ogv',
  'mp3 m4a aac wav flac ogg oga opus wma aif aiff',
  'jpg jpeg png apng gif webp avif heic heif tif tiff bmp svg psd',
  'pdf doc docx ppt pptx xls xlsx odt odp ods rtf epub',
].flatMap((extensions) => extensions.split(' ').map((extension) => `**/*.${extension}`));
