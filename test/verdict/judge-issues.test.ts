import { expect, it } from 'vitest';
import type { Issue } from '../../src/service/issue.ts';
import { type IssueRules, judgeIssues } from '../../src/verdict/judge-issues.ts';
import { Waivers } from '../../src/waivers/waivers.ts';
import { issue, waiver } from '../builders/analyses.ts';

const RULES: IssueRules = {
  failOnSeverity: 'CRITICAL',
  failOnIssues: 'all',
  ignoreStatuses: ['RESOLVED', 'DISMISSED'],
  baseline: undefined,
  waivers: undefined,
};
const PLACE = { sha256: 'a', paths: ['a.png'] };

function waivers(path: string): Waivers {
  return new Waivers({ waivers: [waiver(path)] }, new Date('2026-11-15'));
}

/** A baseline with these issues at each path. Its bytes differ from those of PLACE, unless `sha256` is `a`. */
function baseline(files: Readonly<Record<string, readonly Issue[]>>, sha256 = 'b'): IssueRules['baseline'] {
  const found = new Map(Object.entries(files).map(([path, issues]) => [path, { sha256, issues }]));
  return (path) => found.get(path);
}

const NEW = { failOnIssues: 'new' } as const;
const BASE = baseline({ 'a.png': [issue()] });
const MAJOR = issue({ severity: 'MAJOR' });

it.each<[string, Partial<Issue>, Partial<IssueRules>, string]>([
  ['an open issue at the threshold', {}, {}, 'active, fails'],
  ['below the threshold', { severity: 'MAJOR' }, {}, 'active'],
  ['never', {}, { failOnSeverity: 'never' }, 'active'],
  ['dismissed, in any case', { status: 'Dismissed' }, {}, 'ignored'],
  ['an unknown status', { status: 'SNOOZED' }, {}, 'active, fails'],
  ['dismissed if that is not ignored', { status: 'DISMISSED' }, { ignoreStatuses: [] }, 'active, fails'],
  ['waived', {}, { waivers: waivers('*.png') }, 'waived'],
  ['on the base branch', {}, { ...NEW, baseline: BASE }, 'known'],
  ['on the base branch, if all count', {}, { baseline: BASE }, 'active, fails'],
  ['not on the base branch', {}, { ...NEW, baseline: baseline({}) }, 'active, fails'],
  ['milder on the base branch', {}, { ...NEW, baseline: baseline({ 'a.png': [MAJOR] }) }, 'active, fails'],
  ['new, without a baseline', {}, NEW, 'active, fails'],
])('how an issue counts: %s', (_, change, rules, expected) => {
  const judged = judgeIssues([issue(change)], PLACE, { ...RULES, ...rules });
  const texts = judged.map(({ standing, failsGate }) => `${standing}${failsGate ? ', fails' : ''}`);
  expect(texts).toEqual([expected]);
});

it('an issue is marked as new or not new only if there is a baseline, even if all issues count', () => {
  const compared = { ...RULES, baseline: BASE };
  const issues = [issue({ id: '1' }), issue({ id: '2', ruleCode: 'AD-18' })];
  expect(judgeIssues(issues, PLACE, compared).map(({ isNew }) => isNew)).toEqual([false, true]);
  expect(judgeIssues(issues, PLACE, RULES).map(({ isNew }) => isNew)).toEqual([undefined, undefined]);
});

it.each<[string, Partial<IssueRules>, string]>([
  ['on the base branch at the first', { ...NEW, baseline: BASE }, 'active'],
  ['at the last, with the same bytes', { ...NEW, baseline: baseline({ 'b.png': [issue()] }, 'a') }, 'active'],
  ['at both', { ...NEW, baseline: baseline({ 'a.png': [issue()], 'b.png': [issue()] }) }, 'known'],
  ['waived at one', { waivers: waivers('a.png') }, 'active'],
  ['waived at both', { waivers: waivers('*.png') }, 'waived'],
])('an issue of a file at two paths: %s', (_, rules, standing) => {
  const place = { sha256: 'a', paths: ['a.png', 'b.png'] };
  expect(judgeIssues([issue()], place, { ...RULES, ...rules })).toMatchObject([{ standing }]);
});

const [OPEN, DISMISSED] = [issue(), issue({ status: 'Dismissed' })];

it.each<{ bytes: 'same' | 'changed'; base: readonly Issue[]; issues: readonly Issue[]; standings: string }>([
  { bytes: 'changed', base: [OPEN], issues: [OPEN], standings: 'known' },
  { bytes: 'changed', base: [DISMISSED], issues: [OPEN], standings: 'active' },
  { bytes: 'changed', base: [DISMISSED, OPEN], issues: [DISMISSED, OPEN], standings: 'ignored known' },
  { bytes: 'changed', base: [OPEN], issues: [OPEN, OPEN], standings: 'known active' },
  { bytes: 'changed', base: [OPEN], issues: [DISMISSED, OPEN], standings: 'ignored active' },
  { bytes: 'same', base: [DISMISSED], issues: [OPEN], standings: 'known' },
  { bytes: 'same', base: [DISMISSED], issues: [OPEN, DISMISSED], standings: 'active ignored' },
])('statuses of the base branch, with $bytes bytes: $standings', ({ bytes, base, issues, standings }) => {
  const rules: IssueRules = { ...RULES, ...NEW, baseline: baseline({ 'a.png': base }, bytes === 'same' ? 'a' : 'b') };
  const numbered = issues.map((each, id) => ({ ...each, id: `${id}` }));
  expect(judgeIssues(numbered, PLACE, rules).map(({ standing }) => standing)).toEqual(standings.split(' '));
});

it.each<[readonly Issue[], boolean]>([
  [[OPEN], false],
  [[DISMISSED], false],
  [[], true],
])('an ignored issue is not new if the base branch has it in any status: %#', (base, isNew) => {
  const rules = { ...RULES, baseline: baseline({ 'a.png': base }) };
  expect(judgeIssues([DISMISSED], PLACE, rules)).toMatchObject([{ isNew }]);
});

it('the worst issue comes first, and a waived issue names the owner of its waiver', () => {
  const issues = [issue({ severity: 'INFO' }), issue({ severity: 'MAJOR' })];
  const judged = judgeIssues(issues, PLACE, { ...RULES, waivers: waivers('*.png') });
  expect(judged.map(({ severity }) => severity)).toEqual(['MAJOR', 'INFO']);
  expect(judged[0]?.waiver).toEqual({ owner: 'legal', reason: 'agreed', expires: '2999-01-01' });
});
