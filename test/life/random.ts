import { hash } from 'node:crypto';

/** Makes the same choices for the same seed. */
export interface Random {
  readonly chance: (probability: number) => boolean;
  /** Returns a whole number from 1 to `max`. */
  readonly upTo: (max: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
}

export function seeded(seed: number): Random {
  let calls = 0;
  const next = (): number => {
    calls += 1;
    return Number.parseInt(hash('sha256', `${seed} ${calls}`).slice(0, 8), 16) / 2 ** 32;
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
