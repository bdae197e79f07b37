import { braceExpand, Minimatch } from 'minimatch';
import { extensionOf } from './media-types.ts';

/** A line that is not a pattern. The message is a relative clause, to be put after the quoted line. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** More than that is an error: leaving some out would leave files unchecked. */
const MAX_ALTERNATIVES = 1_000;
const MAX_PATTERN_LENGTH = 1_000;

/** Throws a `PatternError`. On Windows `\` separates and case does not matter. */
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
  // There are no sets, and a backslash that escapes nothing is a character like any other.
  const globs = expanded.map((each) => each.replaceAll(/\\(?![*?[\]{},!\\])|(?<!\\)[[\]]/g, '\\$&'));
  // A line that equals a path means that file, whatever characters it has.
  const alternatives = [...new Set([...globs, pattern.replaceAll(/[*?[\]{}\\]/g, '\\$&')])];
  const line: FilePattern = {
    text,
    isExclusion: mark === '!',
    namesNodeModules: alternatives.some((each) => isIn('node_modules', each)),
    compile: () => alternatives.map((each) => compile(each, isWindows)),
    matches: (path) => alone.decide(path) !== undefined,
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
  /** Called when first needed: most waivers of a pull request are only compared with those of its base. */
  readonly compile: () => readonly Glob[];
  /** Whether it means this path or a folder that the path is in. The file need not exist. */
  readonly matches: (path: string) => boolean;
}

/** One alternative of a line. */
interface Glob {
  readonly canMeanIn: (folder: string) => boolean;
  readonly meansFolder: (folder: Name) => boolean;
  readonly meansFile: (file: Name) => boolean;
  /** Its last part is a name, or ends in an extension. */
  readonly isNaming: boolean;
  /** What every match ends in, in lower case: to compare it is much faster than to match. */
  readonly ending: string;
  /** How many of its parts stand before the first one with a wildcard. */
  readonly literalDepth: number;
}

function compile(text: string, ignoresCase: boolean): Glob {
  const flags = { dot: true, nobrace: true, noext: true, nonegate: true, nocomment: true, nocase: ignoresCase };
  const toGlob = (each: string): Minimatch => new Minimatch(each, { ...flags, platform: 'linux' });
  const parts = text.split('/').filter((part) => part !== '' && part !== '.');
  const isForFiles = parts.length > 0 && parts.at(-1) !== '**' && !text.endsWith('/');
  // A pattern that means a folder means everything in it, so a final `**` adds nothing.
  while (parts.at(-1) === '**') parts.pop();
  const pattern = parts.join('/');
  const glob = toGlob(pattern);
  const globs = [glob, toGlob(foldExtension(pattern))];
  const ending = /[\w.-]*$/.exec(pattern)?.[0].toLowerCase() ?? '';
  const unescaped = parts.map((part) => part.replaceAll(/\\./g, '_'));
  const wild = unescaped.findIndex((part) => /[*?]/.test(part));
  return {
    canMeanIn: (folder) => folder === '' || parts[0] === '**' || glob.match(folder, true),
    meansFolder: (folder) => folder.lowered.endsWith(ending) && glob.match(folder.text),
    meansFile: (file) =>
      isForFiles &&
      file.lowered.endsWith(ending) &&
      globs.some((each) => each.match(file.text) || each.match(file.folded)),
    ending,
    isNaming: /^[^*?]*$|\.[^.*?]+$/.test(unescaped.at(-1) ?? '*'),
    literalDepth: wild === -1 ? parts.length : wild,
  };
}

interface GlobInFolder extends Glob {
  readonly line: FilePattern;
  /** It means the folder itself or one above it, so everything in it. */
  readonly isWhole: boolean;
}

/** The input `files`. */
export class FilePatterns {
  readonly #lines: readonly FilePattern[];
  /** What can mean something in a folder or below it, the last line first. Most folders have many files. */
  readonly #folders = new Map<string, readonly GlobInFolder[]>();

  constructor(lines: readonly FilePattern[]) {
    this.#lines = lines;
  }

  /** Whether a file with this path is checked; the file need not exist. */
  readonly selects = (path: string): boolean => this.decide(path) === 'selected';

  /**
   * The last line that means the path decides. One that does not name a file or an extension means only files that have a
   * default extension: what else it reaches is `left-out`, unless an earlier line names it.
   */
  decide(path: string): 'selected' | 'excluded' | 'left-out' | undefined {
    const name = nameOf(path);
    let decision: 'left-out' | undefined;
    for (const { line, isWhole, isNaming, meansFile } of this.#inFolder(name.folder)) {
      const isMeant = meansFile(name);
      if (!isMeant && !isWhole) continue;
      if (line.isExclusion) return 'excluded';
      if ((isMeant && isNaming) || hasDefaultExtension(path)) return 'selected';
      decision = 'left-out';
    }
    return decision;
  }

  /** Whether a file of this name is selected in some folder, as far as its name tells. */
  couldSelect(path: string): boolean {
    const isNamed = ({ line, isNaming, ending }: GlobInFolder): boolean =>
      !line.isExclusion && isNaming && ending !== '' && path.toLowerCase().endsWith(ending);
    return hasDefaultExtension(path) || this.#inFolder('').some(isNamed);
  }

  /** Whether a file in this folder, or below it, can be selected. */
  canSelectIn(folder: string): boolean {
    const last = this.#inFolder(folder.normalize('NFC')).find(({ line, isWhole }) => isWhole || !line.isExclusion);
    return last?.line.isExclusion === false;
  }

  /** Whether what a line selects in this folder, or below it, cannot be found by name. */
  hasWildcardIn(folder: string): boolean {
    const depth = folder === '' ? 0 : folder.split('/').length;
    return this.#inFolder(folder.normalize('NFC')).some(
      ({ line, isWhole, literalDepth }) => !line.isExclusion && (isWhole || depth >= literalDepth),
    );
  }

  /** The lines of the user's own that are to include files and mean none of these. */
  unmatched(paths: readonly string[]): readonly FilePattern[] {
    const unmatched = new Set(
      this.#lines.filter(({ isExclusion, text }) => !isExclusion && !DEFAULT_PATTERNS.includes(text)),
    );
    for (const name of unmatched.size > 0 ? paths.map(nameOf) : []) {
      for (const { line, isWhole, meansFile } of this.#inFolder(name.folder))
        if (unmatched.has(line) && (isWhole || meansFile(name))) unmatched.delete(line);
    }
    return [...unmatched];
  }

  #inFolder(folder: string): readonly GlobInFolder[] {
    const known = this.#folders.get(folder);
    if (known) return known;
    const name = nameOf(folder);
    const above = folder === '' ? this.#compile() : this.#inFolder(name.folder);
    const isInNodeModules = isIn('node_modules', folder);
    const here = above
      .map((glob) => ({ ...glob, isWhole: glob.isWhole || glob.meansFolder(name) }))
      .filter(
        ({ line, isWhole, canMeanIn }) =>
          (isWhole || canMeanIn(folder)) &&
          // Git's own files are never checked. The other folder is big, and holds no media of the team's own.
          !isIn('.git', folder) &&
          (!isInNodeModules || line.isExclusion || line.namesNodeModules),
      );
    this.#folders.set(folder, here);
    return here;
  }

  #compile(): readonly GlobInFolder[] {
    return this.#lines
      .toReversed()
      .flatMap((line) => line.compile().map((glob) => ({ ...glob, line, isWhole: false })));
  }
}

/** A path in the forms that patterns compare. */
interface Name {
  readonly text: string;
  /** With the extension in lower case. */
  readonly folded: string;
  readonly lowered: string;
  readonly folder: string;
}

function nameOf(path: string): Name {
  // A name can be stored in two Unicode forms, and the pattern may be typed in the other one.
  const text = path.normalize('NFC');
  return { text, folded: foldExtension(text), lowered: text.toLowerCase(), folder: parentOf(text) };
}

/** `A.PNG` becomes `A.png`: the case of an extension does not matter. A name such as `.PNG` is only an extension. */
function foldExtension(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot <= path.lastIndexOf('/') ? path : path.slice(0, dot) + path.slice(dot).toLowerCase();
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function isIn(folder: string, path: string): boolean {
  return path.includes(folder) && path.split('/').includes(folder);
}

/**
 * `.ts` and `.mts` are left to the user's own patterns: in most repositories they are TypeScript. So are `.txt`, `.md`,
 * `.html` and their like, which are seldom media.
 */
const DEFAULT_EXTENSIONS: ReadonlySet<string> = new Set(
  [
    'mp4 m4v mov webm mkv avi wmv flv mpg mpeg m2ts 3gp ogv',
    'mp3 m4a aac wav flac ogg oga opus wma aif aiff',
    'jpg jpeg png apng gif webp avif heic heif tif tiff bmp svg psd',
    'pdf doc docx ppt pptx xls xlsx odt odp ods rtf epub',
  ].flatMap((extensions) => extensions.split(' ')),
);

export function hasDefaultExtension(path: string): boolean {
  return DEFAULT_EXTENSIONS.has(extensionOf(path));
}

/** What the input `files` stands for when it is not given. */
export const DEFAULT_PATTERNS: readonly string[] = [...DEFAULT_EXTENSIONS].map((extension) => `**/*.${extension}`);
