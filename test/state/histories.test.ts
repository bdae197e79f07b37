import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Histories, play } from './histories.ts';

it('no run sends again what a state knows, in any history of up to 12 runs and 20 archives', async () => {
  const property = fc.asyncProperty(Histories, async (history) => {
    expect(await play(history)).toEqual([]);
  });
  await fc.assert(property, { numRuns: 150 });
});
