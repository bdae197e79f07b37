import { expect, it } from 'vitest';
import { describeLosses, makePlan, NO_PLAN } from '../../src/plan/plan.ts';
import { file } from '../builders/media.ts';
import { analysed, asked, basis, daysAgo, open } from '../builders/states.ts';

it('the notice about files that are billed again names lost analyses, not old ones', () => {
  const files = ['A', 'B', 'C', 'D', 'old'].map((seed) => file(`${seed}.png`, seed));
  const contents = [...open('s', ['A', 'C']), ...open('t', ['B']), analysed('old', { at: daysAgo(90) })];
  const found = asked({ s: { A: 'failed', C: 'failed' }, t: { B: 'missing' } });
  const plan = makePlan(basis(files, { contents }, { isRerun: true }), found);
  const reasons = 'earlier analysis failed: A.png, C.png; no longer at the service: B.png';
  expect(describeLosses(NO_PLAN, false)).toBeUndefined();
  expect(describeLosses(plan, false)).toBe(`3 files will be analysed and billed again (${reasons}).`);
  expect(describeLosses(plan, true)).toBe(`3 files will be sent again (${reasons}).`);
});
