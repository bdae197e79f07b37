import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { CRASH_POINTS } from './crash-points.ts';
import { FAULT_CASES } from './fault-cases.ts';
import { GITHUB_CASES } from './github-cases.ts';
import { LIES } from './lies.ts';
import { UPLOAD_CASES } from './upload-cases.ts';

it('the page on reliability tells how much was tried', async () => {
  const faults = FAULT_CASES.length + GITHUB_CASES.length + UPLOAD_CASES.length;
  const tally = `${faults} fault cases, ${CRASH_POINTS.length} crash points, ${LIES.length} lies`;
  console.log(tally);
  expect(await readFile(new URL('../../docs/reliability.md', import.meta.url), 'utf8')).toContain(tally);
});
