import { expect } from 'vitest';
import { workflowOwner } from '../../src/causes/cause.ts';
import { readInputs } from '../../src/inputs/parse.ts';
import { it as base } from '../harness/fixtures.ts';

const NO_KEY = { reason: 'no-key', message: '', steps: [workflowOwner('')] } as const;
const NAMES = ['a, b.png', 'Spring, 2026/a.png', '- x/a.png', '"quoted"/a.png'];

const it = base.extend('problems', ({ makeFolder }) => async (value: string) => {
  const searchRoot = await makeFolder(Object.fromEntries(NAMES.map((name) => [name, 'x'])));
  const values: Readonly<Record<string, string>> = { files: value, 'if-no-api-key': 'skip' };
  const { problems } = readInputs((name) => values[name] ?? '', searchRoot, NO_KEY);
  return problems.map(({ message, steps }) => `${message} ${steps[0]?.text}`);
});

it.for<[value: string, corrected: string]>([
  ['- media/**\n- docs/**', '`media/**` and `docs/**`'],
  ['"media/**"', '`media/**`'],
  [`- 'a'\nb`, '`a` and `b`'],
  ['media/**, docs/**', '`media/**` and `docs/**`'],
  ['a, b', '`a` and `b`'],
  ['"a", "b",', '`a` and `b`'],
  ['*.{png,jpg}, *.{gif, bmp}', '`*.{png,jpg}` and `*.{gif, bmp}`'],
  ['**\n!"x", y', '`**`, `!x` and `!y`'],
  ['- !x', '`!x`'],
  ['`media/**`', '`media/**`'],
  ['Spring, 2026/**', '`Spring` and `2026/**`'],
])('a line that is not one pattern is shown corrected: %j', async ([value, corrected], { problems }) => {
  expect(await problems(value)).toEqual([expect.stringContaining(`between patterns: ${corrected}. Correct it`)]);
});

it.for([...NAMES, 'Spring, 2026', '*.{png, jpg}', '*.{png,jpg}\nx', 'a,b', '-x.png', `it's "new".png`])(
  '%j is one pattern',
  async (value, { problems }) => {
    expect(await problems(value)).toEqual([]);
  },
);
