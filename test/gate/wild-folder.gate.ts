import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { brokenDisk } from '../harness/broken-disk.ts';
import { it as base } from '../harness/fixtures.ts';
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
  'store/picture': png('linked'),
};
const LINKS = {
  'media/linked.png': '../store/picture',
  'media/linked.md': 'README.md',
  'media/linked.key': '../server.key',
};

/** Names at the service. The type follows the bytes: `film.m4a` is a film, and `jpeg.png` is a JPEG. */
const MEDIA = 'clip.mp4 deep-brief.pdf film.mp4 jpeg.jpg linked.png sound-only.mp4 v1-2-voice.wav'
  .split(' ')
  .map((name) => `media-${name}`);

interface Case {
  readonly lines: readonly string[];
  readonly sent: readonly string[];
  /** How many files are matched, but left out, and are no media. */
  readonly leftOut: number;
}

const CASES: readonly Case[] = [
  { lines: ['media/**'], sent: MEDIA, leftOut: 9 },
  { lines: ['**'], sent: ['hero.png', ...MEDIA], leftOut: 13 },
  { lines: ['hero', 'media/notes.txt', '*.srt'], sent: ['hero.png', 'hero.srt', 'media-notes.txt'], leftOut: 0 },
  {
    lines: ['media/notes.txt', 'media/**', 'media/**/*.{dat,ts}', '!**/*.{ts,json,md,key}', '!**/.*'],
    sent: [...MEDIA, 'media-notes.txt', 'media-picture.png'],
    leftOut: 1,
  },
];

const it = base.extend('check', ({ gate, makeFolder }) => async (lines: readonly string[]) => {
  const workspace = await makeFolder(FILES);
  for (const [name, target] of Object.entries(LINKS)) symlinkSync(target, path.join(workspace, name));
  return await gate({ workspace, inputs: { files: lines.join('\n') } });
});

describe.concurrent('a folder as found in the wild', () => {
  it.for(CASES)('sends media and the files that are named, and counts the others: $lines', async (each, { check }) => {
    const { lines, sent, leftOut } = each;
    const run = await check(lines);
    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-matched': String(sent.length) });
    expect(run.sent).toEqual(sent.toSorted());
    expect(/; (\d+) other files? .* left out/.exec(run.log)?.[1] ?? '0').toBe(String(leftOut));
    expect(run.annotations.filter(({ message }) => message.includes('not checked'))).toEqual([]);
  });
});

describe.concurrent('a folder with the name of a file', () => {
  const files = { 'm/x.svg/evil.png': png('evil'), 'm/a.svg': '<svg/>', 'm/ok.png': png('ok') };
  const scenario = { files: [{ match: '*evil*', issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17' }] }] };

  it('is not excluded by a line for files', async ({ gate }) => {
    const run = await gate({ files, scenario, inputs: { files: 'm/**\n!**/*.svg' } });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail' });
    expect(run.sent).toContain('m-x-svg-evil.png');
    expect(run.readableSummary).toContain('add the line `!m/x.svg/**`');
  });

  it('is not waived by a pattern for files', async ({ gate }) => {
    const waiver = '- { rule: AD-17, path: m/*.svg, owner: ann, reason: Agreed., expires: 2999-12-31 }\n';
    const inputs = { files: 'm/**', 'waivers-file': 'waivers.yml' };
    const checkout = { '.git/HEAD': '0123456789abcdef0123456789abcdef01234567', 'waivers.yml': waiver };
    const run = await gate({ files: { ...files, ...checkout }, scenario, inputs });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail' });
    expect(run.summary, 'The waiver is not rejected.').not.toContain('default branch');
  });

  it('is not excluded if it is behind a link, and a missing target may be one', async ({ gate, makeFolder }) => {
    const stored = { 'm/ok.png': png('ok'), 'store/evil.png': png('evil'), '.git/HEAD': 'ref: refs/heads/x\n' };
    const workspace = await makeFolder(stored);
    symlinkSync('../store', path.join(workspace, 'm/x.svg'));
    const run = await gate({ workspace, scenario, inputs: { files: 'm/**\n!**/*.svg' } });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail' });
    const links = { 'm/y.svg': '../nowhere', 'm/git': '../.git', 'm/out.png': '/etc/hostname' };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(workspace, name));
    const refused = await gate({ workspace, inputs: { files: 'm/**\n!**/*.svg' } });
    expect(refused.outputs, refused.log).toMatchObject({ verdict: 'error', reason: 'pre-flight' });
    const lines = ['!m/y.svg', '!m/git/**', '!m/out.png'];
    for (const line of lines) expect(refused.readableSummary).toContain(`add the line \`${line}\` to`);
    const patterns = ['m/**', '!**/*.svg', '!m/x.svg/**', ...lines];
    const excluded = await gate({ workspace, inputs: { files: patterns.join('\n') } });
    expect(excluded.outputs, excluded.log).toMatchObject({ verdict: 'pass', 'files-matched': '1' });
  });
});

function addInvalidName(folder: string): Readonly<Record<string, string>> {
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/m/tests/data/`), Buffer.from([0xff])]), 'x');
  return {};
}

describe.concurrent('a folder that cannot be listed', () => {
  const files = { 'm/a.png': png('a'), 'm/tests/b.png': png('b'), 'm/tests/data/c.png': png('c'), 'n/d.png': png('d') };

  it.for([
    ['of another user', (folder: string) => brokenDisk(path.join(folder, 'm/tests/data'), 'EACCES')],
    // Only Linux allows such a name.
    ...(process.platform === 'linux' ? [['with a name that is not UTF-8', addInvalidName] as const] : []),
  ] as const)(
    '%s stops the run until the line that the step gives excludes it',
    async ([, change], { gate, makeFolder }) => {
      const workspace = await makeFolder(files);
      const env = change(realpathSync(workspace));
      const refused = await gate({ workspace, env, inputs: { files: 'm/**\n**/*.png' } });
      expect(refused.outputs, refused.log).toMatchObject({ verdict: 'error', reason: 'pre-flight' });
      const [, line] = /add the line `([^`]+)`/.exec(refused.readableSummary) ?? [];
      expect(line).toBe('!m/tests/data/**');
      const excluded = await gate({ workspace, env, inputs: { files: `m/**\n**/*.png\n${line}` } });
      expect(excluded.outputs, excluded.log).toMatchObject({ verdict: 'pass', 'files-matched': '3' });
    },
  );
});

it('a submodule that is not checked out is named until the line that the step gives excludes it', async ({
  gate,
  makeFolder,
}) => {
  const module = '[submodule "films"]\n\tpath = media/films\n';
  const workspace = await makeFolder({ '.gitmodules': module, 'media/a.png': png('a') });
  mkdirSync(path.join(workspace, 'media/films'));
  const run = await gate({ workspace, inputs: { files: 'media/**' } });
  expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'files-matched': '1' });
  expect(run.readableSummary).toContain('1 not checked: media/films/');
  expect(run.readableSummary).toContain('`submodules: true`');
  const [, line] = /add the line `([^`]+)`/.exec(run.readableSummary) ?? [];
  const excluded = await gate({ workspace, inputs: { files: `media/**\n${line}` } });
  expect(excluded.readableSummary).not.toContain('not checked');
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
