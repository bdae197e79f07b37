import { describe, expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

const FILES = images('one', 'two');

describe.concurrent('waiting for a submission', () => {
  it('continues after temporary failures', async ({ gate }) => {
    const run = await gate({
      files: FILES,
      scenario: {
        // About every fourth read gets a response: what is not JSON is tried three times, the rest for two minutes.
        default: { reads: 5 },
        faults: [
          { on: 'submissions/read', nth: 1, status: 404 },
          { on: 'submissions/read', nth: [2, 4], status: 502 },
          { on: 'submissions/read', nth: 5, reset: true },
          { on: 'submissions/read', nth: 7, html: 200 },
          { on: 'submissions/read', nth: 8, malformedJson: true },
          { on: 'submissions/read', nth: 10, stall: true },
          { on: 'submissions/read', nth: 11, status: 429, headers: { 'retry-after': '7' } },
          { on: 'submissions/read', nth: 13, truncate: 20 },
          { on: 'submissions/read', nth: 15, contentLength: 50 },
          { on: 'submissions/read', nth: 17, drip: { bytes: 20, everyMs: 50 } },
        ],
      },
    });

    expect(run.outputs, run.log).toMatchObject({ verdict: 'pass', 'submission-status': 'complete' });
    expect(run.count('submissions/create')).toBe(1);
    expect(run.count('submissions/read')).toBeGreaterThan(13);
  });

  it('its time limit begins after the uploads, and again after the creation', async ({ gate }) => {
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

  it('ends at the time limit, judges what was read, and says how to continue', async ({ gate }) => {
    const [waits, fails] = await Promise.all(
      [[], [{ severity: 'CRITICAL' }]].map(
        async (issues) =>
          await gate({
            files: FILES,
            scenario: { files: [{ match: 'one-', ms: 3_600_000 }], default: { issues } },
            inputs: { 'wait-timeout-minutes': '2' },
          }),
      ),
    );

    expect(waits?.outputs).toMatchObject({ verdict: 'error', reason: 'timeout', 'submission-status': 'processing' });
    expect(waits?.text).toContain('The analysis was not finished after 2 minutes: ');
    expect(waits?.text).toContain(`1 of 2 assets finished. (Submission ${waits?.outputs['submission-id']})`);
    expect(waits?.text).toContain('It submits and bills all files again, because this run could not save its state');
    // The issues of the other file still count.
    expect(fails?.outputs).toMatchObject({ verdict: 'fail', reason: 'issues', 'critical-count': '1' });
  });
});
