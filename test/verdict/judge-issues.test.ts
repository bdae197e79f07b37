import { expect, it } from 'vitest';
import type { Content } from '../../src/media/content.ts';
import type { Issue } from '../../src/service/issue.ts';
import type { BaselineIssue } from '../../src/state/document.ts';
import { IndexedBaseline, type JudgedIssue, judgeIssues } from '../../src/verdict/judge-issues.ts';
import { Waivers } from '../../src/waivers/waivers.ts';
import { issue, waiver } from '../builders/analyses.ts';

type IssueRules = Parameters<typeof judgeIssues>[1];

const RULES: IssueRules = {
  failOnSeverity: 'CRITICAL',
  failOnIssues: 'all',
  ignoreStatuses: ['RESOLVED', 'DISMISSED'],
  baseline: undefined,
  isBranchRun: false,
  waivers: undefined,
};
const PLACE = { sha256: 'a', paths: ['a.png'] } as const;

/** Judges issues of the analysis `now`. Those of a baseline are of the analysis `before`, unless it says otherwise. */
function judged(
  issues: readonly Issue[],
  rules: IssueRules,
  place: Pick<Content, 'sha256' | 'paths'> = PLACE,
): readonly JudgedIssue[] {
  return judgeIssues({ ...place, issues, originOf: () => ({ submissionId: 'now', assetId: 'asset' }) }, rules);
}

function waivers(path: string): Waivers {
  return new Waivers({ waivers: [waiver(path)] }, new Date('2026-11-15'));
}

/** A baseline with these issues at each path. Its bytes differ from those of PLACE, unless `sha256` is `a`. */
function baseline(
  files: Readonly<Record<string, readonly BaselineIssue[]>>,
  sha256 = 'b',
  submissionId = 'before',
): IssueRules['baseline'] {
  const found = Object.entries(files).map(([path, issues]) => {
    return { path, sha256, submissionId, assetId: 'asset', issues: [...issues] };
  });
  return new IndexedBaseline({ at: '2026-11-01T10:00:00.000Z', files: found });
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
  const all = judged([issue(change)], { ...RULES, ...rules });
  const texts = all.map(({ standing, failsGate }) => `${standing}${failsGate ? ', fails' : ''}`);
  expect(texts).toEqual([expected]);
});

it('an issue is marked as new or not new only if there is a baseline, even if all issues count', () => {
  const compared = { ...RULES, baseline: BASE };
  const issues = [issue({ id: '1' }), issue({ id: '2', ruleCode: 'AD-18' })];
  expect(judged(issues, compared).map(({ isNew }) => isNew)).toEqual([false, true]);
  expect(judged(issues, RULES).map(({ isNew }) => isNew)).toEqual([undefined, undefined]);
});

it.each<[string, Partial<IssueRules>, string]>([
  ['on the base branch at the first', { ...NEW, baseline: BASE }, 'active'],
  ['at the last, with the same bytes', { ...NEW, baseline: baseline({ 'b.png': [issue()] }, 'a') }, 'known'],
  ['at both', { ...NEW, baseline: baseline({ 'a.png': [issue()], 'b.png': [issue()] }) }, 'known'],
  ['waived at one', { waivers: waivers('a.png') }, 'active'],
  ['waived at both', { waivers: waivers('*.png') }, 'waived'],
])('an issue of a file at two paths: %s', (_, rules, standing) => {
  const place = { sha256: 'a', paths: ['a.png', 'b.png'] } as const;
  expect(judged([issue()], { ...RULES, ...rules }, place)).toMatchObject([{ standing }]);
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
  expect(judged(numbered, rules).map(({ standing }) => standing)).toEqual(standings.split(' '));
});

it.each<[readonly Issue[], boolean]>([
  [[OPEN], false],
  [[DISMISSED], false],
  [[], true],
])('an ignored issue is not new if the base branch has it in any status: %#', (base, isNew) => {
  const rules = { ...RULES, baseline: baseline({ 'a.png': base }) };
  expect(judged([DISMISSED], rules)).toMatchObject([{ isNew }]);
});

it('the worst issue comes first, and a waived issue names the owner of its waiver', () => {
  const issues = [issue({ severity: 'INFO' }), issue({ severity: 'MAJOR' })];
  const all = judged(issues, { ...RULES, waivers: waivers('*.png') });
  expect(all.map(({ severity }) => severity)).toEqual(['MAJOR', 'INFO']);
  expect(all[0]?.waiver).toEqual({ owner: 'legal', reason: 'agreed', expires: '2999-01-01' });
});

const WAIVED = { ...OPEN, isWaived: true };
const OTHER_RULE = { ...OPEN, ruleCode: 'renamed' };

// biome-ignore format: a table
it.each<[string, base: readonly BaselineIssue[], now: readonly Issue[], Partial<IssueRules>, string]>([
  ['the same id', [OPEN], [OPEN], {}, 'known'],
  ['the same id, under another rule', [OPEN], [OTHER_RULE], {}, 'known'],
  ['the same id, without a rule', [{ ...OPEN, ruleCode: '' }], [{ ...OPEN, ruleCode: '' }], {}, 'known'],
  ['the same id, more severe', [MAJOR], [{ ...OPEN, id: MAJOR.id }], {}, 'active'],
  ['the same id, less severe', [OPEN], [{ ...MAJOR, id: OPEN.id }], {}, 'known'],
  ['the same id, dismissed then', [DISMISSED], [OPEN], {}, 'active'],
  ['the same id, dismissed now', [OPEN], [DISMISSED], {}, 'ignored'],
  ['the same id, dismissed then and now', [DISMISSED], [DISMISSED], {}, 'ignored'],
  ['another id of the same rule', [OPEN], [{ ...OPEN, id: 'x' }], {}, 'known'],
  ['another id of the same rule, beside the same id', [OPEN], [OPEN, { ...OPEN, id: 'x' }], {}, 'known active'],
  ['the same id, waived then, in a pull request', [WAIVED], [OPEN], {}, 'known'],
  ['the same id, waived then, in a branch run', [WAIVED], [OPEN], { isBranchRun: true }, 'active'],
  ['the same id, waived then and now', [WAIVED], [OPEN], { isBranchRun: true, waivers: waivers('*.png') }, 'waived'],
  ['another id, waived then, in a branch run', [WAIVED], [{ ...OPEN, id: 'x' }], { isBranchRun: true }, 'active'],
  ['another id, waived then, in a pull request', [WAIVED], [{ ...OPEN, id: 'x' }], {}, 'known'],
])('in the same analysis at another path: %s', (_, base, now, rules, standings) => {
  const before = baseline({ 'moved.png': base }, 'a', 'now');
  const all = judged(now, { ...RULES, ...NEW, ...rules, baseline: before });
  expect(all.map(({ standing }) => standing).join(' ')).toBe(standings);
});

it('an issue is matched by its id in every copy of a file, so that one more of its rule is new', () => {
  const copies = baseline({ 'a.png': [OPEN], 'b.png': [OPEN] }, 'a', 'now');
  const more = { ...OPEN, id: 'x' };
  const all = judged([OPEN, more], { ...RULES, ...NEW, baseline: copies }, { sha256: 'a', paths: ['a.png', 'b.png'] });
  expect(all.map(({ id, isNew }) => [id, isNew])).toEqual([
    [OPEN.id, false],
    ['x', true],
  ]);
});

it('bytes that were copied to another path are compared with what was at that path', () => {
  const file = { submissionId: 'before', assetId: 'asset' };
  const files = [
    { ...file, path: 'a.png', sha256: 'b', issues: [issue({ ruleCode: 'AD-18' })] },
    { ...file, path: 'b.png', sha256: 'a', issues: [issue()] },
  ];
  const rules = { ...RULES, ...NEW, baseline: new IndexedBaseline({ at: '2026-11-01T10:00:00.000Z', files }) };
  expect(judged([issue()], rules)).toMatchObject([{ standing: 'active' }]);
});
