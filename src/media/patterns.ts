import { DEFAULT_PATTERNS, hasDefaultExtension } from './media-types.ts';

/** A line must have fewer alternatives. If some were ignored instead, files would stay unchecked. */
const MAX_ALTERNATIVES = 1_000;
const MAX_LENGTH = 1_000;

/** Why a line of the input `files` is no pattern, as a clause: "which is too long". Undefined if it is one. */
export function whyInvalid(line: string): string | undefined {
  const pattern = withoutMark(line);
  if (pattern === '') return 'which has nothing after the `!`';
  if (pattern.length > MAX_LENGTH) return 'which is too long';
  const globs = alternativesOf(pattern);
  if (globs.length > MAX_ALTERNATIVES) return `whose braces stand for more than ${MAX_ALTERNATIVES} patterns`;
  if (globs.some((glob) => glob.startsWith('/'))) return 'which is not relative to the folder that is searched';
  const isOutside = globs.some((glob) => glob.split('/').includes('..'));
  return isOutside ? 'which holds `..`: only files in the workspace can be sent' : undefined;
}

function isExclusion(line: string): boolean {
  return line.startsWith('!');
}

function withoutMark(line: string): string {
  return line.replace(/^!\s*/, '');
}

/** Whether a waiver's path matches a file, like a `!` line. */
export function waiverMatcher(path: string): (file: string) => boolean {
  const patterns = new FilePatterns([`!${path}`]);
  return (file) => patterns.decide(file) === 'excluded';
}

/** The pattern and all that its braces stand for: `{a,b}` is `a`, `b`, and a file whose name has these braces. */
function alternativesOf(pattern: string): readonly string[] {
  const found = new Set([pattern, pattern.replaceAll('\\', '/')]);
  for (const each of found) {
    const [, before = '', inside, after = ''] = /^(.*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(each) ?? [];
    for (const part of inside?.split(',') ?? []) found.add(before + part + after);
    if (found.size > MAX_ALTERNATIVES) break;
  }
  return [...found];
}

/** One alternative of a line, as patterns for the parts of a path. */
interface Glob {
  readonly line: string;
  /** The last name. */
  readonly name: Part;
  /** The folders above the last name. */
  readonly folders: readonly Part[];
  /** The folders up to the first `**`, or all. The last name can match something below a folder only if it fits these. */
  readonly prefix: readonly Part[];
  /** Folders that fit this are matched with everything in them. Undefined if the glob matches files only. */
  readonly covered: readonly Part[] | undefined;
  /** Whether the glob ends in a name or an extension, so that it also selects files without a default extension. */
  readonly isNaming: boolean;
}

/** `**` stands for any number of folders, and as the last name for everything. `?` is one character. */
type Part = string | ((name: string) => boolean);

/** What ends like this is the name of a file. A folder such as `.next` begins with its dot. */
const FILE_NAME = /.\.[\p{L}\p{N}]+$/u;
const GIT = '.GIT';
const NODE_MODULES = 'NODE_MODULES';

function compile(line: string): readonly Glob[] {
  return alternativesOf(withoutMark(line)).map((text) => {
    // `media/` is `media/**`.
    const names = fold(text)
      .replace(/\/$/, '/**')
      .split('/')
      .filter((name) => name !== '' && name !== '.');
    const last = names.at(-1) ?? '**';
    const name = partOf(last);
    const folders = names.slice(0, -1).map(partOf);
    return {
      line,
      name,
      folders,
      prefix: folders.slice(0, folders.indexOf('**') + 1 || undefined),
      // Otherwise a folder `x.svg` could hide any file behind the line `!**/*.svg`.
      covered: isExclusion(line) && isFileName(last) ? undefined : [...folders, name, '**'],
      isNaming: !/[*?]/.test(last) || isFileName(last),
    };
  });
}

export function isFileName(name: string): boolean {
  return FILE_NAME.test(name);
}

/** Case and Unicode form never matter: a path and a pattern may have the same letters in different forms. */
function fold(text: string): string {
  return text.normalize('NFC').toUpperCase();
}

function partOf(text: string): Part {
  if (text === '**' || !/[*?]/.test(text)) return text;
  // Comparing the end first is much faster, and most patterns are `*.png` or the like.
  const ending = /[^*?]*$/.exec(text)?.[0] ?? '';
  const characters = Array.from(text);
  return (name) => name.endsWith(ending) && matchesAll(characters, '*', Array.from(name));
}

function matchesOne(part: Part, item: string): boolean {
  return typeof part === 'string' ? part === item || part === '?' || part === '**' : part(item);
}

/**
 * Whether a pattern matches all items: the characters of a name, or the folders of a path. `any` stands for any number
 * of items. If what follows does not fit, only the last `any` takes one item more, so that the time has a limit.
 */
function matchesAll(pattern: readonly Part[], any: '*' | '**', items: readonly string[]): boolean {
  let [at, afterAny, taken] = [0, -1, 0];
  for (let index = 0; index < items.length; ) {
    const part = pattern[at];
    if (part === any) [at, afterAny, taken] = [at + 1, at + 1, index];
    else if (part !== undefined && matchesOne(part, items[index] ?? '')) [at, index] = [at + 1, index + 1];
    else if (afterAny >= 0) [at, taken, index] = [afterAny, taken + 1, taken + 1];
    else return false;
  }
  return pattern.slice(at).every((part) => part === any);
}

/** How a glob applies to what is in a folder. If neither is true, it may match something further below. */
interface Scope {
  readonly glob: Glob;
  /** Whether the glob matches everything in the folder. */
  readonly isCovered: boolean;
  /** Whether the glob compares its last name with each name in the folder. */
  readonly canMatchNames: boolean;
}

/** Undefined if the glob can match nothing in the folder. */
function scopeIn(folders: readonly string[], glob: Glob): Scope | undefined {
  const { line, covered, prefix } = glob;
  // `.git` is never searched. `node_modules` has other people's files, so a line must name it to select files in it.
  if (folders.includes(GIT)) return undefined;
  if (folders.includes(NODE_MODULES) && !isExclusion(line) && !/node_modules/i.test(line)) return undefined;
  const isCovered = covered !== undefined && matchesAll(covered, '**', folders);
  const canMatchBelow = matchesAll(prefix.slice(0, folders.length), '**', folders);
  return isCovered || canMatchBelow
    ? { glob, isCovered, canMatchNames: matchesAll(glob.folders, '**', folders) }
    : undefined;
}

/** The lines of the input `files`: what they say about a file, and where a search can find files. */
export class FilePatterns {
  readonly #lines: readonly string[];
  /** The globs of the last line come first. Undefined until they are needed: braces can make many of them. */
  #globs: readonly Glob[] | undefined;
  /** For each folder, the globs that can match something in it. */
  readonly #folders = new Map<string, readonly Scope[]>();

  /** @param lines for which `whyInvalid` returns undefined */
  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** The include patterns that the user wrote. Empty if the default ones come first. */
  get userLines(): readonly string[] {
    const lines = this.#lines.filter((line) => !isExclusion(line));
    return DEFAULT_PATTERNS.every((each, index) => each === lines[index]) ? [] : lines;
  }

  /**
   * The last line that selects or excludes the file decides. A line selects the files that it names, and of all else
   * that it matches those with a default extension. A file that a line matches and none selects is `left out`.
   */
  decide(path: string): 'selected' | 'excluded' | 'left out' | 'unmatched' {
    let decision: 'left out' | 'unmatched' = 'unmatched';
    for (const { line, isNamed } of this.#matching(path)) {
      if (isExclusion(line)) return 'excluded';
      if (isNamed || hasDefaultExtension(path)) return 'selected';
      decision = 'left out';
    }
    return decision;
  }

  readonly selects = (path: string): boolean => this.decide(path) === 'selected';

  /** Whether the lines can select a file directly in the folder, only further below, or none at all. */
  search(folder: string): 'here' | 'below' | 'nowhere' {
    let found: 'below' | 'nowhere' = 'nowhere';
    for (const { glob, isCovered, canMatchNames } of this.#scopesIn(fold(folder))) {
      if (isExclusion(glob.line) && !isCovered) continue;
      if (isExclusion(glob.line)) return found;
      if (isCovered || canMatchNames) return 'here';
      found = 'below';
    }
    return found;
  }

  /** Include patterns written by the user that match none of these files. */
  idle(paths: readonly string[]): readonly string[] {
    const idle = new Set(this.userLines);
    for (const path of idle.size > 0 ? paths : []) for (const { line } of this.#matching(path)) idle.delete(line);
    return [...idle];
  }

  *#matching(path: string): Generator<{ readonly line: string; readonly isNamed: boolean }> {
    const folded = fold(path);
    const slash = folded.lastIndexOf('/');
    const [folder, name] = [folded.slice(0, Math.max(0, slash)), folded.slice(slash + 1)];
    if (name === GIT) return;
    for (const { glob, isCovered, canMatchNames } of this.#scopesIn(folder)) {
      const isMatched = canMatchNames && matchesOne(glob.name, name);
      if (isMatched || isCovered) yield { line: glob.line, isNamed: isMatched && glob.isNaming };
    }
  }

  #scopesIn(folder: string): readonly Scope[] {
    let scopes = this.#folders.get(folder);
    if (!scopes) {
      this.#globs ??= this.#lines.toReversed().flatMap(compile);
      const folders = folder.split('/').filter(Boolean);
      scopes = this.#globs.flatMap((glob) => scopeIn(folders, glob) ?? []);
      this.#folders.set(folder, scopes);
    }
    return scopes;
  }
}

/** A `!` line that excludes whatever is at this path, be it a file or a folder. */
export function exclusionOf(file: string): string {
  return `!${literal(file)}${isFileName(file) ? '{,/**}' : ''}`;
}

/** A path as a pattern: characters with a meaning in the input `files` become `?`, which stands for any character. */
export function literal(file: string): string {
  return file.replaceAll(/[*{},\\"'`\n\r\u2028\u2029]|^[\s!#-]|\s$/g, '?');
}
