import { describe, expect } from 'vitest';
import { it } from '../harness/fixtures.ts';

describe.concurrent('a rate limit', () => {
  it('is not waited for if less time is left', async ({ gate }) => {
    const limit = { status: 429, headers: { 'retry-after': '1801' } };
    const run = await gate({ scenario: { faults: [{ on: 'submissions/create', ...limit }] }, clockFactor: 40 });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.count('submissions/create')).toBe(1);
    expect(run.text).toContain('lasts longer than this run can wait');
  });

  it('of retries that outlasts the time limit leaves the asset failed at once', async ({ gate }) => {
    const run = await gate({
      scenario: {
        default: { fails: { times: 1 } },
        faults: [{ on: 'assets/retry', status: 429, headers: { 'retry-after': '1801' } }],
      },
    });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'asset-failed', 'assets-failed': '1' });
    expect(run.text).toContain('It was not retried: The service responded with 429 while retrying an asset');
    expect(run.count('assets/retry')).toBe(1);
    expect(run.count('submissions/read')).toBeLessThan(4);
  });
});
