import { describe, expect, it } from 'vitest';
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
  return new Waivers([waiver(path)], new Date('2026-11-15'));
}

/** What the base has at each path; its bytes differ unless the test says so. */
function baseline(files: Readonly<Record<string, readonly Issue[]>>, sha256 = 'b'): IssueRules['baseline'] {
  const found = new Map(Object.entries(files).map(([path, issues]) => [path, { sha256, issues }]));
  return { fileAt: (path) => found.get(path) };
}

const NEW = { failOnIssues: 'new' } as const;
const BASE = baseline({ 'a.png': [issue()] });

describe('judge', () => {
  // biome-ignore format: a table
  it.each<[string, Partial<Issue>, Partial<IssueRules>, string, boolean]>([
    ['an open issue at the threshold',        {},                         {},                                                               'active',  true],
    ['below the threshold',                   { severity: 'MAJOR' },      {},                                                               'active',  false],
    ['above the threshold',                   {},                         { failOnSeverity: 'INFO' },                                       'active',  true],
    ['never',                                 {},                         { failOnSeverity: 'never' },                                      'active',  false],
    ['dismissed, in any case',                { status: 'Dismissed' },    {},                                                               'ignored', false],
    ['an unknown status',                     { status: 'SNOOZED' },      {},                                                               'active',  true],
    ['acknowledged is not dismissed',         { status: 'ACKNOWLEDGED' }, {},                                                               'active',  true],
    ['dismissed if that is not ignored',      { status: 'DISMISSED' },    { ignoreStatuses: [] },                                           'active',  true],
    ['waived',                                {},                         { waivers: waivers('*.png') },                                    'waived',  false],
    ['waived elsewhere',                      {},                         { waivers: waivers('b.png') },                                    'active',  true],
    ['known to the base',                     {},                         { ...NEW, baseline: BASE },                                       'known',   false],
    ['known to the base, if all count',       {},                         { baseline: BASE },                                               'active',  true],
    ['new to the base',                       {},                         { ...NEW, baseline: baseline({}) },                               'active',  true],
    ['worse than in the base',                {},                         { ...NEW, baseline: baseline({ 'a.png': [issue({ severity: 'MAJOR' })] }) }, 'active', true],
    ['new, without anything to compare with', {},                         NEW,                                                              'active',  true],
  ])('%s', (_, change, rules, standing, failsGate) => {
    expect(judgeIssues([issue(change)], PLACE, { ...RULES, ...rules })).toMatchObject([{ standing, failsGate }]);
  });

  it('shows what is new also if all count, and nothing if nothing was compared', () => {
    const compared = { ...RULES, baseline: BASE };
    const issues = [issue({ id: '1' }), issue({ id: '2', ruleCode: 'AD-18' })];
    expect(judgeIssues(issues, PLACE, compared).map(({ isNew }) => isNew)).toEqual([false, true]);
    expect(judgeIssues(issues, PLACE, RULES).map(({ isNew }) => isNew)).toEqual([undefined, undefined]);
  });

  // biome-ignore format: a table
  it.each<[string, Partial<IssueRules>, string]>([
    ['known at the first one',                     { ...NEW, baseline: BASE },                                                     'active'],
    ['known at the last one',                      { ...NEW, baseline: baseline({ 'copy.png': [issue()] }) },                      'active'],
    ['known at the last one, with the same bytes', { ...NEW, baseline: baseline({ 'copy.png': [issue()] }, 'a') },                 'active'],
    ['known at both',                              { ...NEW, baseline: baseline({ 'a.png': [issue()], 'copy.png': [issue()] }) },  'known'],
    ['waived at one',                              { waivers: waivers('a.png') },                                                  'active'],
    ['waived at both',                             { waivers: waivers('*.png') },                                                  'waived'],
  ])('of two paths: %s', (_, rules, standing) => {
    const place = { sha256: 'a', paths: ['a.png', 'copy.png'] };
    expect(judgeIssues([issue()], place, { ...RULES, ...rules })).toMatchObject([{ standing }]);
  });

  const [OPEN, DISMISSED] = [issue(), issue({ status: 'Dismissed' })];
  // biome-ignore format: a table
  it.each<[string, string, readonly Issue[], readonly Issue[], readonly string[]]>([
    ['changed bytes: an open one of the base makes it known',  'b', [OPEN],            [OPEN],            ['known']],
    ['changed bytes: a dismissed one does not',                'b', [DISMISSED],       [OPEN],            ['active']],
    ['changed bytes: a dismissed one here takes no open one',  'b', [DISMISSED, OPEN], [DISMISSED, OPEN], ['ignored', 'known']],
    ['changed bytes: one more of a kind is new',               'b', [OPEN],            [OPEN, OPEN],      ['known', 'active']],
    ['the same bytes: one that was re-opened is known',        'a', [DISMISSED],       [OPEN],            ['known']],
    ['the same bytes: if there is one more, the open one is new', 'a', [DISMISSED],    [OPEN, DISMISSED], ['active', 'ignored']],
  ])('%s', (_, sha256, base, issues, standings) => {
    const rules: IssueRules = { ...RULES, ...NEW, baseline: baseline({ 'a.png': base }, sha256) };
    const judged = judgeIssues(issues.map((each, id) => ({ ...each, id: `${id}` })), PLACE, rules);
    expect(judged.map(({ standing }) => standing)).toEqual(standings);
  });

  it.each<[readonly Issue[], boolean]>([
    [[OPEN], false],
    [[DISMISSED], false],
    [[], true],
  ])('an ignored issue is not new if the base has it in any status: %#', (base, isNew) => {
    const rules = { ...RULES, baseline: baseline({ 'a.png': base }) };
    expect(judgeIssues([DISMISSED], PLACE, rules)).toMatchObject([{ isNew }]);
  });

  it('puts the worst first and names the owner of each waiver', () => {
    const issues = [issue({ severity: 'INFO' }), issue({ severity: 'MAJOR' })];
    const judged = judgeIssues(issues, PLACE, { ...RULES, waivers: waivers('*.png') });
    expect(judged.map(({ severity }) => severity)).toEqual(['MAJOR', 'INFO']);
    expect(judged[0]?.waiver).toEqual({ owner: 'legal', reason: 'agreed', expires: '2999-01-01' });
  });
});
