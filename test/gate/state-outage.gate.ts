import { expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it as base, CRITICAL } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';

const ENDPOINTS = ['submissions/read', 'assets/issues', 'uploads/direct', 'submissions/create'] as const;
const DOWN: Scenario = { faults: ENDPOINTS.map((on) => ({ on, status: 503 })) };
/** The two minutes of retries take one second. */
const FAST = { clockFactor: 120 };

/** Starts a gate whose only file was analysed before the service went down. */
const it = base.extend('startDown', ({ startSeries }) => async (scenario: Scenario, outage: Scenario = DOWN) => {
  const series = await startSeries(images('a'), { scenario });
  await series.run({ runId: 41 });
  series.service.load(outage);
  return series;
});

it.for([
  ['pass', {}],
  ['fail', CRITICAL],
] as const)(
  'an outage leaves the last known verdict if nothing has changed, with its date and why: %s',
  async ([verdict, scenario], { startDown }) => {
    const series = await startDown(scenario);
    const before = await series.readState();
    const run = await series.run(FAST);
    expect(run.outputs).toMatchObject({ verdict, 'files-reused': '1', 'submission-status': 'reused' });
    expect(run.log).toMatch(/^Note: .*503.* The last known issues count/m);
    const day = new Date().toISOString().slice(0, 10);
    expect(run.summary.split('\n')[0]).toContain(`1 file judged by last known issues, from ${day}`);
    // The run has no new results, so it saves nothing.
    expect(await series.readState()).toEqual(before);
  },
);

it.for<[string, NonNullable<Scenario['faults']>, Readonly<Record<string, string>>]>([
  ['it is missing at the service', [{ on: 'submissions/read', status: 404 }], {}],
  ['it is too old', [], { 'reuse-days': '0' }],
])(
  'a known CRITICAL issue fails the check, whatever warn forgives, if nothing can be created: %s',
  async ([, faults, inputs], { startDown }) => {
    const series = await startDown(CRITICAL, { faults: [...faults, { on: 'submissions/create', status: 503 }] });
    const run = await series.run({ ...FAST, inputs: { 'on-service-error': 'warn', ...inputs } });
    expect(run.outputs, run.log).toMatchObject({ verdict: 'fail', reason: 'issues', 'critical-count': '1' });
    expect(run.summary).toContain(`last known issues, from ${new Date().toISOString().slice(0, 10)}`);
  },
);
