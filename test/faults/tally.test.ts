import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { every } from '../harness/sample.ts';
import { CRASH_POINTS, SAMPLE_STEP as CRASH_STEP } from './crash-points.ts';
import { FAULT_CASES, SAMPLE_STEP } from './fault-cases.ts';
import { GITHUB_CASES, SAMPLE_STEP as GITHUB_STEP } from './github-cases.ts';
import { LIES } from './lies.ts';
import { UPLOAD_CASES, SAMPLE_STEP as UPLOAD_STEP } from './upload-cases.ts';

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
  for (const [, file = '', title = ''] of named) {
    const source = await readFile(new URL(`../${file}.test.ts`, import.meta.url), 'utf8');
    expect(source, file).toContain(title);
  }
});

/** Before the creation it does not matter where the state is kept, so each moment is there once. */
const AFTER_CREATION = CRASH_POINTS.filter(({ name }, _, all) => all.filter((each) => each.name === name).length > 1);

it.each([
  [
    'request and fault of the service',
    FAULT_CASES.map(({ endpoint, fault, lasting }) => [endpoint, `${fault.name} ${lasting}`]),
    SAMPLE_STEP,
  ],
  [
    'request to GitHub and its fault',
    GITHUB_CASES.map(({ request, fault }) => [request.name, fault.name]),
    GITHUB_STEP,
  ],
  ['step of an upload and its fault', UPLOAD_CASES.map(({ step, trouble }) => [step, String(trouble)]), UPLOAD_STEP],
  [
    'crash after the creation',
    CRASH_POINTS.map((point) => [point.store, AFTER_CREATION.includes(point) ? point.name : '']),
    CRASH_STEP,
  ],
] as const)('every %s is in the sample that npm test runs', (_, cases, step) => {
  expect(new Set(every(cases, step).flat())).toEqual(new Set(cases.flat()));
});
