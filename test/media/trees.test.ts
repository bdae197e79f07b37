import { it } from 'vitest';
import { expectSameSelection } from './trees.ts';

it('selects what a plain list and the documented rule select, and no link hides a file', async () =>
  await expectSameSelection(150));
