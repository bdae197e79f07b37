import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { every } from '../harness/sample.ts';
import { CRASH_POINTS } from './crash-points.ts';
import { FAULT_CASES, SAMPLE_STEP } from './fault-cases.ts';
import { GITHUB_CASES, SAMPLE_STEP as GITHUB_STEP } from './github-cases.ts';
import { LIES } from './lies.ts';
import { UPLOAD_CASES } from './upload-cases.ts';

it('the page on reliability tells how much was tried', async () => {
  const faults = FAULT_CASES.length + GITHUB_CASES.length + UPLOAD_CASES.length;
  const tally = `${faults} fault cases, ${CRASH_POINTS.length} crash points, ${LIES.length} lies`;
  console.log(tally);
  expect(await readFile(new URL('../../docs/reliability.md', import.meta.url), 'utf8')).toContain(tally);
});

it.each([
  ['service', FAULT_CASES.map(({ endpoint, fault, lasting }) => [endpoint, `${fault.name} ${lasting}`]), SAMPLE_STEP],
  ['GitHub', GITHUB_CASES.map(({ request, fault }) => [request.name, fault.name]), GITHUB_STEP],
] as const)('every request and every fault of the %s is in the sample that npm test runs', (_, cases, step) => {
  expect(new Set(every(cases, step).flat())).toEqual(new Set(cases.flat()));
});
