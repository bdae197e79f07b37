import { DEFAULT_PATTERNS, hasDefaultExtension } from './media-types.ts';

/** Thrown for a line that is not a valid pattern. The message is a relative clause: "which is too long". */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** A line must have fewer alternatives. If some were ignored instead, files would stay unchecked. */
const MAX_ALTERNATIVES = 1_000;
const MAX_PATTERN_LENGTH = 1_000;

/** One line of the input `files`. */
export interface FilePattern {
  /** As the user wrote it. */
  readonly text: string;
  readonly isExclusion: boolean;
  /** Compiles when it is called: most waivers are never compared with a file. */
  readonly globs: () => readonly Glob[];
}

/** Throws a `PatternError` for an invalid line. */
export function parsePattern(text: string): FilePattern {
  const [, mark, pattern = ''] = /^(!?)\s*(.*)$/s.exec(text) ?? [];
  if (pattern === '') throw new PatternError('which has nothing after the `!`');
  if (pattern.length > MAX_PATTERN_LENGTH) throw new PatternError('which is too long');
  for (const glob of expandBraces(pattern)) {
    if (/^[/\\]/.test(glob)) throw new PatternError('which is not relative to the folder that is searched');
    if (glob.split(/[/\\]/).includes('..'))
      throw new PatternError('which holds `..`: only files in the workspace can be sent');
  }
  const isExclusion = mark === '!';
  const line: FilePattern = {
    text,
    isExclusion,
    globs: () => [
      ...expandBraces(pattern).map((glob) => compile(glob.replaceAll('\\', '/'), line)),
      // A line that equals a path matches it, even if the path has special characters.
      ...(/[*?{\\]/.test(pattern) ? [compile(pattern, line, true)] : []),
    ],
  };
  return line;
}

/** The path of a waiver, which matches files like a `!` line. */
export interface WaivedPath {
  readonly text: string;
  readonly matches: (path: string) => boolean;
}

/** Throws a `PatternError` for an invalid path. */
export function parseWaivedPath(text: string): WaivedPath {
  if (text.startsWith('!')) throw new PatternError('which begins with `!`');
  const patterns = new FilePatterns([parsePattern(`!${text}`)]);
  return { text, matches: (path) => patterns.decide(path) === 'excluded' };
}

function expandBraces(text: string): readonly string[] {
  const expanded = new Set<string>();
  const queue = [text];
  for (const each of queue) {
    if (queue.length > MAX_ALTERNATIVES)
      throw new PatternError(`whose braces stand for more than ${MAX_ALTERNATIVES} patterns`);
    const [, before = '', inside, after = ''] = /^(.*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(each) ?? [];
    if (inside === undefined) expanded.add(each);
    else queue.push(...inside.split(',').map((part) => before + part + after));
  }
  return [...expanded];
}

/** One alternative of a line. */
interface Glob {
  readonly line: FilePattern;
  /** What each part of a path must be. A final `**` is left out: what matches a folder matches everything in it. */
  readonly parts: readonly Part[];
  readonly matchesFiles: boolean;
  readonly matchesFolders: boolean;
  /** Whether the glob ends in a name or an extension, so that it selects files that are no media by default. */
  readonly isNaming: boolean;
  readonly namesNodeModules: boolean;
}

type Part = '**' | ((name: string) => boolean);

const EXTENSION = /\.[\p{L}\p{N}]+$/u;
/** What ends like this is the name of a file. A folder such as `.next` begins with its dot. */
const FILE_NAME = /.\.[\p{L}\p{N}]+$/u;

function compile(glob: string, line: FilePattern, isLiteral = false): Glob {
  const names = fold(glob)
    .split('/')
    .filter((part, index, all) => part !== '.' && (part !== '' || index === all.length - 1));
  const last = names.at(-1) ?? '';
  const matchesFiles = !['**', ''].includes(last);
  while (['**', ''].includes(names.at(-1) ?? '_')) names.pop();
  return {
    line,
    parts: names.map((part) => (isLiteral ? (name: string) => name === part : partOf(part))),
    matchesFiles,
    // Otherwise a folder `x.svg` could hide any file behind the line `!**/*.svg`.
    matchesFolders: !(line.isExclusion && matchesFiles && isFileName(last)),
    isNaming: matchesFiles && (isLiteral || !/[*?]/.test(last) || EXTENSION.test(last)),
    namesNodeModules: names.includes(NODE_MODULES),
  };
}

export function isFileName(name: string): boolean {
  return FILE_NAME.test(name);
}

/** Case and Unicode form never matter: a path and a pattern may have the same letters in different forms. */
function fold(text: string): string {
  return text.normalize('NFC').toUpperCase();
}

const NODE_MODULES = 'NODE_MODULES';

function partOf(text: string): Part {
  if (text === '**') return text;
  if (!/[*?]/.test(text)) return (name) => name === text;
  // Comparing the end first is much faster, and most patterns are `*.png` or the like.
  const ending = /[^*?]*$/.exec(text)?.[0] ?? '';
  const characters = Array.from(text);
  return (name) => name.endsWith(ending) && matchesWildcards(characters, Array.from(name));
}

/** `*` stands for any characters, `?` for one. Only the last `*` is tried again, so the time is quadratic at most. */
function matchesWildcards(pattern: readonly string[], name: readonly string[]): boolean {
  let [at, star, afterStar] = [0, -1, 0];
  for (let index = 0; index < name.length; ) {
    if (pattern[at] === '*') [star, afterStar, at] = [at, index, at + 1];
    else if (pattern[at] === '?' || pattern[at] === name[index]) [index, at] = [index + 1, at + 1];
    else if (star >= 0) [afterStar, index, at] = [afterStar + 1, afterStar + 1, star + 1];
    else return false;
  }
  return pattern.slice(at).every((character) => character === '*');
}

/** How far a glob has come on the way down to a folder. */
interface Progress {
  readonly glob: Glob;
  /** Whether the glob matches the folder or one above it, and so everything in it. */
  readonly isWhole: boolean;
  /** The parts of the glob that a name in the folder may match. */
  readonly next: readonly number[];
}

/** The lines of the input `files`: what they say about a file, and where a search can find files. */
export class FilePatterns {
  readonly #lines: readonly FilePattern[];
  /** For each folder, the globs that can match something in it. The globs of the last line come first. */
  readonly #folders = new Map<string, readonly Progress[]>();

  constructor(lines: readonly FilePattern[]) {
    this.#lines = lines;
  }

  /** The lines of the user's own that are to select files. Empty if the default ones do. */
  get own(): readonly FilePattern[] {
    const lines = this.#lines.filter(({ isExclusion }) => !isExclusion);
    return DEFAULT_PATTERNS.every((each, index) => each === lines[index]?.text) ? [] : lines;
  }

  /**
   * The last line that selects or excludes the file decides. A line selects the files that it names, and of all else
   * that it matches those with a default extension. A file that a line matches and none selects is `left out`.
   */
  decide(path: string): 'selected' | 'excluded' | 'left out' | 'unmatched' {
    let decision: 'left out' | 'unmatched' = 'unmatched';
    for (const { line, isNamed } of this.#matching(path)) {
      if (line.isExclusion) return 'excluded';
      if (isNamed || hasDefaultExtension(path)) return 'selected';
      decision = 'left out';
    }
    return decision;
  }

  readonly selects = (path: string): boolean => this.decide(path) === 'selected';

  /** Whether the lines can select a file directly in the folder, only further below, or none at all. */
  search(folder: string): 'here' | 'below' | 'nowhere' {
    let found: 'below' | 'nowhere' = 'nowhere';
    for (const { glob, isWhole, next } of this.#progressIn(fold(folder))) {
      if (glob.line.isExclusion && !isWhole) continue;
      if (glob.line.isExclusion) return found;
      if (isWhole || (glob.matchesFiles && next.includes(glob.parts.length - 1))) return 'here';
      found = 'below';
    }
    return found;
  }

  /** Of the lines that are to select files, those that match none of these. */
  idle(paths: readonly string[]): readonly FilePattern[] {
    const idle = new Set(this.own);
    for (const path of idle.size > 0 ? paths : []) for (const { line } of this.#matching(path)) idle.delete(line);
    return [...idle];
  }

  *#matching(path: string): Generator<{ readonly line: FilePattern; readonly isNamed: boolean }> {
    const [folder, name] = splitPath(fold(path));
    if (name === GIT) return;
    for (const { glob, isWhole, next } of this.#progressIn(folder)) {
      const { line, parts, matchesFiles, isNaming } = glob;
      const isMatched = matchesFiles && next.some((at) => at === parts.length - 1 && matchesPart(parts[at], name));
      if (isMatched || isWhole) yield { line, isNamed: isMatched && isNaming };
    }
  }

  #progressIn(folder: string): readonly Progress[] {
    let here = this.#folders.get(folder);
    if (here) return here;
    if (folder === '')
      here = this.#lines.toReversed().flatMap((line) => line.globs().map((glob) => advance(glob, [0])));
    else {
      const [above, name] = splitPath(folder);
      // `.git` is never searched. `node_modules` has other people's files, so a line must name it to select files in it.
      const isOpen = ({ line, namesNodeModules }: Glob): boolean =>
        name !== GIT && (name !== NODE_MODULES || line.isExclusion || namesNodeModules);
      here = this.#progressIn(above)
        .filter(({ glob }) => isOpen(glob))
        .map((progress) => enter(progress, name))
        .filter(({ isWhole, next }) => isWhole || next.length > 0);
    }
    this.#folders.set(folder, here);
    return here;
  }
}

const GIT = '.GIT';

function matchesPart(part: Part | undefined, name: string): boolean {
  return part === '**' || part?.(name) === true;
}

function enter(progress: Progress, name: string): Progress {
  const { glob, isWhole, next } = progress;
  const { parts } = glob;
  const matched = next.filter((at) => matchesPart(parts[at], name));
  // Most globs are like `**/*.png`, and stay where they are.
  const isSame = matched.length === 1 && matched[0] === 0 && next.join() === '0,1' && parts[0] === '**';
  if (isSame) return progress;
  const entered = advance(
    glob,
    matched.map((at) => (parts[at] === '**' ? at : at + 1)),
  );
  return { ...entered, isWhole: isWhole || entered.isWhole };
}

/** `**` also stands for no folder at all, so the part behind it may be next as well. */
function advance(glob: Glob, reached: readonly number[]): Progress {
  const next = new Set(reached);
  for (const at of next) if (glob.parts[at] === '**') next.add(at + 1);
  const isWhole = glob.matchesFolders && next.has(glob.parts.length);
  next.delete(glob.parts.length);
  return { glob, isWhole, next: [...next] };
}

function splitPath(path: string): readonly [folder: string, name: string] {
  const slash = path.lastIndexOf('/');
  return [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
}

/** A `!` line that excludes whatever is at this path, be it a file or a folder. */
export function exclusionOf(file: string): string {
  return `!${literal(file)}${isFileName(file) ? '{,/**}' : ''}`;
}

/** A path as a pattern: characters with a meaning in the input `files` become `?`, which stands for any character. */
export function literal(file: string): string {
  return file.replaceAll(/[*{},\\"'`\n\r\u2028\u2029]|^[\s!#-]|\s$/g, '?');
}
