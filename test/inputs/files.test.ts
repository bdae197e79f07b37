import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { readInputs } from '../../src/inputs/parse.ts';
import { it as base } from '../harness/fixtures.ts';

const NAMES = ['a, b.png', 'Spring, 2026/a.png', '- x/a.png', '"quoted"/a.png'];

const it = base.extend('problems', ({ makeFolder }) => async (value: string) => {
  const searchRoot = await makeFolder(Object.fromEntries(NAMES.map((name) => [name, 'x'])));
  await symlink('nowhere', path.join(searchRoot, 'broken, link.png'));
  const values: Readonly<Record<string, string>> = { files: value, 'if-no-api-key': 'skip' };
  const { problems } = readInputs((name) => values[name] ?? '', searchRoot);
  return problems.map(({ message, steps }) => `${message} ${steps[0]?.text}`);
});

it.for<[value: string, wrong: string]>([
  ['docs/**\n- media/**', '- media/**'],
  ['"media/**"', '"media/**"'],
  ["'media/**'", "'media/**'"],
  ['`media/**`', '`media/**`'],
  ['**\n!"x"', '!"x"'],
  ['media/**, docs/**', 'media/**, docs/**'],
  ['**/*.{png, jpg}', '**/*.{png, jpg}'],
  ['!Spring, 2027/**', '!Spring, 2027/**'],
])('a line that is written like a list is refused: %j', async ([value, wrong], { problems }) => {
  const takes = '`files` takes one pattern in each line, without list mark, quotation marks, or comma with a space.';
  expect(await problems(value)).toEqual([
    expect.stringContaining(`Input \`files\` is ${JSON.stringify(wrong)}. ${takes}`),
  ]);
});

it.for([
  ...NAMES,
  ...NAMES.map((name) => `!${name}`),
  '!broken, link.png',
  'Spring, 2026',
  'Spring, 2026/',
  '*.{png,jpg}\nx',
  'a,b',
  '-x.png',
  `it's "new".png`,
])('%j is one pattern', async (value, { problems }) => {
  expect(await problems(value)).toEqual([]);
});
