import { describe, expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';

const FILES = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`file-${index}.png`, png(`${index}`)]));

describe.concurrent('a rate limit', () => {
  it('stops every worker until its time has passed', async ({ gate }) => {
    const run = await gate({
      files: FILES,
      scenario: {
        // The refusal comes at once; an accepted upload takes a little longer, and its worker then has more to send.
        faults: [{ on: 'uploads/direct', nth: 1, status: 429, headers: { 'retry-after': '2' } }],
        latencyMs: 300,
      },
      inputs: { 'upload-concurrency': '3' },
      clockFactor: 1,
    });

    expect(run.outputs['verdict']).toBe('pass');
    const uploads = run.service.requests.filter(({ endpoint }) => endpoint === 'uploads/direct');
    const refusedAt = uploads.find(({ status }) => status === 429)?.endedAt ?? 0;
    // A worker that does not stop has sent its share long before. On a busy machine the refusal may be read late.
    const waited = uploads.filter(({ at }) => at >= refusedAt + 1950);
    expect(waited.length).toBeGreaterThanOrEqual(4);
    expect(uploads).toHaveLength(9);
  });

  it('whose Retry-After is a date is also waited for', async ({ gate }) => {
    const retryAfter = 'Wed, 21 Oct 2026 07:28:00 GMT';
    const run = await gate({
      files: FILES,
      scenario: {
        files: [{ match: 'file-0-', fails: { times: 1 } }],
        faults: [
          { on: 'assets/retry', nth: [1, 2], status: 429, headers: { 'retry-after': retryAfter } },
          { on: 'uploads/direct', nth: [1, 8], status: 429, headers: { 'retry-after': retryAfter } },
          { on: 'submissions/create', nth: [1, 2], status: 429, headers: { 'retry-after': retryAfter } },
          { on: 'submissions/read', nth: [1, 2], status: 429, headers: { 'retry-after': retryAfter } },
        ],
      },
    });

    expect(run.outputs['verdict']).toBe('pass');
    expect(run.service.submissions).toHaveLength(1);
  });

  it('is not waited for if less time is left', async ({ gate }) => {
    const run = await gate({
      files: FILES,
      scenario: {
        faults: [{ on: 'submissions/create', nth: 1, status: 429, headers: { 'retry-after': '1801' } }],
      },
      inputs: { 'wait-timeout-minutes': '30' },
      clockFactor: 40,
    });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
    expect(run.count('submissions/create')).toBe(1);
    expect(run.text).toContain('lasts longer than this run can wait');
    expect(run.log).not.toMatch(/429 while creating the submission.*trying again/);
  });

  it('of retries is waited for as long as the time limit of the run allows', async ({ gate }) => {
    const run = await gate({
      files: FILES,
      scenario: {
        files: [{ match: 'file-0-', fails: { times: 1 } }],
        faults: [{ on: 'assets/retry', nth: 1, status: 429, headers: { 'retry-after': '300' } }],
      },
      inputs: { 'wait-timeout-minutes': '30' },
      clockFactor: 120,
    });

    expect(run.outputs['verdict'], run.log).toBe('pass');
    expect(run.count('assets/retry')).toBe(2);
  });

  it('of retries that outlasts the time limit leaves the asset failed at once', async ({ gate }) => {
    const run = await gate({
      files: FILES,
      scenario: {
        files: [{ match: 'file-0-', fails: { times: 1 } }],
        faults: [{ on: 'assets/retry', status: 429, headers: { 'retry-after': '1801' } }],
      },
      inputs: { 'wait-timeout-minutes': '30' },
    });

    expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'asset-failed', 'assets-failed': '1' });
    expect(run.text).toContain('It was not retried: The service answered 429 while retrying an asset');
    expect(run.count('assets/retry')).toBe(1);
    expect(run.count('submissions/read')).toBeLessThan(4);
  });
});
