import * as fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Emulator, Scenario } from '../../emulator/emulator.ts';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';
import { startSeries } from '../harness/series.ts';
import { CLOCK_FACTOR, scenarioOf, VARIETY_SEED, type Variety, varietyWith } from './manners.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NO_REASON = { errorType: null, errorMessage: null, isRetryable: false };

/** One run, what it has to end with, and what its log says. The last day of some is a re-run of the job. */
type Day = readonly [scenario: Scenario, outcome: string | RegExp, says?: RegExp, attempt?: number];

const FAILED_2 = 'error asset-failed, 2 billed';
/** There are two days between two runs. */
const NEXT_WEEK = [1, 2, 3, 4];

/** Services whose manners change the result, whatever their other manners are. */
const EXCEPTIONS: readonly {
  readonly name: string;
  /** Other manners that would hide this one. */
  readonly without?: readonly string[];
  readonly days: readonly Day[];
}[] = [
  {
    name: 'heals a failed asset after the run',
    days: [
      [{ default: { fails: { isRetryable: false } } }, 'error asset-failed, 2 billed'],
      [{ default: { fails: { isRetryable: false } } }, 'error asset-failed, 0 billed'],
      [{ healsFailed: true }, 'pass , 0 billed', /./, 2],
    ],
  },
  {
    name: 'heals a failed asset before a push',
    days: [
      [{ default: { fails: { isRetryable: false } } }, 'error asset-failed, 2 billed'],
      [{ healsFailed: true }, 'pass , 0 billed'],
    ],
  },
  {
    name: 'needs three retries',
    days: [
      [{ default: { fails: { times: 3 } }, maxRetries: 9 }, 'error asset-failed, 2 billed', /^(?!.*same bytes again)/s],
      [{ default: { fails: { times: 3 } }, maxRetries: 9 }, 'pass , 0 billed', /./, 2],
    ],
  },
  {
    name: 'refuses the retry of a failure, and accepts it later',
    days: [
      [{ default: { fails: { times: 1 } }, faults: [{ on: 'assets/retry', status: 409 }] }, FAILED_2],
      [{ default: { fails: { times: 1 } } }, 'pass , 0 billed'],
    ],
  },
  {
    name: 'calls a submission complete although its assets failed',
    days: [
      [{ status: 'complete', default: { fails: { isRetryable: false } } }, FAILED_2],
      ...NEXT_WEEK.map((): Day => [{ status: 'complete' }, 'error asset-failed, 0 billed']),
      [{}, 'pass , 2 billed', /./, 2],
    ],
  },
  {
    name: 'never gives a count',
    without: ['counts in one place only'],
    days: [
      [{ issueCounts: 'none' }, 'error results, 2 billed'],
      [{ issueCounts: 'none' }, 'error results, 0 billed'],
      ...NEXT_WEEK.map((): Day => [{ issueCounts: 'none' }, /error (results|asset-failed), 0 billed/, /not how many/]),
      [{}, 'pass , 0 billed'],
    ],
  },
  {
    name: 'has a word of its own for a submission, whatever became of its assets',
    without: ['has its own words for what is unfinished'],
    days: [
      [{ status: 'needs_review' }, 'error results, 2 billed', /"needs_review" for the submission/],
      [{ status: 'Failed' }, 'error results, 0 billed', /"Failed" for the submission/],
      [{}, 'pass , 0 billed'],
      [{ status: 'cancelled' }, 'error results, 0 billed', /"cancelled" for the submission/],
      [{}, 'pass , 0 billed'],
    ],
  },
  {
    name: 'counts issues in assets that it does not show',
    days: [
      [
        { default: { issues: [{}] }, faults: [{ on: 'assets/read', status: 503 }] },
        'error results, 2 billed',
        /^(?!.*no asset with the name)(?!.*upload-concurrency).*could not be read.*\(1 issue, .*503/s,
      ],
      [{ default: { issues: [{}] } }, 'pass , 0 billed'],
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

/** Runs the gate once on each day, two days apart, with a service that has these manners as well. */
async function expectOutcomes(emulator: Emulator, days: readonly Day[], others: Variety): Promise<void> {
  await using series = await startSeries(emulator, images('one', 'two'), { clockFactor: CLOCK_FACTOR });
  const { service } = series;
  for (const [index, [scenario, outcome, says = /./, attempt = 1]] of days.entries()) {
    service.load(scenarioOf({ ...others, scenario }));
    const clock = { aheadMs: 2 * index * DAY_MS };
    service.aheadMs = clock.aheadMs;
    const before = service.submissions.length;
    const run = await series.run({ runId: index + 1, attempt, clock, inputs: { 'wait-timeout-minutes': '5' } });
    const billed = service.submissions.slice(before).reduce((sum, each) => sum + each.creditsSpent, 0);
    const { verdict, reason } = run.outputs;
    const ended = `${verdict} ${reason}, ${billed} billed`;
    expect(ended, `${JSON.stringify(others)}\n${run.log}`).toEqual(
      typeof outcome === 'string' ? outcome : expect.stringMatching(outcome),
    );
    expect(run.log).toMatch(says);
    expect(run.count('submissions/read')).toBeLessThan(40);
  }
}

describe.concurrent(`VARIETY_SEED=${VARIETY_SEED}: what changes the result does so with any other manners`, () => {
  it.for(EXCEPTIONS)('a service that $name', { timeout: 3_600_000 }, async ({ days, without = [] }, { emulator }) => {
    const [variety = {}] = fc.sample(varietyWith([]), { seed: VARIETY_SEED, numRuns: 1 });
    const others = Object.fromEntries(Object.entries(variety).filter(([manner]) => !without.includes(manner)));
    await expectOutcomes(emulator, days, others);
  });
});
