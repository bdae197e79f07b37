import * as fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { onlyChanged } from '../../src/github/changed-files.ts';
import { GateError } from '../../src/lib/cause.ts';
import type { Discovery } from '../../src/media/discover.ts';
import { parsePattern } from '../../src/media/patterns.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { isSelected, listAll, makeFolders, matchOf } from './reference.ts';
import { patternsOf, search } from './search.ts';

const RUNS = 150;

/** Folders and files have the same names, so that a folder can look like a file and a link can lead to either. */
const NAMES = ['a', 'b', 'x.svg', 'y.png', 'v1.2', 'k.xcassets', 'n.txt', '.cache'];
/** Names with characters that have a meaning in patterns, and names that are not searched. */
const SPECIAL = `X.PNG|.png|node_modules|.git|-x|~|#x|!x|%0A|+(a)|{a,b}|ads [new]|[|]|[!a]`
  .split('|')
  .concat(' first', 'last ', '\u{1f3ac}', 'caf\u00e9', 'cafe\u0301')
  .concat(process.platform === 'win32' ? [] : ['what?', 'a*b', '**', 'two\nlines', 'cr\rlf', 'back\\slash', '\\', ':']);
const ROOTS = ['root', ...SPECIAL.filter((name) => !/[\n\r]/.test(name))];

interface Entry {
  readonly folders: readonly string[];
  readonly name: string;
  readonly content: string;
  /** The target of a link; undefined if the entry is a file. */
  readonly linkTo: readonly string[] | undefined;
}

function treeOf(
  names: readonly string[],
  maxLength: number,
  usual: readonly Entry[] = [],
  rare: readonly string[] = [],
) {
  const usualName = fc.constantFrom(...names);
  const name = rare.length > 0 ? fc.oneof(usualName, usualName, fc.constantFrom(...rare)) : usualName;
  const target = fc.oneof(
    { weight: 5, arbitrary: fc.array(fc.oneof(name, fc.constant('..')), { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constantFrom(['nowhere'], ['..', '..', '..', '..', '..']) },
  );
  const entry = fc.record<Entry>({
    folders: fc.array(name, { maxLength: 3 }),
    name,
    content: fc.constantFrom('1', '2', '3'),
    linkTo: fc.option(target, { nil: undefined, freq: 3 }),
  });
  return fc.array(usual.length > 0 ? fc.oneof(entry, fc.constantFrom(...usual)) : entry, { maxLength });
}

const part = fc.constantFrom('a', 'b', '*', '**', 'x.svg', 'v1.2', '*.xcassets');
const last = fc.constantFrom(...'*.svg *.png x.svg y.png *.{png,svg} ** * x* v1.2 n.txt *.txt'.split(' '));
const ending = fc.oneof(last, last, last, part);
const line = fc
  .tuple(fc.constantFrom('', '', '!'), fc.array(part, { maxLength: 2 }), ending, fc.constantFrom('', '', '', '/'))
  .map(([mark, parts, end, slash]) => mark + [...parts, end].join('/') + slash);
const lines = fc
  .tuple(fc.constantFrom('**', '**/*.png', 'a/**'), fc.array(line, { maxLength: 4 }))
  .map((all) => all.flat());

function makeTree(root: string, entries: readonly Entry[]): void {
  fs.mkdirSync(root);
  fs.writeFileSync(path.join(root, 'README'), '');
  for (const { folders, name: last, content, linkTo } of entries) {
    const place = path.join(root, ...folders, last);
    try {
      makeFolders(root, folders);
      if (linkTo === undefined) fs.writeFileSync(place, content, { flag: 'wx' });
      else fs.symlinkSync(linkTo.join('/'), place);
    } catch {
      // An earlier entry is in the way.
    }
  }
}

/** Undefined if the search refuses links. Each link that it names must be one that leads nowhere, out or back. */
async function searchTree(texts: readonly string[], root: string): Promise<Discovery | undefined> {
  try {
    return await search(texts, root);
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    const { badLinks } = listAll(root);
    for (const cause of error.causes) expect([...badLinks.keys()]).toContain(cause.path);
    return undefined;
  }
}

it('selects what a plain list and the documented rule select, and no link hides a file', async () => {
  let [searched, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(treeOf(NAMES, 10, [], SPECIAL), fc.constantFrom(...ROOTS), lines, async (entries, name, texts) => {
      await using workspace = await makeWorkspace({});
      const root = fs.realpathSync(workspace.path) + path.sep + name;
      makeTree(root, entries);
      const found = await searchTree(texts, root);
      if (!found) return void (refused += 1);
      searched += 1;
      const { files, badLinks } = listAll(root);
      const expected = files.filter((file) => isSelected(texts, file));
      expect(found.files.map((file) => file.path)).toEqual(expected.toSorted());
      for (const [link, kind] of badLinks) {
        if (kind === 'circle' || texts.includes(`!${link}`)) continue;
        const inFolder = kind === 'outside file' ? [] : ['/q.png', '/b/q.png', '/x.svg/q.png'];
        const hidden = kind === 'outside' ? inFolder : ['', ...inFolder];
        expect(hidden.filter((each) => isSelected(texts, link + each))).toEqual([]);
      }
      for (const text of texts.filter((each) => !each.startsWith('!')))
        for (const file of files)
          expect(parsePattern(text, { windows: false }).matches(file)).toBe(matchOf(text, file) !== undefined);
    }),
    { numRuns: RUNS },
  );
  expect([searched, refused].every((number) => number > RUNS / 10)).toBe(true);
});

/** The files and links of a tree as Git stores them, by path. */
function stored(root: string, folder = ''): readonly (readonly [file: string, text: string])[] {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((each) => {
    const file = path.posix.join(folder, each.name);
    const place = path.join(root, file);
    if (each.isDirectory()) return stored(root, file);
    return [[file, each.isSymbolicLink() ? `-> ${fs.readlinkSync(place)}` : fs.readFileSync(place, 'utf8')] as const];
  });
}

function contentAt(root: string, file: string): string | undefined {
  try {
    return fs.readFileSync(path.join(root, file), 'utf8');
  } catch {
    return undefined;
  }
}

/** Removes links that the search would refuse, so that nearly every case can be searched. */
function removeBadLinks(root: string): void {
  for (let links = listAll(root).badLinks; links.size > 0; links = listAll(root).badLinks)
    for (const link of links.keys()) fs.rmSync(path.join(root, link), { force: true });
}

/** Ways over a link `hop`: what is behind `hop/..` depends on whether `hop` is a folder or a link, and to where. */
const HOPS = ['a', 'a/b', 'b', 'b/a'].map((target) => link('hop', target));
const WAYS = ['hop/y.png', 'hop/../y.png', 'hop/../a/y.png'].map((target) => link('hero.png', target));
const FILES = ['y.png', 'a/y.png', 'b/y.png', 'a/b/y.png', 'b/a/y.png'].map((file) => entryAt(file, file));
const CHANGES = [...HOPS, ...WAYS, entryAt('hop/n.txt', ''), entryAt('hop/y.png', 'new'), entryAt('a/y.png', 'new')];

function entryAt(file: string, content: string): Entry {
  const folders = file.split('/');
  return { folders: folders.slice(0, -1), name: folders.at(-1) ?? '', content, linkTo: undefined };
}

function link(name: string, target: string): Entry {
  return { ...entryAt(name, ''), linkTo: target.split('/') };
}

it('only-changed checks every file whose content is not the one that the base has at its path', async () => {
  const names = ['a', 'b', 'hop', 'y.png'];
  let [changed, throughLinks] = [0, 0];
  await fc.assert(
    fc.asyncProperty(treeOf(names, 6, [...HOPS, ...WAYS]), treeOf(names, 2, CHANGES), async (before, changes) => {
      await using workspace = await makeWorkspace({});
      const [base = '', head = ''] = ['base', 'head'].map((each) => path.join(fs.realpathSync(workspace.path), each));
      makeTree(base, [...before, ...FILES]);
      makeTree(head, [...changes, ...before, ...FILES]);
      removeBadLinks(head);
      const found = await search(['**'], head);
      const old = new Map(stored(base));
      const listed = stored(head).flatMap(([file, text]) => (old.get(file) === text ? [] : [file]));
      const { files } = await onlyChanged(found, listed, { patterns: patternsOf(['**']), searchRoot: head });
      const checked = new Set(files.map((file) => file.path));
      const different = found.files.filter((file) => contentAt(base, file.path) !== contentAt(head, file.path));
      expect(different.filter((file) => !checked.has(file.path))).toEqual([]);
      changed += different.length;
      throughLinks += different.filter(({ realPath }) => realPath !== undefined).length;
    }),
    { numRuns: RUNS },
  );
  expect([changed, throughLinks].every((number) => number > 0)).toBe(true);
});
