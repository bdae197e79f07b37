import { it } from 'vitest';
import { expectNoMistakes } from './histories.ts';

it('no run sends again what a state knows, in any history in which up to 12 runs have uploaded', async () =>
  await expectNoMistakes(150));
