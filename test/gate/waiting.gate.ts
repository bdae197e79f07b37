import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';

it('waiting has a time limit that begins after the uploads, and again after the creation', async ({ gate }) => {
  const busy = ['uploads/direct', 'submissions/create', 'submissions/read'] as const;
  const limit = { nth: 1, status: 429, headers: { 'retry-after': '40' } };
  const run = await gate({
    scenario: { faults: busy.map((on) => ({ on, ...limit })) },
    inputs: { 'wait-timeout-minutes': '1' },
  });
  expect(run.outputs, run.log).toMatchObject({ verdict: 'pass' });
});
