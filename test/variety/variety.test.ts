import * as fc from 'fast-check';
import { describe } from 'vitest';
import { it as base } from '../harness/fixtures.ts';
import { expectSame, type Life, live } from './days.ts';
import { MANNER_NAMES, scenarioOf, varietyOf } from './manners.ts';

/** The short form of variety.deep.ts: one short life, and every manner in one of two combinations. */
const LIFE: Life = {
  severity: 'CRITICAL',
  names: ['good', 'bad', 'slow', 'ill', 'sick', 'dead'],
  days: [{ kind: 'hanging', file: 'slow' }, { kind: 're-run' }],
};

const it = base.extend('plain', { scope: 'file' }, async ({ emulator }) => await live(emulator, LIFE));

describe.concurrent('half of the manners of a service, all at once, change no verdict and no bill', () => {
  it.for([0, 1])('half %i', async (half, { emulator, plain }) => {
    const names = MANNER_NAMES.filter((_, index) => index % 2 === half);
    const [variety = {}] = fc.sample(varietyOf(names), { seed: half, numRuns: 1 });
    expectSame(await live(emulator, LIFE, scenarioOf(variety)), plain, LIFE);
  });
});
