import * as fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { Emulator, Scenario } from '../../emulator/emulator.ts';
import { it } from '../harness/fixtures.ts';
import { images } from '../harness/media.ts';
import { startSeries } from '../harness/series.ts';
import { CLOCK_FACTOR, VARIETY_SEED } from './manners.ts';

/** How one issue at the service differs from the run before. Its rule is its name between runs. */
interface Change {
  readonly issue: number;
  readonly to: Readonly<{ severity?: string; status?: string; id?: string; ruleCode?: string }>;
}

/** What happens between two runs, and what goes wrong in the second. */
interface Day {
  readonly changes: readonly Change[];
  readonly trouble: Scenario;
  readonly isStrict: boolean;
}

const READS = ['submissions/read', 'assets/read', 'assets/issues'] as const;
/** One read is refused or fails, or stays down, or only some reads are allowed in a second of the service. */
const TROUBLE: fc.Arbitrary<Scenario> = fc.oneof(
  fc.constant({}),
  fc
    .record({ on: fc.constantFrom(...READS), status: fc.constantFrom(429, 503), nth: fc.integer({ min: 1, max: 6 }) })
    .map((fault) => ({ faults: [fault] })),
  fc.record({ on: fc.constantFrom(...READS), status: fc.constant(503) }).map((fault) => ({ faults: [fault] })),
  fc.integer({ min: 2, max: 6 }).map((limit) => ({
    rateLimits: { submission_read: { limit, perSeconds: 0.5, retryAfter: 30 } },
  })),
);
const CHANGE: fc.Arbitrary<Change> = fc.record({
  issue: fc.nat({ max: 4 }),
  to: fc.record(
    {
      severity: fc.constantFrom('CRITICAL', 'CRITICAL', 'MINOR'),
      status: fc.constantFrom('OPEN', 'OPEN', 'DISMISSED'),
      id: fc.uuid(),
      ruleCode: fc.constantFrom('NEW-1', 'NEW-2'),
    },
    { requiredKeys: [] },
  ),
});
const DAY: fc.Arbitrary<Day> = fc.record({
  changes: fc.array(CHANGE, { maxLength: 3 }),
  trouble: TROUBLE,
  isStrict: fc.boolean(),
});
const LIFE = fc.array(DAY, { minLength: 2, maxLength: 3 });

const NAMES = ['a', 'b', 'c'];
const FILES: Scenario['files'] = [
  { match: 'a-', issues: [{ ruleCode: 'R-0', severity: 'MINOR' }] },
  { match: 'b-', issues: ['R-1', 'R-2'].map((ruleCode) => ({ ruleCode, severity: 'MINOR' })) },
];

interface ReportJson {
  readonly notices: readonly string[];
  readonly contents: readonly { readonly paths: readonly string[]; readonly lastKnownAt?: string }[];
}

/** Runs the gate after each change, and compares a green check with what the service has at that time. */
async function live(emulator: Emulator, days: readonly Day[]): Promise<void> {
  await using series = await startSeries(emulator, {}, { clockFactor: CLOCK_FACTOR, scenario: { files: FILES } });
  const { service } = series;
  await series.addAnalysed(images(...NAMES));
  const all = service.submissions.flatMap(({ assets }) => assets);
  const issues = all.flatMap((asset) => asset.issues);
  for (const [index, { changes, trouble, isStrict }] of days.entries()) {
    for (const { issue, to } of changes) Object.assign(issues[issue % issues.length] ?? {}, to);
    service.load({ files: FILES, ...trouble });
    const run = await series.run({ runId: index + 2, inputs: { 'on-service-error': isStrict ? 'error' : 'warn' } });
    const report: ReportJson = JSON.parse(run.file('report.json'));
    if (run.exitCode !== 0) continue;
    for (const asset of all) {
      const isCritical = asset.issues.some(({ severity, status }) => severity === 'CRITICAL' && status === 'OPEN');
      const name = asset.filename.replace(/-[0-9a-f]{32}/, '');
      const content = report.contents.find(({ paths }) => paths.includes(name));
      const isSaid =
        content?.lastKnownAt !== undefined &&
        report.notices.some((text) => text.endsWith('The last known issues count, as they were on the day shown.'));
      expect(isCritical && !isSaid, `${name} has a CRITICAL issue, and the check is green.\n${run.log}`).toBe(false);
    }
  }
}

describe.concurrent(`VARIETY_SEED=${VARIETY_SEED}: no green check hides a CRITICAL issue that the service has`, () => {
  const lives = fc.sample(LIFE, { seed: VARIETY_SEED, numRuns: 20 });
  it.for(lives.map((days, nth) => [nth, days] as const))('life %i', async ([, days], { emulator }) => {
    await live(emulator, days);
  });
});
