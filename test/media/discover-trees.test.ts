import * as fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { GateError } from '../../src/lib/cause.ts';
import type { FilePatterns } from '../../src/media/patterns.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { makeFolders } from './reference.ts';
import { patternsOf, search } from './search.ts';

const TARGETS = ['x.png', 'a', 'b', 'b/x.png', '.', '../a', '../b/x.png', '..'];
const BAD_TARGETS = ['nowhere', '.git', '/', '../../../..', 'loop'];

interface Entry {
  readonly folders: readonly string[];
  readonly name: string;
  /** The target of a link; undefined if the entry is a file. */
  readonly linkTo: string | undefined;
}

/** Names that contain pattern syntax or other special characters. */
const NAMES = `a|b|x.png|X.PNG|.png|.hidden|node_modules|.git|loop|-x|.x|~|#x|!x|%0A|+(a)|{a,b}|ads [new]|[|]|[!a]`
  .split('|')
  .concat(' first', 'last ', '\u{1f3ac}', 'caf\u00e9', 'cafe\u0301')
  .concat(process.platform === 'win32' ? [] : ['what?', 'a*b', '**', 'two\nlines', 'cr\rlf', 'back\\slash', '\\', ':']);
const ROOTS = [...NAMES, ''].filter((name) => !/[\n\r]/.test(name));

const LINES: readonly (readonly string[])[] = [
  ['**'],
  ['**/*.png'],
  ['**/*.png', '!a/**'],
  ['**', '!**/b', 'a/b/**/*.png'],
  ['a/*/*'],
  ['a/b/**', '*/x.png'],
  ['{a,b}/**/*.png', 'node_modules/*.png'],
  ['*'],
  ['**/*.png', '!**/loop', '!nowhere'],
  ['ads ?new?/**', './#x/**', 'two?lines/**', '[[]/*'],
];

const name = fc.oneof(fc.constantFrom('a', 'b', 'x.png', 'loop'), fc.constantFrom(...NAMES));
const linkTo = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 4, arbitrary: fc.constantFrom(...TARGETS) },
  { weight: 1, arbitrary: fc.constantFrom(...BAD_TARGETS) },
);
const tree = fc.array(fc.record<Entry>({ folders: fc.array(name, { maxLength: 4 }), name, linkTo }), { maxLength: 12 });

/** Every tree has these files, so that most links have a target. */
const BASE = [[], ['a'], ['b'], ['a', 'b']].map((folders) => ({ folders, name: 'x.png', linkTo: undefined }));

function makeEntry(root: string, entry: Entry): void {
  const folder = path.join(root, ...entry.folders);
  try {
    makeFolders(root, entry.folders);
    if (entry.linkTo === undefined) fs.writeFileSync(path.join(folder, entry.name), 'x');
    else fs.symlinkSync(entry.linkTo, path.join(folder, entry.name));
  } catch {
    // An earlier entry has the same path.
  }
}

/** A simple model of the search: returns every selected file with its real path, and every path to refuse. */
function listAll(root: string, lines: FilePatterns) {
  const files = new Map<string, string>();
  const problems = new Set<string>();
  const unselected: string[] = [];
  const circles: [link: string, entrance: string][] = [];
  const list = (folder: string, entered: readonly (readonly [shown: string, real: string])[]): void => {
    for (const each of fs.readdirSync(path.join(root, folder))) {
      const child = folder === '' ? each : `${folder}/${each}`;
      const absolute = path.join(root, child);
      const isLink = fs.lstatSync(absolute).isSymbolicLink();
      if (each === '.git') continue;
      const [isSelected, isEntered] = [lines.selects(child), lines.canSelectIn(child)];
      const stats = fs.existsSync(absolute) ? fs.statSync(absolute) : undefined;
      const isFile = stats?.isFile() && (!isLink || isEntered || isSelected);
      if (isFile ? lines.couldSelect(child) && !isSelected : !isEntered && !(isLink && isSelected))
        unselected.push(child);
      if (!stats) {
        if (isSelected || isEntered) problems.add(child);
        continue;
      }
      const real = path.relative(root, fs.realpathSync(absolute));
      const isOutside = real.split('/').some((part) => part === '..' || part === '.git');
      if (isOutside && (stats.isDirectory() ? isEntered : isSelected)) problems.add(child);
      if (isOutside) continue;
      if (stats.isFile() && isSelected) files.set(child, real);
      if (stats.isDirectory() && !isLink) list(child, entered);
      if (!stats.isDirectory() || !isLink) continue;
      const entrance = entered.find(([, each]) => each === real)?.[0];
      if (entrance === undefined) list(child, [...entered, [child, real]]);
      else if (isEntered) circles.push([child, entrance]);
    }
  };
  list('', []);
  for (const [link, entrance] of circles)
    if (unselected.some((each) => each.startsWith(`${entrance}/`))) problems.add(link);
  return { files, problems };
}

it('in generated trees, finds every selected file of a plain listing, also through links', async () => {
  let [withLinks, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(tree, fc.constantFrom(...ROOTS), fc.constantFrom(...LINES), async (entries, place, texts) => {
      await using workspace = await makeWorkspace({});
      const root = fs.realpathSync(workspace.path) + path.sep + place;
      fs.mkdirSync(root, { recursive: true });
      for (const entry of [...BASE, ...entries]) makeEntry(root, entry);
      const { files, problems } = listAll(root, patternsOf(texts));
      const found = await search(texts, root).catch((error: unknown) => error);
      if (problems.size > 0) {
        refused += 1;
        if (!(found instanceof GateError)) throw found;
        expect(new Set(found.causes.map((cause) => cause.path))).toEqual(problems);
        return;
      }
      if (found instanceof Error) throw found;
      const expected = [...files].map(([file, real]) => ({
        path: file,
        absolutePath: path.join(root, real),
        ...(file !== real && { realPath: real }),
      }));
      expect(found).toMatchObject({ files: expected.toSorted((a, b) => (a.path < b.path ? -1 : 1)) });
      withLinks += expected.some(({ realPath }) => realPath) ? 1 : 0;
    }),
    { numRuns: 100 },
  );
  expect([withLinks, refused]).not.toContain(0);
});
