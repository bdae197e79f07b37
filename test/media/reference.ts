import * as fs from 'node:fs';
import path from 'node:path';

/** The extensions of the generated names. All of them are in the table of types; `txt` is no default extension. */
const KNOWN = /\.(?:png|svg|txt)$/i;
const DEFAULT = /\.(?:png|svg)$/i;
/** No generated line names these folders. */
const NOT_SEARCHED = /(?:^|\/)(?:\.git|node_modules)\//;

/** How a line matches a file by the documentation, by its path alone: its own name, or a folder above it. */
export function matchOf(line: string, file: string): 'file' | 'folder' | undefined {
  if (NOT_SEARCHED.test(file)) return undefined;
  // A line that equals the path of a file matches the file, even if it looks like a pattern.
  if (line.replace(/^!/, '') === file) return 'file';
  const matches = expand(line.replace(/^!/, '')).map((pattern) => {
    const parts = pattern.split('/').filter((part) => part !== '');
    const isForFolders = pattern.endsWith('/') || parts.at(-1) === '**';
    while (parts.at(-1) === '**') parts.pop();
    const names = file.replace(DEFAULT, (extension) => extension.toLowerCase()).split('/');
    if (!isForFolders && isMatch(parts, names)) return 'file';
    if (!isForFolders && KNOWN.test(parts.at(-1) ?? '')) return undefined;
    return names.some((_, length) => isMatch(parts, names.slice(0, length))) ? 'folder' : undefined;
  });
  return matches.find((match) => match === 'file') ?? matches.find((match) => match !== undefined);
}

export function isSelected(lines: readonly string[], file: string): boolean {
  for (const line of lines.toReversed()) {
    const match = matchOf(line, file);
    if (match === undefined) continue;
    if (line.startsWith('!')) return false;
    const isNaming =
      line === file ||
      expand(line).some((each) => /(?:^|\/)[^*?/]*$|\.\w+$/.test(each) && matchOf(each, file) === 'file');
    if (isNaming || DEFAULT.test(file)) return true;
  }
  return false;
}

function expand(pattern: string): readonly string[] {
  const [, before = '', list, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return list === undefined ? [pattern] : list.split(',').map((each) => before + each + after);
}

function isMatch([part, ...parts]: readonly string[], names: readonly string[]): boolean {
  if (part === undefined) return names.length === 0;
  const [name, ...rest] = names;
  if (part === '**') return isMatch(parts, names) || (name !== undefined && isMatch([part, ...parts], rest));
  const pattern = new RegExp(`^${part.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
  return name !== undefined && pattern.test(name) && isMatch(parts, rest);
}

type BadLink = 'missing' | 'outside' | 'outside file' | 'circle';

interface Listed {
  readonly files: readonly string[];
  /** Links to nothing, to the outside, and back to a folder above, each with what its target is. */
  readonly badLinks: ReadonlyMap<string, BadLink>;
}

/** Every file, also behind links. A folder is entered once on the way to a file. */
export function listAll(root: string): Listed {
  const files: string[] = [];
  const badLinks = new Map<string, BadLink>();
  const list = (folder: string, entered: readonly string[]): void => {
    for (const name of fs.readdirSync(path.join(root, folder)).filter((each) => each !== '.git')) {
      const shown = path.posix.join(folder, name);
      const absolute = path.join(root, shown);
      const isLink = fs.lstatSync(absolute).isSymbolicLink();
      const real = fs.existsSync(absolute) ? fs.realpathSync.native(absolute) : undefined;
      if (real === undefined) badLinks.set(shown, 'missing');
      else if (!`${real}/`.startsWith(`${root}/`) || path.relative(root, real).split('/').includes('.git'))
        badLinks.set(shown, fs.statSync(real).isDirectory() ? 'outside' : 'outside file');
      else if (!fs.statSync(real).isDirectory()) files.push(shown);
      else if (isLink && entered.includes(real)) badLinks.set(shown, 'circle');
      else list(shown, isLink ? [...entered, real] : entered);
    }
  };
  list('', []);
  return { files, badLinks };
}

/** Makes folders one in the other. Throws if one of them is a link, behind which nothing may be written. */
export function makeFolders(root: string, folders: readonly string[]): void {
  for (const [index] of folders.entries()) {
    const folder = path.join(root, ...folders.slice(0, index + 1));
    if (!fs.existsSync(folder)) fs.mkdirSync(folder);
    if (!fs.lstatSync(folder).isDirectory()) throw new Error(`${folder} is in the way.`);
  }
}
