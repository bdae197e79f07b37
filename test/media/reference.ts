/** The rules for patterns and links as a reader of the docs would apply them: short, slow and in memory. */

/** Every path of a tree: a file, a folder, or a link with its target. The repository is the folder `repo`. */
export type Tree = ReadonlyMap<string, 'file' | 'folder' | { readonly target: string }>;

const DEFAULTS = 'png jpg gif mp4 mp3 pdf svg'.split(' ');

/** Whether the last line that selects or excludes this path selects it. */
export function selects(lines: readonly string[], path: string): boolean {
  const parts = path.split('/');
  if (parts.includes('.git')) return false;
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  for (const line of lines.toReversed()) {
    const excludes = line.startsWith('!');
    const globs = expand(line.replace(/^!/, ''));
    if (parts.includes('node_modules') && !excludes && !line.includes('node_modules')) continue;
    for (const glob of globs) {
      const last = glob.slice(glob.lastIndexOf('/') + 1);
      const endsInExtension = /\.[a-z0-9]+$/i.test(last);
      const isForFiles = excludes && /.\.[a-z0-9]+$/i.test(last);
      const matched = paths.filter((each) => matches(glob, each) && (each === path || !isForFiles));
      if (matched.length === 0) continue;
      if (excludes) return false;
      const isNamed = matched.includes(path) && (endsInExtension || !/[*?]/.test(last));
      if (isNamed || DEFAULTS.some((each) => path.toLowerCase().endsWith(`.${each}`))) return true;
    }
  }
  return false;
}

function expand(glob: string): string[] {
  const [whole, inside = ''] = /\{([^{}]*,[^{}]*)\}/.exec(glob) ?? [];
  return whole === undefined ? [glob] : inside.split(',').flatMap((each) => expand(glob.replace(whole, each)));
}

function matches(glob: string, path: string): boolean {
  if (fold(glob) === fold(path)) return true;
  const source = fold(glob)
    .replaceAll(/[[\](){}.+^$|]/g, '\\$&')
    .replace(/^\*\*$/, '.+')
    .replace(/\/\*\*$/, '/.+')
    .replaceAll('**/', '(:[^/]+/)_')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
    .replaceAll('(:[^/]+/)_', '(?:[^/]+/)*');
  return new RegExp(`^${source}$`, 'u').test(fold(path));
}

const fold = (text: string): string => text.normalize('NFC').toLowerCase();

/** A path, the same without links, and the links on the way. */
type Opened = Readonly<Record<'path' | 'file', string>> & { readonly links: readonly string[] };

/** Every path of a file that a reader of the repository can open, up to some depth. */
export function openable(tree: Tree, path = '', folder = 'repo', links: readonly string[] = []): Opened[] {
  const children = [...tree.keys()].filter((each) => each.slice(0, each.lastIndexOf('/')) === folder);
  return children.flatMap((child) => {
    const shown = `${path}${path && '/'}${child.slice(folder.length + 1)}`;
    const { real, passed } = resolve(tree, child);
    const all = [...links, ...passed];
    if (tree.get(real) === 'file') return [{ path: shown, file: real, links: all }];
    return tree.get(real) === 'folder' && shown.split('/').length < 7 ? openable(tree, shown, real, all) : [];
  });
}

/** Follows links as the kernel does, part by part. */
export function resolve(tree: Tree, path: string, passed: string[] = []): { real: string; passed: string[] } {
  let real = '';
  for (const part of path.split('/')) {
    real = part === '..' ? real.replace(/\/?[^/]*$/, '') : `${real}${real && '/'}${part}`.replace(/(^|\/)\.$/, '');
    const entry = tree.get(real);
    if (typeof entry !== 'object') continue;
    if (passed.length > 20) return { real: 'nowhere', passed };
    const target = resolve(tree, `${real.slice(0, real.lastIndexOf('/'))}/${entry.target}`, [...passed, real]);
    [real, passed] = [target.real, target.passed];
  }
  return { real, passed };
}
