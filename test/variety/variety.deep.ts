import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { together } from '../harness/manners.ts';
import { expectSame, live, lives } from './days.ts';
import { MANNER_NAMES, mannersOf, VARIETY_SEED, varietyWith } from './manners.ts';

/** Whether a failing combination is reduced to the manners that it needs, which takes minutes. */
const { VARIETY_SHRINK } = process.env;
const LIVES = fc.sample(lives, { seed: VARIETY_SEED, numRuns: 3 });
/** Every manner is in one of these cases. */
const CASES = Array.from({ length: 9 }, (_, index) => ({
  index,
  names: MANNER_NAMES.filter((_, nth) => nth % 9 === index),
}));
/** Each life is lived through once by the plain service. */
const plain = new Map<number, ReturnType<typeof live>>();

describe.concurrent(`VARIETY_SEED=${VARIETY_SEED}: no manner of a service changes a verdict or a bill`, () => {
  it.for(CASES)('$names, and any others', { timeout: 3_600_000 }, async ({ index, names }, { emulator }) => {
    const which = index % LIVES.length;
    const life = LIVES[which];
    assert(life);
    plain.set(which, plain.get(which) ?? live(emulator, life));
    const expected = await plain.get(which);
    const property = fc.asyncProperty(varietyWith(names), async (variety) => {
      expectSame(await live(emulator, life, together(...mannersOf(variety))), expected ?? [], life);
    });
    await fc.assert(property, { seed: VARIETY_SEED + index, numRuns: 1, endOnFailure: !VARIETY_SHRINK });
  });
});
