import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { DEFAULT_PATTERNS } from '../../src/media/patterns.ts';
import { findUnchecked } from '../../src/media/unchecked.ts';
import { it } from '../harness/fixtures.ts';
import { mp4, png } from '../harness/media.ts';
import { CFB, JPEG, pointerTo, transportStream, zip } from './bytes.ts';
import { search } from './search.ts';

const TREE = {
  'a.png': png('a'),
  'poster.AI': 'any bytes',
  'README.md': '# Read me',
  'src/run.ts': 'export const run = 1;\n',
  'src/run.mts': 'export const run = 1;\n',
  'src/clip.mts': transportStream(),
  'media/.gitkeep': '',
  'media/film.dat': mp4('film'),
  'media/notes.dat': 'notes',
  'media/archive.zip': zip({ a: 'b' }),
  'media/photo.jfif': JPEG,
  'media/talk.key': zip({ 'Index.zip': 'x' }),
  'media/server.key': '-----BEGIN PRIVATE KEY-----\n',
  'media/der.key': Buffer.from('308204a30201', 'hex'),
  'media/id_rsa.pub': 'ssh-rsa AAAA',
  'media/flyer.pub': CFB,
  'media/lfs.mts': pointerTo(transportStream()),
  'media/lfs.dat': pointerTo(mp4('film')),
  'other/poster.eps': 'any bytes',
  'node_modules/x/logo.eps': 'any bytes',
};

const IN_MEDIA = ['flyer.pub', 'lfs.mts', 'photo.jfif', 'talk.key'].map((name) => `media/${name}`);

// biome-ignore format: a table
it.for<[lines: readonly string[], unchecked: readonly string[], leftOut: number]>([
  [DEFAULT_PATTERNS, [...IN_MEDIA, 'other/poster.eps', 'poster.AI', 'src/clip.mts'], 0],
  // Only folders in which a line can select a file are searched.
  [['media/**'], ['media/film.dat', ...IN_MEDIA], 7],
  [['media/*.png'], IN_MEDIA, 0],
  [['*.png'], ['poster.AI'], 0],
  [['a.png', 'src/*/*.png'], ['poster.AI'], 0],
  // What a line excludes or selects is not mentioned.
  [['media/**', '!**/*.{key,mts}'], ['media/film.dat', 'media/flyer.pub', 'media/photo.jfif'], 5],
  [['media/**', '*.ai', 'media/*.{jfif,dat}'], ['media/flyer.pub', 'media/lfs.mts', 'media/talk.key'], 5],
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

it('a file that cannot be read counts by its extension', async () => {
  const files = ['gone.key', 'gone.mts', 'gone.ai', 'gone.dat'];
  const found = files.map((name) => ({ path: name, absolutePath: `/nowhere/${name}` }));
  expect(await findUnchecked(found)).toEqual(found.slice(0, 3));
});
