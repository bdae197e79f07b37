import * as fc from 'fast-check';
import { type Manner, mannersAt } from '../harness/manners.ts';

const { VARIETY_SEED: given = '1' } = process.env;
/** Plays the same lives and combinations again. */
export const VARIETY_SEED = Number(given);

/** The action's clock is this many times faster than the service's. */
export const CLOCK_FACTOR = 60;

/** A failing case is reduced to the first choice of each. */
const MANNERS = mannersAt(CLOCK_FACTOR);
export const MANNER_NAMES = Object.keys(MANNERS);

/** Some manners of a service, each with the number of its choice. */
export type Variety = Readonly<Record<string, number>>;

/** Any combination of manners that has these, each with any choice. */
export function varietyWith(names: readonly string[]): fc.Arbitrary<Variety> {
  const all = fc.record(
    Object.fromEntries(MANNER_NAMES.map((name) => [name, fc.nat({ max: (MANNERS[name]?.length ?? 1) - 1 })])),
  );
  return fc.tuple(fc.subarray(MANNER_NAMES), all).map(([others, choices]) => {
    const isIn = (name: string): boolean => names.includes(name) || others.includes(name);
    return Object.fromEntries(Object.entries(choices).filter(([name]) => isIn(name)));
  });
}

export function mannersOf(variety: Variety): readonly Manner[] {
  return Object.entries(variety).flatMap(([name, choice]) => MANNERS[name]?.[choice] ?? []);
}
