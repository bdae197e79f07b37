import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Step } from '../../src/causes/cause.ts';
import { DEFAULT_PATTERNS } from '../../src/media/media-types.ts';
import { it } from '../harness/fixtures.ts';
import { search } from './search.ts';

const FILES = ['store/a.png', 'store/notes.txt', 'store/deep/b.png', 'store/LICENSE', 'node_modules/kit/c.png', 'hero'];

interface Row {
  readonly lines: readonly string[];
  /** From `media/x` in the checkout `repo`. */
  readonly target: string;
  readonly name?: string;
  /** The lines that the steps of the problem show. Undefined if the link is no problem. */
  readonly shown: readonly string[] | undefined;
}

// biome-ignore format: a table
it.for<[string, Row]>([
  ['a folder that is selected', { lines: ['**/*.png'], target: '../store', shown: undefined }],
  ['a file that is selected', { lines: ['**/*.png'], target: '../store/a.png', name: 'x.png', shown: undefined }],
  ['a file, if no line selects the link', { lines: ['**/*.png'], target: '../hero', shown: undefined }],
  ['a file outside, if no line selects the link',
    { lines: ['**/*.png'], target: '../../outside.png', shown: undefined }],
  ['what no line selects behind the link', { lines: ['store/**'], target: '../hero', shown: undefined }],
  ['a file that is not selected',
    { lines: ['media/*.png'], target: '../hero', name: 'x.png', shown: ['hero', '!media/x.png{,/**}'] }],
  ['a folder that is not selected', { lines: ['media/**'], target: '../store', shown: ['store/**/*.png', '!media/x'] }],
  ['a folder that is selected in part',
    { lines: ['**/*.png', '!store/deep'], target: '../store', shown: ['store/**/*.png', '!media/x'] }],
  ['a folder with files of several kinds that are not selected',
    { lines: ['store/a.png', 'media/**/*.{png,txt}', '**/license'], target: '../store', shown: ['store/**/{*.txt,*.png}', '!media/x'] }],
  ['a folder that the default lines leave out',
    { lines: DEFAULT_PATTERNS, target: '../node_modules/kit', shown: ['node_modules/kit/**/*.png', '**', '!media/x'] }],
  ['another link', { lines: ['**/*.png'], target: '../link', shown: ['!media/x'] }],
  ['a folder with a link that no other line reaches',
    { lines: ['media/**', 'linked/*.png'], target: '../linked', shown: ['!media/x'] }],
  ['a folder with a link in it', { lines: ['**/*.png'], target: '../linked', shown: ['!media/x'] }],
  ['a folder that contains it', { lines: ['**/*.png'], target: '..', shown: ['!media/x'] }],
  ['.git', { lines: ['**/*.png'], target: '../.git', shown: ['!media/x'] }],
  ['nowhere', { lines: ['**/*.png'], target: 'missing', shown: ['!media/x'] }],
  ['nowhere, with the name of a file',
    { lines: ['**'], target: 'missing', name: 'x.svg', shown: ['!media/x.svg{,/**}'] }],
  ['a file outside', { lines: ['**'], target: '../../outside.png', name: 'x.png', shown: ['!media/x.png{,/**}'] }],
  ['a folder outside', { lines: ['**'], target: '../../outside', shown: ['!media/x'] }],
  ['itself', { lines: ['**'], target: 'x', shown: ['!media/x'] }],
])('a link that leads to %s', async ([, row], { makeFolder }) => {
  const { lines, target, name = 'x', shown } = row;
  const inside = Object.fromEntries([...FILES, '.git/HEAD', 'linked/d.png'].map((file) => [`repo/${file}`, 'x']));
  const parent = await makeFolder({ ...inside, 'outside/a.png': 'x', 'outside.png': 'x' });
  const root = path.join(parent, 'repo');
  mkdirSync(path.join(root, 'media'));
  symlinkSync('store', path.join(root, 'link'));
  symlinkSync('../store', path.join(root, 'linked/link'));
  symlinkSync(target, path.join(root, 'media', name));
  const causes = await search(lines, root).then(
    () => [],
    (error: { causes: readonly { path: string; steps: readonly Step[] }[] }) => error.causes,
  );
  const problem = causes.find((cause) => cause.path === `media/${name}`);
  const texts = problem?.steps.map(({ text }) => [...text.matchAll(/line `([^`]+)`/g)].map(([, line]) => line));
  expect(texts?.flat()).toEqual(shown);
});

it('a problem with a link says what the link leads to', async ({ makeFolder }) => {
  const root = await makeFolder({ 'a.png': 'x' });
  symlinkSync('../secret.png', path.join(root, 'b.png'));
  const message =
    'Links are not followed. What this one leads to (`../secret.png`) is missing, outside the searched folder or a link, or `files` does not select all of it.';
  await expect(search(['*'], root)).rejects.toMatchObject({
    causes: [{ reason: 'pre-flight', path: 'b.png', message }],
  });
});
