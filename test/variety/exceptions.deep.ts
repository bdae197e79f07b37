import * as fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Scenario } from '../../emulator/emulator.ts';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';
import { CLOCK_FACTOR, scenarioOf, VARIETY_SEED, varietyWith } from './manners.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NO_REASON = { errorType: null, errorMessage: null, isRetryable: false };

/** A service whose manners change the result. Each scenario is one day, with its outcome whatever the other manners are. */
const EXCEPTIONS: readonly {
  readonly name: string;
  readonly without?: readonly string[];
  readonly days: readonly (readonly [scenario: Scenario, outcome: string, says?: RegExp])[];
}[] = [
  {
    name: 'heals a failed asset after the run',
    days: [
      [{ default: { fails: { isRetryable: false } } }, 'error asset-failed, 2 billed'],
      [{ default: { fails: { isRetryable: false } } }, 'error asset-failed, 0 billed'],
      [{ healsFailed: true }, 'pass , 0 billed'],
    ],
  },
  {
    name: 'needs three retries',
    days: [
      [{ default: { fails: { times: 3 } }, maxRetries: 9 }, 'error asset-failed, 2 billed'],
      [{ default: { fails: { times: 3 } }, maxRetries: 9 }, 'pass , 0 billed'],
    ],
  },
  {
    name: 'never gives a count',
    without: ['counts in one place only'],
    days: [
      [{ issueCounts: 'none' }, 'error results, 2 billed'],
      [{ issueCounts: 'none' }, 'error results, 0 billed'],
      [{ issueCounts: 'none' }, 'error results, 0 billed'],
      [{}, 'pass , 0 billed'],
    ],
  },
  {
    name: 'has failed while the assets are still submitted',
    without: ['hides unfinished assets'],
    days: [
      [{ default: { fails: { ...NO_REASON, ownStatus: 'submitted' } } }, 'error results, 2 billed', /still analysing/],
      [{ default: { fails: { ...NO_REASON, ownStatus: 'submitted' } } }, 'error results, 0 billed'],
      [{ healsFailed: true }, 'pass , 0 billed'],
    ],
  },
  {
    name: 'has a word of its own for what hangs',
    without: ['has its own words for what is unfinished'],
    days: [
      [{ default: { reads: 1_000_000 }, statusWhileUnfinished: 'queued' }, 'error results, 2 billed', /queued/],
      [{ default: { reads: 1_000_000 }, statusWhileUnfinished: 'queued' }, 'error results, 0 billed'],
    ],
  },
  {
    name: 'fails as a whole, and says why only at the submission',
    without: ['explains a failure at the submission'],
    days: [
      [
        { default: { fails: NO_REASON }, submissionError: 'Out of disk.' },
        'error asset-failed, 2 billed',
        /^(?!.*Check that the file opens).*whole submission: Out of disk/s,
      ],
    ],
  },
  {
    name: 'lists an asset of its own with an issue',
    without: ['lists an asset of its own'],
    days: [
      [{ strayAsset: 'poster.jpg', files: [{ match: 'poster', issues: [{}] }] }, 'error results, 2 billed', /poster/i],
      [{}, 'error results, 0 billed', /poster/i],
    ],
  },
];

describe.concurrent(`VARIETY_SEED=${VARIETY_SEED}: what changes the result does so with any other manners`, () => {
  it.for(EXCEPTIONS)(
    'a service that $name',
    { timeout: 3_600_000 },
    async ({ days, without = [] }, { startSeries }) => {
      const [variety = {}] = fc.sample(varietyWith([]), { seed: VARIETY_SEED, numRuns: 1 });
      const others = Object.fromEntries(Object.entries(variety).filter(([manner]) => !without.includes(manner)));
      const series = await startSeries(images('one', 'two'), { clockFactor: CLOCK_FACTOR });
      for (const [index, [scenario, outcome, says = /./]] of days.entries()) {
        series.service.load(scenarioOf({ ...others, scenario }));
        // The next run is two days later.
        const clock = { aheadMs: 2 * index * DAY_MS };
        series.service.aheadMs = clock.aheadMs;
        const before = series.service.submissions.length;
        const run = await series.run({ runId: index + 1, clock, inputs: { 'wait-timeout-minutes': '5' } });
        const billed = series.service.submissions.slice(before).reduce((sum, each) => sum + each.creditsSpent, 0);
        const { verdict, reason } = run.outputs;
        expect(`${verdict} ${reason}, ${billed} billed`, `${JSON.stringify(others)}\n${run.log}`).toBe(outcome);
        expect(run.log).toMatch(says);
      }
    },
  );
});
