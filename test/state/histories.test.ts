import { it } from 'vitest';
import { expectNoMistakes } from './histories.ts';

it('no run sends again what a state knows, in any history of up to 12 runs and 20 archives', async () =>
  await expectNoMistakes(150));
