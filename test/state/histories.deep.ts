import { it } from 'vitest';
import { expectNoMistakes } from './histories.ts';

it(
  'no run sends again what a state knows, in any history in which up to 12 runs have uploaded',
  {
    timeout: 1_800_000,
  },
  async () => await expectNoMistakes(5_000),
);
