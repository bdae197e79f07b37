import { expect, it } from 'vitest';
import { lastKnownOf } from '../../src/plan/describe.ts';
import { makePlan } from '../../src/plan/plan.ts';
import { EarlierState } from '../../src/state/earlier-state.ts';

import { daysAgo, document, file, known, open, rules } from '../state/samples.ts';

const OUTAGE = { reason: 'service', message: 'The service is down.', fix: '' } as const;
const CONTENTS = [known('new'), known('old', { analysedAt: daysAgo(9) }), known('middle', { analysedAt: daysAgo(5) })];

function of(...seeds: readonly string[]) {
  const earlierState = new EarlierState([document({ contents: CONTENTS, open: [open('s', ['open'])] })]);
  const files = seeds.map((seed) => file(`${seed}.png`, seed));
  return lastKnownOf(OUTAGE, makePlan({ files, pointers: [], earlierState, rules: rules() }));
}

it('the last known verdict stands if nothing has to be sent or awaited; the oldest analysis gives its age', () => {
  const lastKnown = of('new', 'old', 'middle');
  expect(lastKnown?.since).toBe(daysAgo(9));
  expect(lastKnown?.message).toMatch(
    /^The service is down\. No file has changed, so the last known verdict stands; the oldest analysis is from 2026-11-06\./,
  );
});

it.each(['unknown', 'open'])('otherwise earlier analyses are only shown: %s', (other) => {
  expect(of('new', other)?.message).toContain('Earlier analyses are shown as last known');
});

it('without an earlier analysis nothing is known', () => {
  expect(of('unknown')).toBeUndefined();
});
