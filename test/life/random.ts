/** Makes the same choices for the same seed. */
export interface Random {
  chance(probability: number): boolean;
  /** Returns a whole number from 1 to `max`. */
  upTo(max: number): number;
  pick<T>(list: readonly T[]): T;
}

/** The generator is Mulberry32. */
export function seeded(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (max: number): number => 1 + Math.floor(next() * max);
  return {
    chance: (probability) => next() < probability,
    upTo,
    pick: (list) => {
      const picked = list[upTo(list.length) - 1];
      if (picked === undefined) throw new Error('There is nothing to pick from.');
      return picked;
    },
  };
}
