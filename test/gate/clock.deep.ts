import path from 'node:path';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

const DAY_MS = 86_400_000;
const RUNS = 3;
/** A run of this test logs about as many lines. */
const LINES = 20;

/** The jumps of each run. A jump at line 0 is a clock that is wrong from the start. */
const JUMPS = fc.array(
  fc.array(
    fc.tuple(
      fc.nat(LINES),
      fc.integer({ min: -400, max: 400 }).map((days) => days * DAY_MS),
    ),
    { maxLength: 4 },
  ),
  { minLength: RUNS, maxLength: RUNS },
);

it('whatever the clock does, three runs pay once and judge the same', { timeout: 1_800_000 }, async ({
  gate,
  makeFolder,
  emulator,
}) => {
  const scenario = { default: { ms: 30, issues: [{ severity: 'CRITICAL' }] } };
  await fc.assert(
    fc.asyncProperty(JUMPS, async (jumpsOfRuns) => {
      const workspace = await makeFolder(images('a', 'b'));
      const service = emulator.workspace({ scenario });
      const inputs = { 'state-file': path.join(workspace, 'state.json') };
      for (const jumps of jumpsOfRuns) {
        const run = await gate({ service, workspace, inputs, jumps });
        expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', 'critical-count': '2', 'files-matched': '2' });
      }
      expect(service.submissions).toHaveLength(1);
    }),
    { numRuns: 10 },
  );
});
