import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { CRASH_POINTS } from './crash-points.ts';
import { FAULT_CASES } from './fault-cases.ts';
import { GITHUB_CASES } from './github-cases.ts';
import { LIES } from './lies.ts';
import { UPLOAD_CASES } from './upload-cases.ts';

const TESTS = new URL('../', import.meta.url);

it('docs/state.md has the number of cases', async () => {
  const faults = FAULT_CASES.length + GITHUB_CASES.length + UPLOAD_CASES.length;
  const tally = `${faults} fault cases, ${CRASH_POINTS.length} crash points, ${LIES.length} lies`;
  console.log(tally);
  expect(await readFile(new URL('../../docs/state.md', import.meta.url), 'utf8')).toContain(tally);
});

it('every test that the page names is there', async () => {
  const page = await readFile(new URL('../../docs/state.md', import.meta.url), 'utf8');
  const named = [...page.matchAll(/`((?:gate|faults)\/[\w-]+)`: ([^|<]+?)(?= \||<br>)/g)];
  expect(named.length).toBeGreaterThan(10);
  for (const [, file = '', title = ''] of named) {
    const test = new URL(`${file}.test.ts`, TESTS);
    const source = await readFile(existsSync(test) ? test : new URL(`${file}.deep.ts`, TESTS), 'utf8');
    expect(source, file).toContain(title);
  }
});
