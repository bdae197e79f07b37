import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { CRASH_POINTS } from './crash-points.ts';
import { FAULT_CASES } from './fault-cases.ts';
import { GITHUB_CASES } from './github-cases.ts';
import { LIES } from './lies.ts';
import { UPLOAD_CASES } from './upload-cases.ts';

const TESTS = new URL('../', import.meta.url);

it('docs/reliability.md has the number of cases', async () => {
  const faults = FAULT_CASES.length + GITHUB_CASES.length + UPLOAD_CASES.length;
  const tally = `${faults} fault cases, ${CRASH_POINTS.length} crash points, ${LIES.length} lies`;
  console.log(tally);
  expect(await readFile(new URL('../../docs/reliability.md', import.meta.url), 'utf8')).toContain(tally);
});

it('every test that the page on reliability names is there', async () => {
  const page = await readFile(new URL('../../docs/reliability.md', import.meta.url), 'utf8');
  const named = [...page.matchAll(/`((?:gate|faults)\/[\w-]+)`: ([^|<]+?)(?= \||<br>)/g)];
  expect(named.length).toBeGreaterThan(10);
  const names = await readdir(TESTS, { recursive: true });
  for (const [, file = '', title = ''] of named) {
    const name = names.find((each) => each.startsWith(`${file}.`)) ?? file;
    expect(await readFile(new URL(name, TESTS), 'utf8'), file).toContain(title);
  }
});
