import { braceExpand, Minimatch } from 'minimatch';

/** A line that is not a pattern. The message is a relative clause, to be put after the quoted line. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** More than that is an error: leaving some out would leave files unchecked. */
const MAX_ALTERNATIVES = 1_000;
const MAX_PATTERN_LENGTH = 1_000;

interface PatternOptions {
  /** On Windows `\` separates and case does not matter. */
  readonly windows: boolean;
}

/** Throws a `PatternError`. */
export function parsePattern(text: string, { windows: isWindows }: PatternOptions): FilePattern {
  const [, marks = '', rest = ''] = /^((?:!\s*)*)(.*)$/s.exec(text) ?? [];
  if (rest === '') throw new PatternError('which has nothing after the `!`');
  if (rest.length > MAX_PATTERN_LENGTH) throw new PatternError('which is too long');
  const pattern = (isWindows ? rest.replaceAll('\\', '/') : rest).normalize('NFC');
  // The text itself is one alternative, so that a file called `{a,b}.png` can be named.
  const alternatives = new Set([...braceExpand(pattern, { braceExpandMax: MAX_ALTERNATIVES }), pattern]);
  if (alternatives.size > MAX_ALTERNATIVES)
    throw new PatternError(`whose braces stand for ${MAX_ALTERNATIVES} patterns or more`);
  for (const alternative of alternatives) {
    if (isRooted(alternative, isWindows))
      throw new PatternError('which is not relative to the folder that is searched');
    if (alternative.split('/').includes('..'))
      throw new PatternError('which holds `..`: only files in the workspace can be sent');
  }
  const exclude = marks.replaceAll(/\s/g, '').length % 2 === 1;
  return new FilePattern(text, exclude, { alternatives: [...alternatives], ignoresCase: isWindows });
}

function isRooted(pattern: string, isWindows: boolean): boolean {
  // Other actions read `~` as the home folder; a file of that name is `./~`.
  return /^(?:\/|~$|~\/)/.test(pattern) || (isWindows && /^[a-z]:/i.test(pattern));
}

interface GlobOptions {
  /** What the braces stand for. */
  readonly alternatives: readonly string[];
  readonly ignoresCase: boolean;
}

/** One line of the input `files`, or the path of a waiver. */
export class FilePattern {
  /** As the user wrote it. */
  readonly text: string;
  readonly exclude: boolean;
  readonly #options: GlobOptions;
  #compiled: readonly Glob[] | undefined;
  readonly #namesNodeModules: boolean;
  readonly #folders = new Map<string, boolean>([['', false]]);

  constructor(text: string, exclude: boolean, options: GlobOptions) {
    this.text = text;
    this.exclude = exclude;
    this.#options = options;
    this.#namesNodeModules = options.alternatives.some((alternative) => isIn('node_modules', alternative));
  }

  /** Whether it means this path or a folder that the path is in. The file need not exist. */
  matches(path: string): boolean {
    const name = nameOf(path);
    return this.matchesFolder(name.folder) || this.matchesName(name);
  }

  matchesName({ text, folded, isInNodeModules }: Name): boolean {
    if (isInNodeModules && this.#skipsNodeModules) return false;
    return this.#globs.some(({ exact, any }) => {
      if (!any || any.match(folded)) return any !== undefined;
      const isSameTest = any === exact && folded === text;
      return !isSameTest && exact.match(text);
    });
  }

  /** Whether everything in this folder is meant. Asked once for every file in it, so the result is kept. */
  matchesFolder(folder: string): boolean {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const isSkipped = this.#skipsNodeModules && isIn('node_modules', folder);
    const isMeant =
      !isSkipped && (this.matchesFolder(parentOf(folder)) || this.#globs.some(({ exact }) => exact.match(folder)));
    this.#folders.set(folder, isMeant);
    return isMeant;
  }

  /** Whether it can mean anything in this folder. */
  reachesInto(folder: string): boolean {
    if (this.#skipsNodeModules && isIn('node_modules', folder)) return false;
    return this.matchesFolder(folder) || this.#globs.some(({ exact }) => exact.match(folder, true));
  }

  /** It is big, and holds no media of the team's own. */
  get #skipsNodeModules(): boolean {
    return !this.exclude && !this.#namesNodeModules;
  }

  /** Compiled when first needed: most waivers of a pull request are only compared with those of its base. */
  get #globs(): readonly Glob[] {
    this.#compiled ??= compile(this.#options);
    return this.#compiled;
  }
}

/** One thing that a line can mean. */
interface Glob {
  readonly exact: Minimatch;
  /** With the extension in lower case; undefined if only folders are meant. */
  readonly any: Minimatch | undefined;
}

function compile({ alternatives, ignoresCase }: GlobOptions): readonly Glob[] {
  // A pattern that spells a name such as `x[1].png` means that file as well.
  const spellings = new Set(alternatives.flatMap((each) => [each, each.replaceAll(/[[\]\\]/g, '\\$&')]));
  return [...spellings].map((spelling) => compileGlob(spelling, ignoresCase));
}

function compileGlob(spelling: string, ignoresCase: boolean): Glob {
  const options = {
    dot: true,
    nobrace: true,
    noext: true,
    nonegate: true,
    nocomment: true,
    platform: 'linux',
  } as const;
  const parts = spelling.split('/').filter((part) => part !== '' && part !== '.');
  // A pattern that means a folder means everything in it, so a final `**` adds nothing.
  while (parts.at(-1) === '**') parts.pop();
  const pattern = parts.join('/') || '**';
  const exact = new Minimatch(pattern, { ...options, nocase: ignoresCase });
  if (spelling.endsWith('/') && pattern !== '**') return { exact, any: undefined };
  const folded = foldExtension(pattern);
  return { exact, any: folded === pattern ? exact : new Minimatch(folded, { ...options, nocase: ignoresCase }) };
}

/** A path in the forms that patterns compare. */
interface Name {
  readonly text: string;
  /** With the extension in lower case. */
  readonly folded: string;
  readonly folder: string;
  readonly isInNodeModules: boolean;
}

function nameOf(path: string): Name {
  // A name can be stored in two Unicode forms, and the pattern may be typed in the other one.
  const text = path.normalize('NFC');
  return { text, folded: foldExtension(text), folder: parentOf(text), isInNodeModules: isIn('node_modules', text) };
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

/** The lines of the input `files`: the last one that matches a path decides. */
export class PathMatcher {
  readonly #lines: readonly FilePattern[];
  /** By folder: the last line that means all of it. */
  readonly #covering = new Map<string, number>();

  constructor(lines: readonly FilePattern[]) {
    this.#lines = lines;
  }

  /** Whether a file with this path is selected; the file need not exist. */
  selects(path: string): boolean {
    return this.decidingLine(path)?.exclude === false;
  }

  /** The line that selects or excludes this path. Git's own files are never selected. */
  decidingLine(path: string): FilePattern | undefined {
    if (isIn('.git', path)) return undefined;
    const name = nameOf(path);
    const covering = this.#coveringLine(name.folder);
    return this.#lines.findLast((line, index) => index === covering || (index > covering && line.matchesName(name)));
  }

  /** Whether a file in this folder can be selected. */
  canSelectIn(folder: string): boolean {
    const name = folder.normalize('NFC');
    const deciding = this.#lines.findLast((line) => (line.exclude ? line.matchesFolder(name) : line.reachesInto(name)));
    return deciding?.exclude === false && !isIn('.git', folder);
  }

  #coveringLine(folder: string): number {
    const known = this.#covering.get(folder) ?? this.#lines.findLastIndex((line) => line.matchesFolder(folder));
    this.#covering.set(folder, known);
    return known;
  }
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
