import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it as base, CRITICAL } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

const ENDPOINTS = ['submissions/read', 'assets/issues', 'uploads/direct', 'submissions/create'] as const;
const DOWN: Scenario = { faults: ENDPOINTS.map((on) => ({ on, status: 503 })) };
const WARN = { 'on-service-error': 'warn' };
const UNAVAILABLE = { on: 'submissions/create', status: 503 } as const;
const GONE = { on: 'submissions/read', status: 404 } as const;
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
      expect(run.warnings).toMatch(/503.*1 file as last known, from \d/);
      expect(run.warnings).toContain(new Date().toISOString().slice(0, 10));
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
    series.service.changeIssues({ ruleCode: 'AD-17' }, { status: 'OPEN' });
    series.service.load({ faults: [{ on: 'submissions/read', match: 'b-*', status: 503 }] });
    const run = await series.run(FAST);
    expect(run.outputs).toMatchObject({ verdict: 'fail', 'critical-count': '1' });
    expect(run.warnings).toContain('1 file as last known, from');
  });

  it('while the only file is still being analysed is the reason of the error', async ({ startDown }) => {
    const series = await startDown({ default: { reads: 1_000_000 } });
    const run = await series.run({ ...FAST, inputs: { 'wait-timeout-minutes': '1' } });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'error', 'files-submitted': '0' });
    expect(run.summary).toContain('ERROR: The compliance service did not respond');
  });
});

it.for<[string, Scenario, Readonly<Record<string, string>>]>([
  ['it is missing at the service, and nothing can be created', { faults: [GONE, UNAVAILABLE] }, {}],
  ['it is too old, and nothing can be created', { faults: [UNAVAILABLE] }, { 'reuse-days': '0' }],
  [
    'it is analysed again, and the wait ends early',
    { default: { reads: 1_000_000 } },
    { 'reuse-days': '0', 'wait-timeout-minutes': '1' },
  ],
])(
  'a known CRITICAL issue fails the check, whatever warn forgives: %s',
  async ([, scenario, inputs], { startDown }) => {
    const series = await startDown(CRITICAL, scenario);
    const run = await series.run({ ...FAST, inputs: { ...WARN, ...inputs } });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', reason: 'issues', 'critical-count': '1' });
    const today = new Date().toISOString().slice(0, 10);
    expect(run.warnings).toContain(`1 file as last known, from ${today}`);
  },
);

it('an analysis that was lost stays known while its file is analysed again', async ({ startDown }) => {
  const series = await startDown(CRITICAL, { default: { reads: 1_000_000 }, faults: [{ ...GONE, times: 40 }] });
  const late = { ...FAST, inputs: { ...WARN, 'wait-timeout-minutes': '1' } };
  for (const _ of ['sent', 'awaited'])
    expect((await series.run(late)).outputs).toMatchObject({ verdict: 'fail', reason: 'issues' });
});

it('a dry run does not count what is known', async ({ startDown }) => {
  const series = await startDown(CRITICAL, {});
  expect((await series.run({ inputs: { 'dry-run': 'true' } })).outputs).toMatchObject({ verdict: 'skipped' });
});

it('results that this run could not read are last known, also without issues', async ({ startDown }) => {
  const limited = { on: 'submissions/read', status: 429, headers: { 'retry-after': '3600' } } as const;
  const series = await startDown({}, { faults: [limited] });
  const run = await series.run(FAST);
  expect(run.outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1' });
  expect(run.warnings).toContain('1 file as last known, from');
  expect(JSON.parse(run.file('predicate.json'))).toMatchObject({ statuses: 'last known' });
});
