import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { GateError } from '../../src/causes/cause.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { openable, resolve, selects, type Tree } from './reference.ts';
import { search } from './search.ts';

/**
 * Random repositories with links, odd names, unreadable folders and sparse checkouts. Whatever a reader of the repository
 * can open at a path that `files` selects is checked, or the run names a problem on the way to it.
 */

const FOLDERS = ['media', 'store', 'a', 'B', 'x.svg', '.next', 'node_modules', '.git', 'bad\ufffd'];
const NAMED = 'a.png A.PNG x.svg notes.txt LICENSE .png hero [x].png'.split(' ');
const FILES = [...NAMED, 'cafe\u0301.png', 'bad\ufffd.png'];
/** Lines that select something in most trees, and others. */
const BROAD = ['**/*.png', '**', 'media/**', 'media/**/*.txt', 'a/**/LICENSE', '{media,store}/**/*.{txt,png}'];
const LINES = [
  ...'a */*.png media/*/*.png store/**/*.txt **/*.{svg,txt} LICENSE h* **/LICENSE **/media/*.txt'.split(' '),
  ...'MEDIA/store/* node_modules/** **/x.svg [x].png {a,media}/**/hero'.split(' '),
  ...'!**/*.svg !media/x.svg/** !store !**/.next !b/** !**/*.png !a/[x].png !media/a'.split(' '),
  'caf\u00e9.png',
];
const TARGETS = ['.', '..', '../..', 'nowhere', '../outside', '../outside/a.png', '../../outside', '../.git', '/etc'];

/** Most paths are short and have few names, so that links, lines and files meet. */
const Common = fc.constantFrom('media', 'store', 'a');
const Name = fc.oneof(
  { weight: 6, arbitrary: Common },
  { weight: 2, arbitrary: fc.constantFrom(...FOLDERS) },
  { weight: 1, arbitrary: fc.constantFrom(...FILES) },
);
const Folder = fc.array(Name, { maxLength: 2 });
const FileName = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a.png', 'notes.txt', 'notes.txt', 'LICENSE') },
  { weight: 4, arbitrary: fc.constantFrom(...FILES) },
  { weight: 1, arbitrary: fc.constantFrom(...FOLDERS) },
);

const Target = fc.oneof(
  { weight: 4, arbitrary: fc.nat({ max: 100 }) },
  { weight: 1, arbitrary: fc.constantFrom(...TARGETS) },
);

const Worlds = fc.record({
  files: fc.array(fc.tuple(Folder, FileName), { minLength: 1, maxLength: 6 }),
  links: fc.array(fc.tuple(Folder, Name, Target), { minLength: 1, maxLength: 3 }),
  lines: fc
    .tuple(fc.constantFrom(...BROAD), fc.array(fc.constantFrom(...LINES), { maxLength: 3 }))
    .map(([first, others]) => [first, ...others]),
  /** Each chooses a path. Most worlds have neither. */
  unreadable: fc.option(fc.nat({ max: 100 }), { freq: 6 }),
  sparse: fc.option(fc.nat({ max: 100 }), { freq: 6 }),
});
type World = typeof Worlds extends fc.Arbitrary<infer Value> ? Value : never;

type Entry = Tree extends ReadonlyMap<string, infer Value> ? Value : never;

function treeOf({ files, links }: World): Map<string, Entry> {
  const tree = new Map<string, Entry>([
    ['repo', 'folder'],
    ['repo/README', 'file'],
    ['repo/.git', 'folder'],
    ['repo/.git/HEAD', 'file'],
    ['repo/.git/a.png', 'file'],
    ['outside', 'folder'],
    ['outside/a.png', 'file'],
  ]);
  const add = (parts: readonly string[], entry: Entry): void => {
    const all = parts.map((_, index) => ['repo', ...parts.slice(0, index + 1)].join('/'));
    const last = all.pop() ?? '';
    if (all.some((each) => (tree.get(each) ?? 'folder') !== 'folder') || tree.has(last)) return;
    for (const each of all) tree.set(each, 'folder');
    tree.set(last, entry);
  };
  for (const [folder, name] of files) add([...folder, name], 'file');
  for (const [folder, name, target] of links) {
    const inside = [...tree.keys()].filter((each) => each.startsWith('repo'));
    const chosen = typeof target === 'number' ? inside[target % inside.length] : undefined;
    add([...folder, name], {
      target: chosen ? path.posix.relative(['repo', ...folder].join('/'), chosen) || '.' : String(target),
    });
  }
  return tree;
}

/** The bytes of a path, in which U+FFFD stands for a byte that is not UTF-8. */
function bytesOf(file: string): Buffer {
  const parts = file.split('\ufffd').map((part) => Buffer.from(part));
  return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [Buffer.from([0xff]), part])));
}

function write(tree: Tree, root: string): void {
  for (const [name, entry] of tree) {
    const place = bytesOf(path.join(root, name));
    if (entry === 'folder') fs.mkdirSync(place);
    else if (entry === 'file') fs.writeFileSync(place, name);
    else fs.symlinkSync(bytesOf(entry.target), place);
  }
}

/** Whether the path is in the folder, or is the folder. */
const isAt = (folder: string, file: string): boolean => file === folder || file.startsWith(`${folder}/`);

/** Makes listing this folder fail, for root as well. */
function makeUnreadable(folder: string): () => void {
  const { readdirSync, promises } = fs;
  const { readdir } = promises;
  const refuse = (place: unknown): void => {
    if (isAt(folder, String(place)))
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', syscall: 'scandir', path: place });
  };
  Object.assign(fs, { readdirSync: (...all: [string]) => (refuse(all[0]), readdirSync(...all)) });
  Object.assign(promises, { readdir: async (...all: [string]) => (refuse(all[0]), await readdir(...all)) });
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, { readdirSync });
    Object.assign(promises, { readdir });
    syncBuiltinESMExports();
  };
}

interface Outcome {
  readonly files: readonly string[];
  /** The problems by path, each with the lines that its steps show. */
  readonly problems: ReadonlyMap<string, { readonly exclude: string | undefined; readonly add: string | undefined }>;
}

async function discoverIn(root: string, lines: readonly string[]): Promise<Outcome> {
  try {
    return { files: (await search(lines, root)).files.map((file) => file.path), problems: new Map() };
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    const problems = error.causes.map(({ path: place = '', steps }) => {
      const shown = steps.flatMap(({ text }) => [...text.matchAll(/the line `([^`]+)`/g)].map(([, line = '']) => line));
      const find = (isExclusion: boolean) => shown.find((line) => line.startsWith('!') === isExclusion);
      return [place, { exclude: find(true), add: find(false) }] as const;
    });
    return { files: [], problems: new Map(problems) };
  }
}

/** What was played: a test that refuses every world would prove nothing. */
const counts = { worlds: 0, refused: 0, withLinks: 0, opened: 0 };

async function play(world: World): Promise<void> {
  await using workspace = await makeWorkspace({});
  const full = treeOf(world);
  const inside = [...full.keys()].filter((each) => each.startsWith('repo/') && each !== 'repo/README');
  const pick = (index: number | null) => (index === null ? undefined : inside[index % inside.length]);
  const [missing, hidden] = [pick(world.sparse), pick(world.unreadable)];
  const tree = new Map([...full].filter(([each]) => missing === undefined || !isAt(missing, each)));
  const unreadable = hidden !== undefined && tree.get(hidden) === 'folder' ? hidden : undefined;
  write(tree, workspace.path);
  const restore = unreadable === undefined ? () => {} : makeUnreadable(path.join(workspace.path, unreadable));
  try {
    const root = path.join(workspace.path, 'repo');
    const { lines } = world;
    const { files, problems } = await discoverIn(root, lines);
    const named = [...problems.keys()].map((each) => `repo/${each}`);
    const opened = openable(full).filter((each) => selects(lines, each.path));
    counts.worlds += 1;
    counts.refused += problems.size > 0 ? 1 : 0;
    counts.withLinks += opened.some(({ links }) => links.length > 0) ? 1 : 0;
    counts.opened += opened.length;
    const own = new Set(openable(tree).flatMap((each) => (each.links.length === 0 ? each.path : [])));
    // A run with problems checks nothing. Once they are fixed, it checks what is selected at its own path.
    const checked = problems.size > 0 ? [...own].filter((file) => selects(lines, file)) : files;
    const judged = new Set(checked.map((file) => `repo/${file}`));
    for (const { file, links, path: shown } of opened) {
      // What a sparse checkout has left out can be missed, unless a link of the checkout leads to exactly that.
      const isLeftOut =
        links.some((link) => !tree.has(link)) ||
        (!tree.has(file) && links.every((link) => tree.has(targetOf(full, link))));
      const isNamed = named.some((each) => [file, ...links].some((place) => isAt(each, place)));
      if (!isLeftOut && !isNamed && !judged.has(file)) expect.fail(`${shown} (${file}) is neither checked nor named`);
    }
    // Nothing else is checked: a file behind a link counts at its own path.
    for (const file of files) expect(own.has(file) && selects(lines, file), file).toBe(true);
    // Each line that a problem shows works when it is pasted.
    for (const [place, { exclude, add }] of problems)
      for (const line of [exclude, add]) {
        if (line === undefined) continue;
        const after = await discoverIn(root, [...lines, line]);
        expect([...after.problems.keys()], `the line ${line}`).not.toContain(place);
      }
    expect([...problems.values()].every(({ exclude }) => exclude !== undefined)).toBe(true);
  } finally {
    restore();
  }
}

/** The path to which a link leads, also if nothing is there. */
function targetOf(tree: Tree, link: string): string {
  const entry = tree.get(link);
  return typeof entry === 'object' ? resolve(tree, `${path.posix.dirname(link)}/${entry.target}`).real : link;
}

export async function expectNothingHidden(numRuns: number): Promise<void> {
  await fc.assert(fc.asyncProperty(Worlds, play), { numRuns });
}
