import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect } from 'vitest';
import { noFilesMatch } from '../../src/media/discover.ts';
import { DEFAULT_PATTERNS, isMedia, typeOfName } from '../../src/media/media-types.ts';
import { FilePatterns } from '../../src/media/patterns.ts';
import { it } from '../harness/fixtures.ts';
import type { Files } from '../harness/workspace.ts';
import { search } from './search.ts';

async function find(patterns: readonly string[], root: string): Promise<string[]> {
  return (await search(patterns, root)).files.map((file) => file.path);
}

async function expectCause(work: Promise<unknown>, cause: object): Promise<void> {
  await expect(work).rejects.toMatchObject({ name: 'GateError', causes: [cause] });
}

// Windows does not allow these names.
it.runIf(process.platform !== 'win32')('a folder of any name is searched', async ({ makeFolder }) => {
  const names = [
    '[x]',
    '{a,b}',
    '!a',
    '#x',
    '~',
    ' first',
    'back\\slash',
    'a*b',
    '**',
    'what?',
    'two\nlines',
    'cr\rlf',
  ];
  const files = names.map((name) => `${name}/${name}/a.png`).toSorted();
  for (const folder of ['.', ...names]) {
    const root = await makeFolder(Object.fromEntries(files.map((file) => [`${folder}/${file}`, 'x'])));
    expect(await find(['**'], path.join(root, folder))).toEqual(files);
  }
});

it.runIf(process.platform !== 'win32')('a pipe is not skipped in silence', async ({ makeFolder }) => {
  const root = await makeFolder({ 'a.png': 'x' });
  execFileSync('mkfifo', [path.join(root, 'pipe.png')]);
  expect(await find(['*.png'], root)).toEqual(['a.png', 'pipe.png']);
});

it.for<[string, readonly string[], string[]]>([
  ['gets one notice', ['*.png', 'media/*.mpg', '!nope', '*.gif'], ['media/*.mpg', '*.gif']],
  ['gets no notice if all its matches are excluded', ['*.png', '**/*.jpg', '!*.png', '!b'], ['**/*.jpg']],
  ['gets no notice if a later line decides', ['*.png', '**/*.jpg', '!*.png', '!*.jpg', '**/c.*'], []],
  ['gets no notice if it is a default pattern', [...DEFAULT_PATTERNS, '!x'], []],
])('a pattern that matches no file %s', async ([, patterns, unmatched], { makeFolder }) => {
  const { notices } = await search(patterns, await makeFolder({ 'a.png': 'x', 'b/c.jpg': 'x' }));
  const expected = unmatched.map((pattern) => `The pattern "${pattern}" of the input \`files\` matches no file.`);
  expect(notices).toEqual(expected);
});

it.for<[string, isDryRun: boolean, notice: string | undefined]>([
  ['none/*.gif', false, '4 media files elsewhere: b/ (2), ./ (1), a/ (1)'],
  ['a.png', true, '3 media files elsewhere: b/ (2), a/ (1)'],
  ['a.png', false, undefined],
])('media that %s does not reach, in a dry run: %s', async ([line, isDryRun, notice], { makeFolder }) => {
  const files = ['a.png', 'a/b.png', 'b/c/d.jpg', 'b/e.pdf', 'b/f.txt', 'node_modules/x/y.png'];
  const root = await makeFolder(Object.fromEntries(files.map((file) => [file, 'x'])));
  const { notices } = await search([line], root, isDryRun);
  const expected = notice === undefined ? [] : [expect.stringContaining(`${notice}. To check`)];
  expect(notices.filter((text) => text.includes('elsewhere'))).toEqual(expected);
});

it.for<[line: string, files: string[], notice: RegExp | undefined]>([
  ['!**/*.svg', ['m/x.svg/a.png', 'm/x.svg/b/c.png'], /^The files in the folder m\/x\.svg .* `!m\/x\.svg\{,\/\*\*\}`/],
  ['!**/*.xcassets', ['App.xcassets/icon.png'], /^The files in the folder App\.xcassets are not excluded/],
  ['!**/.next', [], undefined],
])('%s excludes no folder with the name of a file, as a notice says', async ([line, files, notice], { makeFolder }) => {
  const all = ['m/x.svg/a.png', 'm/x.svg/b/c.png', 'n/y.svg/d.txt', 'App.xcassets/icon.png', '.next/e.png'];
  const root = await makeFolder(Object.fromEntries(all.map((file) => [file, 'x'])));
  const found = await search(['**', line], root);
  expect(found.files.map((file) => file.path)).toEqual(expect.arrayContaining(files));
  expect(found.files.some((file) => file.path.startsWith('.next/'))).toBe(line !== '!**/.next');
  expect(found.notices).toEqual(notice === undefined ? [] : [expect.stringMatching(notice)]);
});

// biome-ignore format: a table
it.for([
  ['as nobody expects', ['docs/*.mp4', '!x'], false,
    /^No file matches the input `files` \(`docs\/\*\.mp4`\), .* Folders here: a\/, b\/\.$/, /ignore`\.$/],
  ['as is expected', [...DEFAULT_PATTERNS], true, /\(the usual media extensions\)/, /nothing to do\.$/],
] as const)('no file matches, %s', async ([, lines, isExpected, message, fix], { makeFolder }) => {
  const root = await makeFolder({ 'a/x': 'x', 'b/y': 'x', c: 'x', '.git/HEAD': 'x' });
  const cause = noFilesMatch(new FilePatterns(lines), root, isExpected);
  expect(cause).toMatchObject({ reason: 'no-files', message: expect.stringMatching(message) });
  expect(cause.steps).toMatchObject([{ text: expect.stringMatching(fix) }]);
});

it.for<[string, Files]>([
  ['it is empty', {}],
  ['it has nothing but .git', { '.git/config': 'x' }],
  ['it is missing', { 'other/a.png': 'x' }],
])('a workspace was not checked out if %s', async ([, files], { makeFolder }) => {
  const root = await makeFolder(files);
  const steps = [{ text: expect.stringContaining('actions/checkout') }];
  const searched = 'other/a.png' in files ? path.join(root, 'missing') : root;
  await expectCause(search(['**'], searched), { reason: 'checkout', steps });
});

const TREE = [
  ...'a.png poster.AI README.md src/run.ts src/clip.m4s media/.gitkeep media/film.dat'.split(' '),
  ...'media/photo.jfif media/plan.INDD media/server.key other/poster.eps other/b.jpg node_modules/x.eps'.split(' '),
];
const IN_MEDIA = ['media/photo.jfif', 'media/plan.INDD'];

// biome-ignore format: a table
it.for<[lines: string, unchecked: readonly string[], leftOut: number]>([
  ['the defaults', [...IN_MEDIA, 'other/poster.eps', 'poster.AI', 'src/clip.m4s'], 0],
  // Only folders in which a line can select a file are searched.
  ['media/**', IN_MEDIA, 3],
  ['*.gif', ['a.png', 'poster.AI'], 0],
  ['other/*.eps', ['other/b.jpg'], 0],
  // What a line excludes or selects is not mentioned.
  ['media/** !**/*.indd', ['media/photo.jfif'], 3],
  ['** !media !src poster.ai', ['other/poster.eps'], 1],
])('media that %s do not select', async ([lines, unchecked, leftOut], { makeFolder }) => {
  const root = await makeFolder(Object.fromEntries(TREE.map((file) => [file, 'x'])));
  const found = await search(lines === 'the defaults' ? DEFAULT_PATTERNS : lines.split(' '), root);
  expect([found.unchecked, found.leftOut]).toEqual([unchecked, leftOut]);
});

it('knows the type of every default pattern, and each is there once', () => {
  const extensions = DEFAULT_PATTERNS.map((pattern) => /^\*\*\/\*\.([a-z0-9]+)$/.exec(pattern)?.[1] ?? pattern);
  expect(extensions.filter((extension) => !typeOfName(`a.${extension}`))).toEqual([]);
  expect(new Set(extensions).size).toBe(extensions.length);
  const others = 'ico m4s ai indd mxf'.split(' ');
  expect([...others, ...extensions].filter((extension) => !isMedia(`a.${extension}`))).toEqual([]);
  expect('ts mts key pub raw txt md'.split(' ').filter((extension) => isMedia(`a.${extension}`))).toEqual([]);
});
