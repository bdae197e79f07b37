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

it.for([-20, 20])('a clock that jumps %i days neither ends the wait nor extends it', async (days, { gate }) => {
  const run = await gate({
    scenario: { default: { reads: 1_000_000 } },
    inputs: { 'wait-timeout-minutes': '2' },
    // One after each line of the log.
    jumps: Array.from({ length: 20 }, (_, line) => [line + 1, days * 86_400_000]),
  });
  expect(run.outputs, run.log).toMatchObject({ verdict: 'error', reason: 'timeout' });
  // The pauses between two reads grow to an eighth of the wait.
  expect(run.count('submissions/read')).toBeGreaterThan(7);
});
