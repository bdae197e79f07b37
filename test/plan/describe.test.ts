import { expect, it } from 'vitest';
import { describeLosses, describeUnlinkedVersions, makePlan, NO_PLAN } from '../../src/plan/plan.ts';
import type { Analysis } from '../../src/service/analysis.ts';
import { result } from '../builders/analyses.ts';
import { content, file } from '../builders/media.ts';
import { NEW, planOf } from '../builders/runs.ts';
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

const [UPPER, LOWER] = ['0000000A-000B-000C-000D-00000000000E', '0000000a-000b-000c-000d-00000000000e'];

it.each<[string, Partial<Analysis>, group: string | undefined, isNamed: boolean]>([
  ['a first version', { versionNumber: 1, versionGroupId: 'g' }, 'g', true],
  ['a first version, if the group is unknown', { versionNumber: 1 }, undefined, true],
  ['another group', { versionNumber: 2, versionGroupId: 'h' }, 'g', true],
  ['the next version in the same group', { versionNumber: 2, versionGroupId: 'g' }, 'g', false],
  ['the next version in the same group, in upper case', { versionNumber: 2, versionGroupId: UPPER }, LOWER, false],
  ['a later version, if the group is unknown', { versionNumber: 2, versionGroupId: 'h' }, undefined, false],
  ['an unknown version', { versionNumber: undefined }, 'g', false],
])('a version that was not linked: %s', (_, analysis, versionGroupId, isNamed) => {
  const a = content('a.png');
  const plan = planOf([a], { ...NEW, previous: { submissionId: 's0', versionGroupId } });
  const analyses = [result(a, analysis)];
  const notice = describeUnlinkedVersions(plan, analyses, new Map([[a.sha256, 's0']])) ?? '';
  expect(notice.startsWith('The service did not link 1 file to the earlier version: a.png.')).toBe(isNamed);
  expect(describeUnlinkedVersions(plan, analyses, new Map()), 'It was sent without a link.').toBeUndefined();
});
