import { it } from 'vitest';
import { expectNoMistakes } from './histories.ts';

it(
  'no run sends again what a state knows, in any history of which it can read every run',
  {
    timeout: 1_800_000,
  },
  async () => await expectNoMistakes(5_000),
);
