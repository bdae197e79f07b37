import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';

it('a creation that may have succeeded is reported if its repeat succeeds', async ({ gate }) => {
  const run = await gate({
    scenario: { faults: [{ on: 'submissions/create', when: 'after-work', nth: 1, status: 502 }] },
  });
  expect(run.service.submissions).toHaveLength(2);
  expect(run.outputs).toMatchObject({ verdict: 'pass', 'submission-id': run.service.submissions[1]?.submissionId });
  expect(run.warnings).toMatch(/status 502.*Two submissions may exist and be billed/);
  expect(run.log).toMatch(/1 billed.*two submissions may exist.*, verdict pass/);
});

it('a creation has four minutes: one that takes almost that long is confirmed', async ({ gate }) => {
  const clockFactor = 60;
  const run = await gate({ scenario: { creationMs: 225_000 / clockFactor }, clockFactor });
  expect(run.outputs).toMatchObject({ verdict: 'pass', 'assets-submitted': '1' });
  expect(run.count('submissions/create')).toBe(1);
});

it('in a sandbox, no text speaks of bills', async ({ startSeries }) => {
  const scenario = { faults: [{ on: 'submissions/create', status: 500 }] } as const;
  const run = await (await startSeries(undefined, { mode: 'sandbox', scenario })).run();
  expect(run.outputs).toMatchObject({ verdict: 'error', reason: 'service' });
  expect(run.text).toContain('Two submissions may exist');
  expect(run.readableSummary + run.annotations.map(({ message }) => message)).not.toContain('bill');
  expect(run.log).toMatch(/unknown: a submission may exist, verdict error/);
});
