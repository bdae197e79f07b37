import * as fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { GateError } from '../../src/lib/cause.ts';
import type { Discovery } from '../../src/media/discover.ts';
import { parsePattern } from '../../src/media/patterns.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { isSelected, listAll, makeFolders, matchOf } from './reference.ts';
import { search } from './search.ts';

/** Folders and files have the same names, so that a folder can look like a file and a link can lead to either. */
const NAMES = ['a', 'b', 'x.svg', 'y.png', 'v1.2', 'k.xcassets', 'n.txt', '.cache'];
/** Names with characters that have a meaning in patterns, and names that are not searched. */
const SPECIAL = `X.PNG|.png|node_modules|.git|-x|~|#x|!x|%0A|+(a)|{a,b}|ads [new]|[|]|[!a]`
  .split('|')
  .concat(' first', 'last ', '\u{1f3ac}', 'caf\u00e9', 'cafe\u0301')
  .concat(process.platform === 'win32' ? [] : ['what?', 'a*b', '**', 'two\nlines', 'cr\rlf', 'back\\slash', '\\', ':']);
const ROOTS = ['root', ...SPECIAL.filter((name) => !/[\n\r]/.test(name))];

export interface Entry {
  readonly folders: readonly string[];
  readonly name: string;
  readonly content: string;
  /** The target of a link; undefined if the entry is a file. */
  readonly linkTo: readonly string[] | undefined;
}

const usualName = fc.constantFrom(...NAMES);
const name = fc.oneof(usualName, usualName, fc.constantFrom(...SPECIAL));

export function entryWith(names: fc.Arbitrary<string>): fc.Arbitrary<Entry> {
  const target = fc.oneof(
    { weight: 5, arbitrary: fc.array(fc.oneof(names, fc.constant('..')), { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constantFrom(['nowhere'], ['..', '..', '..', '..', '..']) },
  );
  return fc.record<Entry>({
    folders: fc.array(names, { maxLength: 3 }),
    name: names,
    content: fc.constantFrom('1', '2', '3'),
    linkTo: fc.option(target, { nil: undefined, freq: 3 }),
  });
}

const tree = fc.array(entryWith(name), { maxLength: 10 });

const part = fc.constantFrom('a', 'b', '*', '**', 'x.svg', 'v1.2', '*.xcassets');
const last = fc.constantFrom(...'*.svg *.png x.svg y.png *.{png,svg} ** * x* v1.2 n.txt *.txt'.split(' '));
const ending = fc.oneof(last, last, last, part);
const line = fc
  .tuple(fc.constantFrom('', '', '!'), fc.array(part, { maxLength: 2 }), ending, fc.constantFrom('', '', '', '/'))
  .map(([mark, parts, end, slash]) => mark + [...parts, end].join('/') + slash);
const lines = fc
  .tuple(fc.constantFrom('**', '**/*.png', 'a/**'), fc.array(line, { maxLength: 4 }))
  .map((all) => all.flat());

export function makeTree(root: string, entries: readonly Entry[]): void {
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

/** The search selects what a plain list and the documented rule select, and no link hides a file. */
export async function expectSameSelection(runs: number): Promise<void> {
  let [searched, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(tree, fc.constantFrom(...ROOTS), lines, async (entries, place, texts) => {
      await using workspace = await makeWorkspace({});
      const root = fs.realpathSync(workspace.path) + path.sep + place;
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
    { numRuns: runs },
  );
  expect([searched, refused].every((number) => number > runs / 10)).toBe(true);
}
