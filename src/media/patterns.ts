import { braceExpand, Minimatch } from 'minimatch';
import { DEFAULT_PATTERNS, hasDefaultExtension, isMediaName } from './media-types.ts';

/** Thrown for a line that is not a valid pattern. The message is a relative clause: "which is too long". */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** A line must have fewer alternatives. If some were ignored instead, files would stay unchecked. */
const MAX_ALTERNATIVES = 1_000;
const MAX_PATTERN_LENGTH = 1_000;

/** Throws a `PatternError` for an invalid line. On Windows, `\` separates folders, and case does not matter. */
export function parsePattern(text: string, { windows: isWindows }: Readonly<{ windows: boolean }>): FilePattern {
  const [, mark, rest = ''] = /^(!?)\s*(.*)$/s.exec(text) ?? [];
  if (rest === '') throw new PatternError('which has nothing after the `!`');
  if (rest.length > MAX_PATTERN_LENGTH) throw new PatternError('which is too long');
  const pattern = (isWindows ? rest.replaceAll('\\', '/') : rest).normalize('NFC');
  const expanded = braceExpand(pattern, { braceExpandMax: MAX_ALTERNATIVES });
  if (expanded.length >= MAX_ALTERNATIVES)
    throw new PatternError(`whose braces stand for ${MAX_ALTERNATIVES} patterns or more`);
  for (const alternative of expanded) {
    if (alternative.startsWith('/') || (isWindows && /^[a-z]:/i.test(alternative)))
      throw new PatternError('which is not relative to the folder that is searched');
    if (alternative.split('/').includes('..'))
      throw new PatternError('which holds `..`: only files in the workspace can be sent');
  }
  // Brackets have no meaning in a pattern, and neither has a backslash before a letter, so both are escaped.
  const globs = expanded.map((each) => each.replaceAll(/\\(?![*?[\]{},!\\])|(?<!\\)[[\]]/g, '\\$&'));
  // A line that equals the path of a file matches the file, even if the path contains wildcard characters.
  const alternatives = [...new Set([...globs, pattern.replaceAll(/[*?[\]{}\\]/g, '\\$&')])];
  const line: FilePattern = {
    text,
    isExclusion: mark === '!',
    namesNodeModules: alternatives.some((each) => isIn('node_modules', each)),
    globs: () => alternatives.map((each) => compile(each, line, isWindows)),
    matches: (path) => alone.decide(path) !== 'unmatched',
  };
  const alone = new FilePatterns([line]);
  return line;
}

/** One line of the input `files`, or the path of a waiver. */
export interface FilePattern {
  /** As the user wrote it. */
  readonly text: string;
  readonly isExclusion: boolean;
  readonly namesNodeModules: boolean;
  /** Compiles when it is called: the paths of most proposed waivers, for example, are never matched with a file. */
  readonly globs: () => readonly Glob[];
  /** Whether the pattern matches this file or a folder above it. The file need not exist. */
  readonly matches: (path: string) => boolean;
}

/** One alternative of a line, as it applies to a folder. */
interface Glob {
  readonly line: FilePattern;
  /** Whether the glob matches the folder or a folder above it, and so everything in the folder. */
  readonly isWhole: boolean;
  /** Whether the glob can match something in the folder or below it. */
  readonly canMatchBelow: (folder: string) => boolean;
  /** Whether the glob can match a file directly in the folder. */
  readonly canMatchFileIn: (folder: string) => boolean;
  /** False for a glob that ends in a media extension: `*.svg` matches only files. */
  readonly isForFolders: boolean;
  readonly matchesFolder: (folder: PathForms) => boolean;
  readonly matchesFile: (file: PathForms) => boolean;
  /** Whether the last part of the glob is a literal name, or ends in a literal extension. */
  readonly isNaming: boolean;
  /** Every match ends in this text, in lower case. Comparing the text first is much faster than matching the glob. */
  readonly ending: string;
}

function compile(text: string, line: FilePattern, ignoresCase: boolean): Glob {
  const flags = { dot: true, nobrace: true, noext: true, nonegate: true, nocomment: true, nocase: ignoresCase };
  const toGlob = (each: string): Minimatch => new Minimatch(each, { ...flags, platform: 'linux' });
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  const isForFiles = parts.length > 0 && parts.at(-1) !== '**' && !text.endsWith('/');
  // A pattern that matches a folder matches everything in it, so a final `**` adds nothing.
  while (parts.at(-1) === '**') parts.pop();
  const pattern = parts.join('/');
  const glob = toGlob(pattern);
  const folded = toGlob(foldExtension(pattern));
  const anyName = toGlob([...parts.slice(0, -1), '*'].join('/'));
  const ending = /[\w.-]*$/.exec(pattern)?.[0].toLowerCase() ?? '';
  const lastPart = parts.at(-1)?.replaceAll(/\\./g, '_') ?? '*';
  // Otherwise a folder `x.svg` could hide any file behind the line `!**/*.svg`.
  const isForFolders = !isForFiles || !isMediaName(lastPart);
  return {
    line,
    isWhole: false,
    canMatchBelow: (folder) => folder === '' || parts[0] === '**' || glob.match(folder, true),
    isForFolders,
    canMatchFileIn: (folder) => isForFiles && anyName.match(folder === '' ? '_' : `${folder}/_`),
    matchesFolder: (folder) => isForFolders && folder.lowered.endsWith(ending) && glob.match(folder.text),
    matchesFile: (file) =>
      isForFiles && file.lowered.endsWith(ending) && (glob.match(file.text) || folded.match(file.folded)),
    ending,
    isNaming: /^[^*?]*$|\.[^.*?]+$/.test(lastPart),
  };
}

/**
 * The lines of the input `files`, or the paths of waivers. It answers three kinds of questions: what the lines say about
 * a file, which lines match a list of files, and where a search can find files.
 */
export class FilePatterns {
  readonly #lines: readonly FilePattern[];
  /**
   * For each folder, the globs that can match a file in the folder or below it. The globs of the last line come first.
   */
  readonly #folders = new Map<string, readonly Glob[]>();

  constructor(lines: readonly FilePattern[]) {
    this.#lines = lines;
  }

  /** Whether a file with this path is checked; the file need not exist. */
  readonly selects = (path: string): boolean => this.decide(path) === 'selected';

  /**
   * The last line that selects or excludes the file decides. A line without a literal name or extension (`media/**`)
   * selects only files with a default extension. If no line decides, a file that a line matches is `left-out`.
   */
  decide(path: string): 'selected' | 'excluded' | 'left-out' | 'unmatched' {
    const name = formsOf(path);
    let decision: 'left-out' | 'unmatched' = 'unmatched';
    for (const { line, isWhole, isNaming, matchesFile } of this.#inFolder(name.folder)) {
      const isMatched = matchesFile(name);
      if (!isMatched && !isWhole) continue;
      if (line.isExclusion) return 'excluded';
      if ((isMatched && isNaming) || hasDefaultExtension(path)) return 'selected';
      decision = 'left-out';
    }
    return decision;
  }

  /** Whether a file of this name could be selected if it were in another folder. */
  isSelectableName(path: string): boolean {
    const isNamed = ({ line, ending }: Glob): boolean =>
      !line.isExclusion && ending !== '' && path.toLowerCase().endsWith(ending);
    return hasDefaultExtension(path) || this.#inFolder('').some(isNamed);
  }

  /** Whether the last line that matches this path is a `!` line with exactly this path. Other `!` lines are ignored. */
  isExcludedByName(path: string): boolean {
    const isSame = (text: string): boolean =>
      text.replace(/^!\s*(?:\.\/)?/, '').normalize('NFC') === path.normalize('NFC');
    const last = this.#lines.findLast((line) => (line.isExclusion ? isSame(line.text) : line.matches(path)));
    return last?.isExclusion === true;
  }

  /** Include patterns written by the user that match none of these files. */
  unmatched(paths: readonly string[]): readonly FilePattern[] {
    const matching = this.matching(paths);
    return this.#lines.filter(
      (line) => !line.isExclusion && !DEFAULT_PATTERNS.includes(line.text) && !matching.has(line),
    );
  }

  /** The lines that match one of these files. This is much faster than matching each line with each file. */
  matching(paths: readonly string[]): ReadonlySet<FilePattern> {
    const matching = new Set<FilePattern>();
    for (const path of paths) {
      const name = formsOf(path);
      for (const { line, isWhole, matchesFile } of this.#inFolder(name.folder))
        if (!matching.has(line) && (isWhole || matchesFile(name))) matching.add(line);
    }
    return matching;
  }

  /** Whether a file in this folder or below it can be selected. Other folders are not searched. */
  shouldSearch(folder: string): boolean {
    return this.#canSelect(folder.normalize('NFC'), () => true);
  }

  /** Whether a line other than the default ones can select a file in this folder or below it. */
  canUserSelectIn(folder: string): boolean {
    return this.#canSelect(folder.normalize('NFC'), ({ line }) => !DEFAULT_PATTERNS.includes(line.text));
  }

  /** Whether every folder in this folder and below it is searched, whatever its name. */
  searchesEverythingIn(folder: string): boolean {
    if (!this.shouldSearch(`${folder}/_`)) return false;
    // A `!` line may exclude a folder in it.
    return !this.#inFolder(folder.normalize('NFC')).some(({ line, isForFolders }) => line.isExclusion && isForFolders);
  }

  /** Whether another file in the folder of this file can be selected. */
  canSelectBeside(path: string): boolean {
    const { folder } = formsOf(path);
    return this.#canSelect(folder, ({ canMatchFileIn }) => canMatchFileIn(folder));
  }

  /** Whether the last line about the folder can select something. A `!` line counts only if it excludes everything. */
  #canSelect(folder: string, canMatch: (glob: Glob) => boolean): boolean {
    const last = this.#inFolder(folder).find((glob) => glob.isWhole || (!glob.line.isExclusion && canMatch(glob)));
    return last?.line.isExclusion === false;
  }

  #inFolder(folder: string): readonly Glob[] {
    const cached = this.#folders.get(folder);
    if (cached) return cached;
    const name = formsOf(folder);
    const above =
      folder === '' ? this.#lines.toReversed().flatMap((line) => line.globs()) : this.#inFolder(name.folder);
    // `.git` is never searched. `node_modules` has other people's files, so only lines that name it select files in it.
    const isGit = isIn('.git', folder);
    const isNodeModules = isIn('node_modules', folder);
    const here = above
      .filter(({ line }) => !isGit && (!isNodeModules || line.isExclusion || line.namesNodeModules))
      .map((glob) => ({ ...glob, isWhole: glob.isWhole || glob.matchesFolder(name) }))
      .filter(({ isWhole, canMatchBelow }) => isWhole || canMatchBelow(folder));
    this.#folders.set(folder, here);
    return here;
  }
}

/** A path in the forms that patterns are compared with. */
interface PathForms {
  readonly text: string;
  /** The path with its extension in lower case. */
  readonly folded: string;
  readonly lowered: string;
  readonly folder: string;
}

function formsOf(path: string): PathForms {
  // The path and the pattern may have the same letters in different Unicode forms.
  const text = path.normalize('NFC');
  const folder = text.slice(0, Math.max(0, text.lastIndexOf('/')));
  return { text, folded: foldExtension(text), lowered: text.toLowerCase(), folder };
}

/** `A.PNG` becomes `A.png`, and `.PNG` becomes `.png`: the case of an extension does not matter. */
function foldExtension(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot <= path.lastIndexOf('/') ? path : path.slice(0, dot) + path.slice(dot).toLowerCase();
}

export function isIn(folder: string, path: string): boolean {
  return path.includes(folder) && path.split('/').includes(folder);
}
