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
  const [, mark, rest = ''] = /^(!?)\s*(.*)$/s.exec(text) ?? [];
  if (rest === '') throw new PatternError('which has nothing after the `!`');
  if (rest.length > MAX_PATTERN_LENGTH) throw new PatternError('which is too long');
  const pattern = (isWindows ? rest.replaceAll('\\', '/') : rest).normalize('NFC');
  // The text itself is one alternative, so that a file called `{a,b}.png` can be named.
  const alternatives = new Set([...braceExpand(pattern, { braceExpandMax: MAX_ALTERNATIVES }), pattern]);
  if (alternatives.size > MAX_ALTERNATIVES)
    throw new PatternError(`whose braces stand for ${MAX_ALTERNATIVES} patterns or more`);
  for (const alternative of alternatives) {
    if (alternative.startsWith('/') || (isWindows && /^[a-z]:/i.test(alternative)))
      throw new PatternError('which is not relative to the folder that is searched');
    if (alternative.split('/').includes('..'))
      throw new PatternError('which holds `..`: only files in the workspace can be sent');
  }
  return new FilePattern(text, mark === '!', { alternatives: [...alternatives], ignoresCase: isWindows });
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
  #compiled: Globs | undefined;
  readonly #skipsNodeModules: boolean;
  readonly #folders = new Map<string, boolean>([['', false]]);

  constructor(text: string, exclude: boolean, options: GlobOptions) {
    this.text = text;
    this.exclude = exclude;
    this.#options = options;
    // It is big, and holds no media of the team's own.
    this.#skipsNodeModules = !exclude && !options.alternatives.some((each) => isIn('node_modules', each));
  }

  /** Whether it means this path or a folder that the path is in. The file need not exist. */
  matches(path: string): boolean {
    return this.matchesName(nameOf(path));
  }

  matchesName({ text, folded, lowered, folder, isInNodeModules }: Name): boolean {
    if (isInNodeModules && this.#skipsNodeModules) return false;
    if (this.#matchesFolder(folder)) return true;
    return this.#globs.forFiles.some(
      ({ glob, ending }) => lowered.endsWith(ending) && (glob.match(text) || (folded !== text && glob.match(folded))),
    );
  }

  /** Whether it can mean anything in this folder, or, if it excludes, everything. */
  reachesInto({ text, isInNodeModules }: Name): boolean {
    if (isInNodeModules && this.#skipsNodeModules) return false;
    if (this.#matchesFolder(text)) return true;
    return !this.exclude && this.#globs.forFolders.some((glob) => glob.match(text, true));
  }

  /** Whether everything in this folder is meant. Asked once for every file in it, so the result is kept. */
  #matchesFolder(folder: string): boolean {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const { forFolders } = this.#globs;
    const isMeant = this.#matchesFolder(parentOf(folder)) || forFolders.some((glob) => glob.match(folder));
    this.#folders.set(folder, isMeant);
    return isMeant;
  }

  /** Compiled when first needed: most waivers of a pull request are only compared with those of its base. */
  get #globs(): Globs {
    this.#compiled ??= compile(this.#options);
    return this.#compiled;
  }
}

interface Globs {
  readonly forFolders: readonly Minimatch[];
  /** Those that can mean a file, also with their extension in lower case. */
  readonly forFiles: readonly FileGlob[];
}

interface FileGlob {
  readonly glob: Minimatch;
  /** What every match ends in, in lower case: to compare it is much faster than to match. */
  readonly ending: string;
}

function compile({ alternatives, ignoresCase }: GlobOptions): Globs {
  const options = {
    dot: true,
    nobrace: true,
    noext: true,
    nonegate: true,
    nocomment: true,
    nocase: ignoresCase,
    platform: 'linux',
  } as const;
  // A pattern that spells a name such as `x[1].png` means that file as well.
  const spelled = alternatives.flatMap((each) => [each, each.replaceAll(/[[\]\\]/g, '\\$&')]);
  const files = spelled.filter((each) => !each.endsWith('/') || toPattern(each) === '**').map(toPattern);
  const globs = (patterns: readonly string[]): readonly Minimatch[] =>
    [...new Set(patterns)].map((pattern) => new Minimatch(pattern, options));
  return {
    forFolders: globs(spelled.map(toPattern)),
    forFiles: globs(files.flatMap((each) => [each, foldExtension(each)])).map((glob) => ({
      glob,
      ending: /[\w.-]*$/.exec(glob.pattern)?.[0].toLowerCase() ?? '',
    })),
  };
}

function toPattern(spelled: string): string {
  const parts = spelled.split('/').filter((part) => part !== '' && part !== '.');
  // A pattern that means a folder means everything in it, so a final `**` adds nothing.
  while (parts.at(-1) === '**') parts.pop();
  return parts.join('/') || '**';
}

/** A path in the forms that patterns compare. */
interface Name {
  readonly text: string;
  /** With the extension in lower case. */
  readonly folded: string;
  readonly lowered: string;
  readonly folder: string;
  readonly isInNodeModules: boolean;
}

function nameOf(path: string): Name {
  // A name can be stored in two Unicode forms, and the pattern may be typed in the other one.
  const text = path.normalize('NFC');
  return {
    text,
    folded: foldExtension(text),
    lowered: text.toLowerCase(),
    folder: parentOf(text),
    isInNodeModules: isIn('node_modules', text),
  };
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

/** The line that selects or excludes this path: the last one that matches. Git's own files are never selected. */
export function decidingLine(lines: readonly FilePattern[], path: string): FilePattern | undefined {
  if (isIn('.git', path)) return undefined;
  const name = nameOf(path);
  return lines.findLast((line) => line.matchesName(name));
}

/** Whether a file with this path is selected; the file need not exist. */
export function selects(lines: readonly FilePattern[], path: string): boolean {
  return decidingLine(lines, path)?.exclude === false;
}

/** Whether a file in this folder can be selected. */
export function canSelectIn(lines: readonly FilePattern[], folder: string): boolean {
  const name = nameOf(folder);
  return !isIn('.git', folder) && lines.findLast((line) => line.reachesInto(name))?.exclude === false;
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
