import * as fc from 'fast-check';
import { describe } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { EXCEPTIONS, expectOutcomes } from './exceptions.ts';
import { VARIETY_SEED, varietyWith } from './manners.ts';

describe.concurrent(`VARIETY_SEED=${VARIETY_SEED}: what changes the result does so with any other manners`, () => {
  it.for(EXCEPTIONS)('a service that $name', { timeout: 3_600_000 }, async ({ days, without = [] }, { emulator }) => {
    const [variety = {}] = fc.sample(varietyWith([]), { seed: VARIETY_SEED, numRuns: 1 });
    const others = Object.fromEntries(Object.entries(variety).filter(([manner]) => !without.includes(manner)));
    await expectOutcomes(emulator, days, others);
  });
});
