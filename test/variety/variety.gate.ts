import { describe } from 'vitest';
import { it as base } from '../harness/fixtures.ts';
import { expectSame, type Life, live } from './days.ts';
import { scenarioOf, varietyOf } from './manners.ts';

/** The short form of variety.deep.ts: one short life, and every manner with its first two choices. */
const LIFE: Life = {
  severity: 'CRITICAL',
  names: ['good', 'bad', 'slow', 'ill', 'sick', 'dead'],
  days: [{ kind: 'hanging', file: 'slow' }, { kind: 're-run' }],
};

const it = base.extend('plain', { scope: 'file' }, async ({ emulator }) => await live(emulator, LIFE));

describe.concurrent('half of the manners of a service, all at once, change no verdict and no bill', () => {
  it.for([0, 1, 2, 3])('combination %i', async (nth, { emulator, plain }) =>
    expectSame(await live(emulator, LIFE, scenarioOf(varietyOf(nth))), plain, LIFE),
  );
});
