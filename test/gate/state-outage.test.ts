import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it as base, CRITICAL } from '../harness/fixtures.ts';
import { images, png } from '../harness/media.ts';

const DOWN: Scenario = {
  faults: (['submissions/read', 'assets/issues', 'uploads/direct', 'submissions/create'] as const).map((on) => ({
    on,
    status: 503,
  })),
};
/** The two minutes of retries take one second. */
const FAST = { clockFactor: 120 };

/** Starts a gate whose only file was analysed before the service went down. */
const it = base.extend('startDown', ({ startSeries }) => async (scenario: Scenario, outage: Scenario = DOWN) => {
  const series = await startSeries({}, { scenario });
  await series.addAnalysed(images('a'));
  series.service.load(outage);
  return series;
});

describe.concurrent('an outage', () => {
  it.for([
    ['pass', {}],
    ['fail', CRITICAL],
  ] as const)(
    'leaves the last known verdict if nothing has changed, with its date and a warning: %s',
    async ([verdict, scenario], { startDown }) => {
      const series = await startDown(scenario);
      const before = await series.readState();
      const run = await series.run(FAST);
      expect(run.outputs).toMatchObject({ verdict, 'files-reused': '1', 'submission-status': 'reused' });
      expect(run.warnings).toMatch(/503.*the last known verdict stands/);
      expect(run.warnings).toContain(new Date().toISOString().slice(0, 10));
      // The warning already gives the reason.
      expect(run.notices).not.toContain('were not read again');
      expect(run.summary.split('\n')[0]).toMatch(/; \d files? as last known, from \d{4}-\d\d-\d\d$/);
      // The run has no new results, so it saves nothing.
      expect(await series.readState()).toEqual(before);
    },
  );

  it('of one submission does not affect the other files: a re-opened issue fails', async ({ startSeries }) => {
    const issues = [{ severity: 'CRITICAL', ruleCode: 'AD-17', status: 'DISMISSED' }];
    const series = await startSeries({}, { scenario: { default: { issues } } });
    await series.addAnalysed(images('a'));
    await series.addAnalysed(images('b'));
    series.service.setIssueStatus({ ruleCode: 'AD-17' }, 'OPEN');
    series.service.load({ faults: [{ on: 'submissions/read', match: 'b-*', status: 503 }] });
    const run = await series.run(FAST);
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    expect(run.log).toContain('the last known verdict stands');
  });

  it.for([
    ['passes with on-service-error: warn', {}, 'error'],
    ['fails even so if a CRITICAL issue is known', CRITICAL, 'fail'],
  ] as const)('with something to send %s', async ([, scenario, verdict], { startDown }) => {
    const series = await startDown(scenario);
    await series.write({ 'b.png': png('b') });
    const run = await series.run({ ...FAST, inputs: { 'on-service-error': 'warn' } });
    expect(run.outputs).toMatchObject({ verdict });
  });

  it('while the only file is still being analysed is named in a warning', async ({ startDown }) => {
    const series = await startDown({ default: { reads: 1_000_000 } });
    const run = await series.run({ ...FAST, inputs: { 'wait-timeout-minutes': '1' } });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'error', 'files-submitted': '0' });
    expect(run.warnings).toContain('The compliance service did not respond');
  });
});

it.for([
  ['less than five minutes is waited for', '60', 'pass'],
  ['more than five minutes is not waited for: the last known result counts', '301', 'fail'],
] as const)('a rate limit of %s', async ([, seconds, verdict], { startDown }) => {
  const limit = { on: 'assets/issues', nth: 1, status: 429, headers: { 'retry-after': seconds } } as const;
  const series = await startDown(CRITICAL, { faults: [limit] });
  series.service.setIssueStatus({ ruleCode: 'AD-17' }, 'DISMISSED');
  expect((await series.run(FAST)).outputs).toMatchObject({ verdict, 'files-reused': '1' });
});
