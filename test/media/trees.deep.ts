import * as fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { onlyChanged } from '../../src/github/pull-request.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { listAll } from './reference.ts';
import { patternsOf, search } from './search.ts';
import { type Entry, entryWith, expectSameSelection, makeTree } from './trees.ts';

it('selects what a plain list and the documented rule select, and no link hides a file', async () =>
  await expectSameSelection(500));

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

function entryAt(file: string, content: string): Entry {
  const folders = file.split('/');
  return { folders: folders.slice(0, -1), name: folders.at(-1) ?? '', content, linkTo: undefined };
}

function link(name: string, target: string): Entry {
  return { ...entryAt(name, ''), linkTo: target.split('/') };
}

/** Ways over a link `hop`: what is behind `hop/..` depends on whether `hop` is a folder or a link, and to where. */
const HOPS = ['a', 'a/b', 'b', 'b/a'].map((target) => link('hop', target));
const WAYS = ['hop/y.png', 'hop/../y.png', 'hop/../a/y.png'].map((target) => link('hero.png', target));
const FILES = ['y.png', 'a/y.png', 'b/y.png', 'a/b/y.png', 'b/a/y.png'].map((file) => entryAt(file, file));
const CHANGES = [...HOPS, ...WAYS, entryAt('hop/n.txt', ''), entryAt('hop/y.png', 'new'), entryAt('a/y.png', 'new')];

const anyEntry = entryWith(fc.constantFrom('a', 'b', 'hop', 'y.png'));
const before = fc.array(fc.oneof(anyEntry, fc.constantFrom(...HOPS, ...WAYS)), { maxLength: 6 });
const changes = fc.array(fc.oneof(anyEntry, fc.constantFrom(...CHANGES)), { maxLength: 2 });

it('only-changed checks every file whose content is not the one that the base has at its path', async () => {
  let [left, changed, throughLinks] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(before, changes, async (old, added) => {
      await using workspace = await makeWorkspace({});
      const [base = '', head = ''] = ['base', 'head'].map((each) => path.join(fs.realpathSync(workspace.path), each));
      makeTree(base, [...old, ...FILES]);
      makeTree(head, [...added, ...old, ...FILES]);
      removeBadLinks(head);
      const found = await search(['**'], head);
      const inBase = new Map(stored(base));
      const paths = stored(head).flatMap(([file, text]) => (inBase.get(file) === text ? [] : [file]));
      const where = { patterns: patternsOf(['**']), searchRoot: head };
      const { files, notices } = await onlyChanged(found, { kind: 'known', paths }, where);
      expect(notices).toEqual(found.notices);
      const checked = new Set(files.map((file) => file.path));
      const different = found.files.filter((file) => contentAt(base, file.path) !== contentAt(head, file.path));
      expect(different.filter((file) => !checked.has(file.path))).toEqual([]);
      left += found.files.length - files.length;
      changed += different.length;
      throughLinks += different.filter(({ realPath }) => realPath !== undefined).length;
    }),
    { numRuns: 300 },
  );
  expect([left, changed, throughLinks].every((number) => number > 0)).toBe(true);
});
