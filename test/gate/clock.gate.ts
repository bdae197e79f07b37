import { describe, expect } from 'vitest';
import { it } from '../harness/fixtures.ts';

const DAY_MS = 86_400_000;

describe.concurrent('a clock that jumps while the run waits', () => {
  it.for([
    ['back', -20],
    ['forward', 20],
  ] as const)('%s neither ends the wait nor extends it', async ([, days], { gate }) => {
    const run = await gate({
      scenario: { default: { reads: 1_000_000 } },
      inputs: { 'wait-timeout-minutes': '2' },
      // One after each line of the log.
      jumps: Array.from({ length: 20 }, (_, line) => [line + 1, days * DAY_MS]),
    });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'error', reason: 'timeout' });
    // The pauses between two reads grow to an eighth of the wait.
    expect(run.count('submissions/read')).toBeGreaterThan(7);
  });
});
