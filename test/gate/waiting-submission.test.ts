import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

const FILES = images('one', 'two');

describe.concurrent('waiting for a submission', () => {
  it('has a time limit that begins after the uploads, and again after the creation', async ({ gate }) => {
    const run = await gate({
      files: FILES,
      scenario: {
        faults: (['uploads/direct', 'submissions/create', 'submissions/read'] as const).map((on) => ({
          on,
          nth: 1,
          status: 429,
          headers: { 'retry-after': '40' },
        })),
      },
      inputs: { 'wait-timeout-minutes': '1' },
    });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass' });
  });

  it('ends at the time limit, and says how to continue', async ({ gate }) => {
    const scenario: Scenario = { files: [{ match: 'one-', ms: 3_600_000 }] };
    const run = await gate({ files: FILES, scenario, inputs: { 'wait-timeout-minutes': '2' } });
    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'timeout', 'submission-status': 'processing' });
    expect(run.text).toContain('The analysis was not finished after 2 minutes: ');
    expect(run.text).toContain(`1 of 2 assets finished. (Submission ${run.outputs['submission-id']})`);
    expect(run.text).toContain('It submits and bills all files again, because this run could not save its state');
  });
});
