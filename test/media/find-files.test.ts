import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GateError } from '../../src/lib/cause.ts';
import type { FoundPaths } from '../../src/media/discover.ts';
import { selects } from '../../src/media/match.ts';
import { findPaths, patternsOf } from './search.ts';
import { makeWorkspace } from './workspace.ts';

type Kind = 'file' | 'link to a file' | 'link to a folder' | 'broken link';

interface Entry {
  readonly folders: readonly string[];
  readonly name: string;
  readonly kind: Kind;
}

/** Names that are pattern syntax, or look like it. */
const NAMES = `a|b|x.png|X.PNG|.png|.hidden|node_modules|.git|-x|.x|~|#x|!x|%0A|+(a)|{a,b}|ads [new]|[|]|[!a]`
  .split('|')
  .concat(' first', 'last ', '\u{1f3ac}', 'caf\u00e9', 'cafe\u0301', '\ufffd')
  .concat(process.platform === 'win32' ? [] : ['what?', 'a*b', '**', 'two\nlines', 'cr\rlf', 'back\\slash', '\\', ':']);

const LINES: readonly (readonly string[])[] = [
  ['**'],
  ['**/*.png'],
  ['**/*.png', '!a/**'],
  ['**', '!**/b', 'a/b/**/*.png'],
  ['a/*/*'],
  ['a/b/**', '*/x.png'],
  ['{a,b}/**/*.png', 'node_modules/*.png'],
  ['*'],
  ['ads ?new?/**', './#x/**', 'two?lines/**', '[[]/*'],
];

const name = fc.constantFrom(...NAMES);
const tree = fc.array(
  fc.record<Entry>({
    folders: fc.array(name, { maxLength: 4 }),
    name,
    kind: fc.constantFrom<Kind[]>('file', 'file', 'file', 'link to a file', 'link to a folder', 'broken link'),
  }),
  { maxLength: 25 },
);

function makeEntry(root: string, { folders, name: fileName, kind }: Entry): void {
  const folder = path.join(root, ...folders);
  const file = path.join(folder, fileName);
  try {
    mkdirSync(folder, { recursive: true });
    if (kind === 'file') writeFileSync(file, 'x');
    else symlinkSync({ 'link to a file': 'target', 'link to a folder': root, 'broken link': 'nowhere' }[kind], file);
  } catch {
    // The path is already taken by an entry of another kind.
  }
}

/** Every file and link under a folder, by a plain listing. */
function listAll(root: string, folder = ''): { files: string[]; links: string[] } {
  const all = { files: [] as string[], links: [] as string[] };
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const child = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      const inside = listAll(root, child);
      all.files.push(...inside.files);
      all.links.push(...inside.links);
    } else (entry.isFile() ? all.files : all.links).push(child);
  }
  return all;
}

describe('in generated trees', () => {
  it('finds every selected file and link of a plain listing', async () => {
    await fc.assert(
      fc.asyncProperty(
        tree,
        fc.constantFrom(...NAMES, ''),
        fc.constantFrom(...LINES),
        async (entries, place, texts) => {
          await using workspace = await makeWorkspace({});
          // The root itself can have an odd name.
          const root = path.join(workspace.root, place);
          mkdirSync(root, { recursive: true });
          for (const entry of entries) makeEntry(root, entry);
          const lines = patternsOf(texts, { searchRoot: root, windows: false });
          const found = await findPaths(texts, root);
          const expected = listAll(root);
          expect(found.files).toEqual(expected.files.filter((file) => selects(lines, file)).toSorted());
          expect(found.links).toEqual(expect.arrayContaining(expected.links.filter((file) => selects(lines, file))));
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** A path with a byte that is not UTF-8 in place of each `?`. */
function rawPath(root: string, file: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(file.replaceAll('?', '\xff'), 'latin1')]);
}

const ALL = ['a/b/c/d.png', 'a/b/e.png', 'a/f.png', 'a/\ufffd/i.png', 'g/h.png'];

async function findWith(
  texts: readonly string[],
  raw: { readonly folders?: readonly string[]; readonly files: readonly string[] },
): Promise<FoundPaths> {
  await using workspace = await makeWorkspace(ALL);
  for (const folder of raw.folders ?? []) mkdirSync(rawPath(workspace.root, folder));
  for (const file of raw.files) writeFileSync(rawPath(workspace.root, file), 'x');
  // Without the `await` here the workspace would be gone before it is searched.
  return await findPaths(texts, workspace.root);
}

// Only Linux allows names that are not valid UTF-8.
describe.runIf(process.platform === 'linux')('names that are not UTF-8, deep in a folder', () => {
  it('are found like others, so that opening them fails and names them', async () => {
    const { files } = await findWith(['**/*.png'], { files: ['a/b/caf?.png', 'a/b/c/?.png'] });
    expect(files).toEqual([...ALL, 'a/b/caf\ufffd.png', 'a/b/c/\ufffd.png'].toSorted());
  });

  it('are ignored if no line selects them', async () => {
    const raw = { folders: ['a/b/c?d'], files: ['a/b/caf?.txt', 'a/b/c?d/x.png'] };
    const { files } = await findWith(['**/*.png', '!a/b/c?d/**'], raw);
    expect(files).toEqual(ALL.toSorted());
  });

  it('are an error that names them if they are folders', async () => {
    const raw = { folders: ['a/b/caf?'], files: ['a/b/caf?/x.png'] };
    const error: unknown = await findWith(['**/*.png'], raw).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GateError);
    expect(error).toMatchObject({ causes: [{ reason: 'pre-flight', path: 'a/b/caf\ufffd' }] });
  });

  it('are an error if a folder looks like another one', async () => {
    const raw = { folders: ['a/?'], files: ['a/?/hidden.png'] };
    const error: unknown = await findWith(['**/*.png'], raw).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GateError);
    expect(error).toMatchObject({ causes: [{ path: 'a/\ufffd' }, { path: 'a/\ufffd' }] });
  });
});
