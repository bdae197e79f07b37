import { expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it as base, CRITICAL } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

const WARN = { 'on-service-error': 'warn' };
const UNAVAILABLE = { on: 'submissions/create', status: 503 } as const;
const GONE = { on: 'submissions/read', status: 404 } as const;
/** Two minutes of retries take a second. */
const FAST = { clockFactor: 120 };

/** Starts a gate whose only file has a CRITICAL issue in the analysis of an earlier run. */
const it = base.extend('startKnown', ({ startSeries }) => async (scenario: Scenario) => {
  const series = await startSeries(images('a'), { scenario: CRITICAL });
  await series.run();
  series.service.load(scenario);
  return series;
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
  async ([, scenario, inputs], { startKnown }) => {
    const series = await startKnown(scenario);
    const run = await series.run({ ...FAST, inputs: { ...WARN, ...inputs } });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', reason: 'issues', 'critical-count': '1' });
    const today = new Date().toISOString().slice(0, 10);
    expect(run.notices).toContain(`count as last known, the oldest from ${today}: a.png`);
  },
);

it('an analysis that was lost stays known while its file is analysed again', async ({ startKnown }) => {
  const series = await startKnown({ default: { reads: 1_000_000 }, faults: [{ ...GONE, times: 40 }] });
  const late = { ...FAST, inputs: { ...WARN, 'wait-timeout-minutes': '1' } };
  for (const _ of ['sent', 'awaited'])
    expect((await series.run(late)).outputs).toMatchObject({ verdict: 'fail', reason: 'issues' });
});

it('a dry run does not count what is known', async ({ startKnown }) => {
  const series = await startKnown({});
  expect((await series.run({ inputs: { 'dry-run': 'true' } })).outputs).toMatchObject({ verdict: 'skipped' });
});

it('results that this run could not read are last known, also without issues', async ({ startSeries }) => {
  const series = await startSeries({});
  await series.addAnalysed(images('a'));
  const limited = { on: 'submissions/read', status: 429, headers: { 'retry-after': '3600' } } as const;
  series.service.load({ faults: [limited] });
  const run = await series.run(FAST);
  expect(run.outputs).toMatchObject({ verdict: 'pass', 'files-reused': '1' });
  expect(run.notices).toContain('The results of 1 file were not read again');
  expect(JSON.parse(run.file('predicate.json'))).toMatchObject({ statuses: 'last known' });
});
