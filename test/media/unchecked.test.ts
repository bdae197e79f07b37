import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { discover } from '../../src/media/discover.ts';
import { DEFAULT_PATTERNS } from '../../src/media/media-types.ts';
import { it } from '../harness/fixtures.ts';
import { mp4, png } from '../harness/media.ts';
import type { Files } from '../harness/workspace.ts';
import { CFB, JPEG, pointerTo, transportStream, zip } from './bytes.ts';
import { patternsOf, search, withoutDebugLines } from './search.ts';

const BINARY = Buffer.from([0, 1, 2, 3]);
const PS = '%!PS-Adobe-3.0 EPSF-3.0\n';
const TEXT = 'export const run = 1;\n';

/** Names by what becomes of them with the default patterns. */
const OUTCOMES: Readonly<Record<'selected' | 'named' | 'silent', Files>> = {
  selected: { 'hero.MP4': mp4('hero'), 'logo.svg': '<svg/>', 'photo.heic': BINARY, 'song.m4a': BINARY, 'a.pdf': PS },
  named: {
    // The public registry has these.
    ...Object.fromEntries('favicon.ico part.m4s rock.dds scan.pcx wall.ppm sky.exr'.split(' ').map(binary)),
    ...Object.fromEntries('song.mid voice.AU clip.3gpp photo.jxl photo.jp2 anim.mng plan.dwg'.split(' ').map(binary)),
    // We have added these.
    ...Object.fromEntries('film.swf icon.icns photo.j2k photo.cr3 scan.qoi old.dib'.split(' ').map(binary)),
    'poster.ai': '%PDF-1.6\n\0',
    'poster.eps': PS,
    'photo.jfif': JPEG,
    'stream.mts': transportStream(),
    'talk.key': zip({ 'Index.zip': 'x' }),
    'flyer.pub': CFB,
    'stored.ts': pointerTo(transportStream()),
    'stored.ico': pointerTo(BINARY),
  },
  silent: {
    // Text has the same names: source code, a key, a playlist, a picture in C, a device tree.
    ...Object.fromEntries('run.ts run.mts a.key id_rsa.pub a.m3u a.xpm a.dts a.raw'.split(' ').map((n) => [n, TEXT])),
    'utf16.ts': Buffer.from('\ufeffexport {};', 'utf16le'),
    'der.key': Buffer.from('308204a30201', 'hex'),
    'empty.ico': '',
    'README.md': TEXT,
    'page.html': '<html>',
    'app.zip': zip({ a: 'b' }),
    'app.wasm': BINARY,
    Makefile: TEXT,
  },
};

function binary(name: string): readonly [string, Buffer] {
  return [name, BINARY];
}

it('every name is selected, named or left in silence', async ({ makeFolder }) => {
  const { selected, named, silent } = OUTCOMES;
  const found = await search(DEFAULT_PATTERNS, await makeFolder({ ...selected, ...named, ...silent }));
  const [files, unchecked] = [found.files, found.unchecked].map((list) => list.map((file) => file.path));
  expect({ files, unchecked }).toEqual({
    files: Object.keys(selected).toSorted(),
    unchecked: Object.keys(named).toSorted(),
  });
});

const TREE = {
  'a.png': png('a'),
  'poster.AI': BINARY,
  'README.md': TEXT,
  'src/run.ts': TEXT,
  'src/clip.mts': transportStream(),
  'media/.gitkeep': '',
  'media/film.dat': mp4('film'),
  'media/notes.dat': 'notes',
  'media/archive.zip': zip({ a: 'b' }),
  'media/photo.jfif': JPEG,
  'media/talk.key': zip({ 'Index.zip': 'x' }),
  'media/server.key': '-----BEGIN PRIVATE KEY-----\n',
  'media/flyer.pub': CFB,
  'media/lfs.mts': pointerTo(transportStream()),
  'media/lfs.dat': pointerTo(mp4('film')),
  'other/poster.eps': PS,
  'node_modules/x/logo.eps': PS,
};

const IN_MEDIA = ['flyer.pub', 'lfs.mts', 'photo.jfif', 'talk.key'].map((name) => `media/${name}`);

// biome-ignore format: a table
it.for<[lines: readonly string[], unchecked: readonly string[], leftOut: number]>([
  [DEFAULT_PATTERNS, [...IN_MEDIA, 'other/poster.eps', 'poster.AI', 'src/clip.mts'], 0],
  // Only folders in which a line can select a file are searched.
  [['media/**'], ['media/film.dat', ...IN_MEDIA], 5],
  [['media/*.png'], IN_MEDIA, 0],
  [['*.png'], ['poster.AI'], 0],
  [['a.png', 'src/*/*.png'], ['poster.AI'], 0],
  // What a line excludes or selects is not mentioned.
  [['media/**', '!**/*.{key,mts}'], ['media/film.dat', 'media/flyer.pub', 'media/photo.jfif'], 4],
  [['media/**', '*.ai', 'media/*.{jfif,dat}'], ['media/flyer.pub', 'media/lfs.mts', 'media/talk.key'], 3],
  [['**', '!media', '!src'], ['other/poster.eps', 'poster.AI'], 1],
])('media that %j do not select', async ([lines, unchecked, leftOut], { makeFolder }) => {
  const found = await search(lines, await makeFolder(TREE));
  expect([found.unchecked.map((file) => file.path), found.leftOut]).toEqual([unchecked, leftOut]);
});

it('media behind a link count under the path of the link', async ({ makeFolder }) => {
  const root = await makeFolder({ 'a.png': png('a'), 'store/film': mp4('film') });
  symlinkSync('store', path.join(root, 'media'));
  const { unchecked } = await search(['media/**', '*.png'], root);
  expect(unchecked).toMatchObject([{ path: 'media/film', realPath: 'store/film' }]);
});

it('a file that cannot be read counts by its extension', async ({ makeFolder }) => {
  const names = ['gone.ai', 'gone.dat', 'gone.ico', 'gone.key'];
  const root = await makeFolder(Object.fromEntries(names.map((name) => [name, TEXT])));
  const patterns = patternsOf(['**']);
  const decide = patterns.decide.bind(patterns);
  // The search has found the files, and has opened none of them.
  patterns.decide = (file) => {
    rmSync(path.join(root, file), { force: true });
    return decide(file);
  };
  const { unchecked } = await withoutDebugLines(async () => await discover(patterns, root));
  expect(unchecked.map((file) => file.path)).toEqual(['gone.ai', 'gone.ico', 'gone.key']);
});

const SUBMODULES = {
  '.gitmodules': `[submodule "films"]
	path = media/films
	url = https://example.com/films.git
[submodule "with blank"]
  path = "media/with blank"
[submodule "there"]
	path = media/there
[submodule "library"]
	path = library
[submodule "outside"]
	path = ../outside
`,
  'media/a.png': png('a'),
  'media/there/.git': 'gitdir: ../../.git/modules/there\n',
  'media/there/README': 'x',
};

it.for<[lines: readonly string[], unchecked: readonly string[]]>([
  // With the default lines alone, most submodules are source code.
  [DEFAULT_PATTERNS, []],
  [['media/**'], ['media/films/', 'media/with blank/']],
  [['**'], ['media/films/', 'media/with blank/', 'library/']],
  [['media/films/*.png', 'media/*.png'], ['media/films/']],
  [['media/**', '!media/films/**'], ['media/with blank/']],
  [[...DEFAULT_PATTERNS, '!media/films/**'], []],
])('submodules that are not checked out, with %j', async ([lines, unchecked], { makeFolder }) => {
  const root = await makeFolder(SUBMODULES);
  mkdirSync(path.join(root, 'media/films'));
  expect((await search(lines, root)).unchecked.map((file) => file.path)).toEqual(unchecked);
});
