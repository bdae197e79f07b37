import { hash } from 'node:crypto';

export type Random = ReturnType<typeof seeded>;

/** Makes the same choices for the same seed. */
export function seeded(seed: number) {
  let calls = 0;
  const next = (): number => {
    calls += 1;
    return Number.parseInt(hash('sha256', `${seed} ${calls}`).slice(0, 8), 16) / 2 ** 32;
  };
  /** Returns a whole number from 1 to `max`. */
  const upTo = (max: number): number => 1 + Math.floor(next() * max);
  return {
    chance: (probability: number): boolean => next() < probability,
    upTo,
    pick: <Item>(list: readonly Item[]): Item => {
      const picked = list[upTo(list.length) - 1];
      if (picked === undefined) throw new Error('There is nothing to pick from.');
      return picked;
    },
  };
}
