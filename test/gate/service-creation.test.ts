import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it } from '../harness/fixtures.ts';

/** The status of a gateway after the service has created the submission. */
const failed = (status: number, nth: number): NonNullable<Scenario['faults']>[number] => ({
  on: 'submissions/create',
  when: 'after-work',
  nth,
  status,
});

describe.concurrent('a creation that the service did not confirm', () => {
  it('is repeated once in a run, even if metadata are refused in between', async ({ gate }) => {
    const faults = [failed(500, 1), { on: 'submissions/create' as const, nth: 2, status: 422 }, failed(500, 3)];
    const run = await gate({ scenario: { faults } });
    expect(run.count('submissions/create')).toBe(3);
    expect(run.service.submissions).toHaveLength(2);
    expect(run.outputs).toMatchObject({ verdict: 'error', 'submission-id': '' });
    expect(run.text).toMatch(/Two submissions may exist and be billed/);
    expect(run.text).toMatch(/unknown: .* may exist and be billed, verdict error/);
  });

  it('is reported as a possible second submission if the repeat succeeds', async ({ gate }) => {
    const run = await gate({ scenario: { faults: [failed(502, 1)] } });
    expect(run.service.submissions).toHaveLength(2);
    expect(run.outputs).toMatchObject({ verdict: 'pass', 'submission-id': run.service.submissions[1]?.submissionId });
    expect(run.warnings).toMatch(/status 502.*Two submissions may exist and be billed/);
    expect(run.log).toMatch(/1 billed.*two submissions may exist.*, verdict pass/);
  });
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
