import { expect, it } from 'vitest';
import type { Policy } from '../../src/inputs/parse.ts';
import type { Content } from '../../src/media/content.ts';
import { type Issue, SEVERITIES } from '../../src/service/issue.ts';
import type { Baseline } from '../../src/state/baseline.ts';
import { indexBaseline, type JudgedIssue, judgeIssues, keysOf } from '../../src/verdict/judge-issues.ts';
import { Waivers } from '../../src/waivers/waivers.ts';
import { issue, waiver } from '../builders/analyses.ts';

interface Rules extends Omit<Policy, 'onServiceError'> {
  readonly baseline?: Baseline;
  readonly waivers?: Waivers;
}

const RULES: Rules = {
  failOnSeverity: 'CRITICAL',
  failOnIssues: 'all',
  ignoreStatuses: ['RESOLVED', 'DISMISSED'],
};
const PLACE = { paths: ['a.png'] } as const;

/** Judges issues of the analysis `now`, beside those of other files. Those of a baseline are of the analysis `before`, unless it says otherwise. */
function judged(
  issues: readonly Issue[],
  { baseline: files, waivers, ...policy }: Rules,
  place: Pick<Content, 'paths'> = PLACE,
  others: Parameters<typeof keysOf>[0] = [],
): readonly JudgedIssue[] {
  const analysis = { submissionId: 'now', assetId: 'asset', issues };
  const keys = new Set([analysis, ...others].flatMap((each) => keysOf([each])));
  const baseline = files && indexBaseline(files, policy, keys);
  return judgeIssues(place, [analysis], { ...policy, baseline, waivers });
}

function waivers(path: string): Waivers {
  return new Waivers({ waivers: [waiver(path)] }, new Date('2026-11-15'));
}

/** A baseline with these issues at each path. */
function baseline(files: Readonly<Record<string, Baseline[number]['issues']>>, submissionId = 'before'): Baseline {
  return Object.entries(files).map(([path, issues]) => {
    return { path, submissionId, assetId: 'asset', issues: [...issues] };
  });
}

const NEW = { failOnIssues: 'new' } as const;
const BASE = baseline({ 'a.png': [issue()] });
const MAJOR = issue({ severity: 'MAJOR' });

it.each<[string, Partial<Issue>, Partial<Rules>, string]>([
  ['an open issue at the threshold', {}, {}, 'active, fails'],
  ['below the threshold', { severity: 'MAJOR' }, {}, 'active'],
  ['never', {}, { failOnSeverity: 'never' }, 'active'],
  ['dismissed, in any case', { status: 'Dismissed' }, {}, 'ignored'],
  ['an unknown status', { status: 'SNOOZED' }, {}, 'active, fails'],
  ['dismissed if that is not ignored', { status: 'DISMISSED' }, { ignoreStatuses: [] }, 'active, fails'],
  ['waived', {}, { waivers: waivers('*.png') }, 'waived'],
  ['dismissed and waived', { status: 'DISMISSED' }, { waivers: waivers('*.png') }, 'ignored'],
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

it.each<[string, Partial<Rules>, string]>([
  ['on the base branch at the first', { ...NEW, baseline: BASE }, 'active'],
  ['on the base branch at the last', { ...NEW, baseline: baseline({ 'b.png': [issue()] }) }, 'active'],
  ['at both', { ...NEW, baseline: baseline({ 'a.png': [issue()], 'b.png': [issue()] }) }, 'known'],
  ['waived at one', { waivers: waivers('a.png') }, 'active'],
  ['waived at both', { waivers: waivers('*.png') }, 'waived'],
])('an issue of a file at two paths: %s', (_, rules, standing) => {
  expect(judged([issue()], { ...RULES, ...rules }, { paths: ['a.png', 'b.png'] })).toMatchObject([{ standing }]);
});

const [OPEN, DISMISSED] = [issue(), issue({ status: 'Dismissed' })];
const CLOSED = issue({ severity: 'MAJOR', status: 'Dismissed' });

it.each<[base: readonly Issue[], issues: readonly Issue[], standings: string]>([
  [[OPEN], [OPEN], 'known'],
  [[DISMISSED], [OPEN], 'active'],
  [[DISMISSED, OPEN], [DISMISSED, OPEN], 'ignored known'],
  [[DISMISSED, MAJOR], [MAJOR, CLOSED], 'known ignored'],
  [[OPEN], [OPEN, OPEN], 'known active'],
  [[OPEN], [DISMISSED, OPEN], 'ignored active'],
  [[OPEN], [OPEN, DISMISSED], 'active ignored'],
  [[OPEN, MAJOR], [OPEN, CLOSED], 'known ignored'],
])('statuses of the base branch: %#', (base, issues, standings) => {
  const rules: Rules = { ...RULES, ...NEW, baseline: baseline({ 'a.png': base }) };
  const numbered = issues.map((each, id) => ({ ...each, id: `${id}` }));
  expect(judged(numbered, rules).map(({ standing }) => standing)).toEqual(standings.split(' '));
});

it('the worst issue comes first, and a waived issue names the owner of its waiver', () => {
  const issues = [issue({ severity: 'INFO' }), issue({ severity: 'MAJOR' })];
  const all = judged(issues, { ...RULES, waivers: waivers('*.png') });
  expect(all.map(({ severity }) => severity)).toEqual(['MAJOR', 'INFO']);
  expect(all[0]?.waiver).toEqual({ owner: 'legal', reason: 'agreed', expires: '2999-01-01' });
});

const OTHER_RULE = { ...OPEN, ruleCode: 'renamed' };

// biome-ignore format: a table
it.each<[string, base: Baseline[number]['issues'], now: readonly Issue[], Partial<Rules>, string]>([
  ['the same id', [OPEN], [OPEN], {}, 'known'],
  ['the same id, under another rule', [OPEN], [OTHER_RULE], {}, 'known'],
  ['the same id, more severe', [MAJOR], [{ ...OPEN, id: MAJOR.id }], {}, 'active'],
  ['the same id, dismissed then', [DISMISSED], [OPEN], {}, 'active'],
  ['the same id, dismissed now', [OPEN], [DISMISSED], {}, 'ignored'],
  ['another id of the same rule, beside the same id', [OPEN], [OPEN, { ...OPEN, id: 'x' }], {}, 'known active'],
])('in the same analysis at another path: %s', (_, base, now, rules, standings) => {
  const before = baseline({ 'moved.png': base }, 'now');
  const all = judged(now, { ...RULES, ...NEW, ...rules, baseline: before });
  expect(all.map(({ standing }) => standing).join(' ')).toBe(standings);
});

it('the same id in another asset of the submission is another issue', () => {
  const [file] = baseline({ 'moved.png': [OPEN] }, 'now');
  const files = file ? [{ ...file, assetId: 'other' }] : [];
  expect(judged([OPEN], { ...RULES, ...NEW, baseline: files })).toMatchObject([{ standing: 'active' }]);
});

it('what a file that has moved still has makes no issue known at its old path', () => {
  const moved = { submissionId: 'before', assetId: 'asset', issues: [OPEN] };
  const rules = { ...RULES, ...NEW, baseline: baseline({ 'a.png': [OPEN] }) };
  expect(judged([OPEN], rules, PLACE, [moved])).toMatchObject([{ standing: 'active' }]);
});

/** Parses issues: `A:MAJOR :MINOR` is one of the rule A and one without a rule code. */
function issuesOf(text: string): readonly Issue[] {
  return text.split(' ').flatMap((each, index) => {
    const [ruleCode = '', name] = each.split(':');
    const severity = SEVERITIES.find((known) => known === name);
    return severity ? [issue({ id: `${index}`, ruleCode, severity })] : [];
  });
}

it.each<{ title: string; current: string; earlier: string; added?: string }>([
  { title: 'the same', current: 'A:MAJOR', earlier: 'A:MAJOR' },
  { title: 'another rule', current: 'A:MAJOR', earlier: 'B:MAJOR', added: 'A:MAJOR' },
  { title: 'one more', current: 'A:MAJOR A:MAJOR', earlier: 'A:MAJOR', added: 'A:MAJOR' },
  { title: 'one less', current: 'A:MAJOR', earlier: 'A:MAJOR A:MAJOR' },
  { title: 'more severe', current: 'A:CRITICAL', earlier: 'A:MAJOR', added: 'A:CRITICAL' },
  { title: 'less severe', current: 'A:MINOR', earlier: 'A:MAJOR' },
  { title: 'a mild one matches no severe one', current: 'A:MINOR A:CRITICAL', earlier: 'A:CRITICAL A:MINOR' },
  { title: 'the worse one is new', current: 'A:MINOR A:CRITICAL', earlier: 'A:MINOR', added: 'A:CRITICAL' },
  { title: 'the milder one is new', current: 'A:MINOR A:CRITICAL', earlier: 'A:CRITICAL', added: 'A:MINOR' },
  { title: 'no rule code', current: ':MAJOR', earlier: ':MAJOR', added: ':MAJOR' },
])('comparing issues of a changed file: $title', ({ current, earlier, added = '' }) => {
  const all = judged(issuesOf(current), { ...RULES, baseline: baseline({ 'a.png': issuesOf(earlier) }) });
  const texts = all.filter(({ isNew }) => isNew).map(({ ruleCode, severity }) => `${ruleCode}:${severity}`);
  expect(texts.join(' ')).toBe(added);
});
