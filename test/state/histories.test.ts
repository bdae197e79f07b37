import { it } from 'vitest';
import { expectNoMistakes } from './histories.ts';

it('no run sends again what a state knows, in any history of which it can read every run', async () =>
  await expectNoMistakes(150));
