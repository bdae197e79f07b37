import { symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { mp4, pdf, png, wav } from '../harness/media.ts';
import { CFB, ftyp, JPEG } from '../media/bytes.ts';

const PEM = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n';

/** A folder with the kinds of files that public repositories have. */
const FILES = {
  '.git/HEAD': 'ref: refs/heads/x\n',
  '.gitignore': '*.tmp\n',
  LICENSE: 'MIT',
  hero: png('no extension'),
  'hero.png': png('hero'),
  'hero.srt': '1\n00:00:01,000 --> 00:00:02,000\nNew\n',
  'server.key': PEM,
  'media/.DS_Store': Buffer.from('\0\0\0\x01Bud1', 'latin1'),
  'media/.gitkeep': '',
  'media/README.md': '# Media',
  'media/Thumbs.db': CFB,
  'media/clip.MP4': mp4('clip'),
  'media/data.json': '{}',
  'media/deep/brief.pdf': pdf('brief'),
  'media/deep/player.ts': 'export const player = 1;\n',
  'media/film.m4a': ftyp('isom'),
  'media/jpeg.png': JPEG,
  'media/notes.txt': 'notes',
  'media/picture.dat': png('other extension'),
  'media/sound-only.mp4': ftyp('M4A'),
  'media/v1.2/voice.wav': wav('voice'),
};
const LINKS = {
  'media/linked.mp4': 'clip.MP4',
  'media/linked.md': 'README.md',
  'media/linked.key': '../server.key',
};

/** Names at the service. The type follows the bytes: `film.m4a` is a film, and `jpeg.png` is a JPEG. */
const MEDIA = 'clip.mp4 deep-brief.pdf film.mp4 jpeg.jpg sound-only.mp4 v1-2-voice.wav'
  .split(' ')
  .map((name) => `media-${name}`);

describe.concurrent('a folder as found in the wild', () => {
  it.for<[lines: readonly string[], sent: readonly string[], leftOut: number]>([
    [['**'], ['hero.png', ...MEDIA], 13],
    [
      ['media/notes.txt', 'media/**', 'media/**/*.{dat,ts}', '!**/*.{ts,json,md,key}', '!**/.*'],
      [...MEDIA, 'media-notes.txt', 'media-picture.png'],
      1,
    ],
  ])('sends media and the files that are named, and counts the others: %s', async (row, { gate, makeFolder }) => {
    const [lines, sent, leftOut] = row;
    const workspace = await makeFolder(FILES);
    for (const [name, target] of Object.entries(LINKS)) symlinkSync(target, path.join(workspace, name));
    const run = await gate({ workspace, inputs: { files: lines.join('\n') } });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-matched': String(sent.length) });
    expect(run.sent).toEqual(sent.toSorted());
    expect(/; (\d+) other files? .* left out/.exec(run.log)?.[1] ?? '0').toBe(String(leftOut));
    expect(run.annotations.filter(({ message }) => message.includes('not checked'))).toEqual([]);
  });
});

it('the patterns in docs/security.md check what they promise', async ({ gate }) => {
  const page = await readFile(new URL('../../docs/security.md', import.meta.url), 'utf8');
  const run = await gate({
    files: {
      'media/hero.dat': png('a'),
      'media/node_modules/x/clip.png': png('b'),
      'media/deep/node_modules/y.png': png('c'),
      'media/deep/y.vtt': 'WEBVTT',
    },
    inputs: { files: /```yaml\nfiles: \|\n((?: {2}\S+\n)+)```/.exec(page)?.[1] ?? '' },
  });
  expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-submitted': '3' });
  expect(run.log).toContain('3 files to check');
});
