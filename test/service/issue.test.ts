import { expect, it } from 'vitest';
import { countVersions } from '../../src/service/extras.ts';
import { joinById, parseIssues, parseTopics, unreadIssues } from '../../src/service/issue.ts';
import { issue } from '../builders/analyses.ts';

const A = { id: 'a', severity: 'CRITICAL', status: 'OPEN', summary: 'A', ruleCode: 'R-1' };
const B = { id: 'b', severity: 'minor', status: 'RESOLVED', summary: 'B', ruleCode: 'R-2' };

it.each([
  ['critical', 'CRITICAL'],
  ['Major', 'MAJOR'],
  ['BLOCKER', 'CRITICAL'],
  [7, 'CRITICAL'],
])('an issue of severity %j counts as %s', (severity, expected) => {
  expect(parseIssues([{ ...A, severity }]).items[0]?.severity).toBe(expected);
});

it('fields in what an issue calls its prototype are not its own', () => {
  const text = '[{"id":"a","severity":"new","__proto__":{"severity":"INFO","status":"DISMISSED"}}]';
  expect(parseIssues(JSON.parse(text)).items).toMatchObject([{ severity: 'CRITICAL', status: '' }]);
});

const precedent = { url: 'u', title: 't', decision: 'd', date: '-' };

it('an issue keeps all that the contract says about it', () => {
  const precedents = [precedent, { ...precedent, url: 'v' }];
  const dates = { createdAt: '2026-11-01', updatedAt: '2026-11-02' };
  const issue = { ...A, referenceNumber: 7, sidekickId: 's', precedents, ...dates };
  expect(parseIssues([issue]).items).toEqual([{ ...issue, reportedSeverity: 'CRITICAL' }]);
});

it('an issue has our names for some fields; unknown ones are dropped, wrong ones tolerated', () => {
  const texts = { severityReasoning: 'Because.', severityReasoningHeadline: 'Why' };
  const precedents = [precedent, { url: 'u', title: 1 }, 'x'];
  const [issue] = parseIssues([
    { id: 'a', severity: '', ...texts, referenceNumber: 'seven', precedents, later: {} },
  ]).items;
  expect(issue).not.toHaveProperty('later');
  expect(issue).toMatchObject({ id: 'a', status: '', headline: 'Why', reasoning: 'Because.', precedents: [precedent] });
  expect(issue?.referenceNumber).toBeUndefined();
});

it('reads at most 10,000 items, and counts them all', () => {
  const list = parseIssues(Array.from({ length: 10_001 }, (_, index) => ({ ...A, id: `${index}` })));
  expect([list.items.length, list.size]).toEqual([10_000, 10_001]);
});

it('joins by id, and prefers the first list', () => {
  const first = parseIssues([{ ...A, summary: 'rich', severity: 'Critical' }]).items;
  const second = parseIssues([A, B]).items;
  expect(joinById(first, second)).toMatchObject([{ summary: 'rich', reportedSeverity: 'Critical' }, { summary: 'B' }]);
});

it.each([
  ['Dismissed', 'DISMISSED', 'Dismissed'],
  ['OPEN', 'DISMISSED', 'UNCLEAR'],
])('if two lists say %s and %s, the status is %s', (one, other, expected) => {
  const [first = [], second = []] = [one, other].map((status) => parseIssues([{ ...A, status }]).items);
  expect(joinById(first, second).map(({ status }) => status)).toEqual([expected]);
});

it('if two lists disagree about the severity, the worse counts, as the service wrote it', () => {
  const lists = ['MINOR', 'Blocker'].map((severity) => parseIssues([{ ...A, severity }]).items);
  for (const [first = [], second = []] of [lists, lists.toReversed()])
    expect(joinById(first, second)).toMatchObject([{ severity: 'CRITICAL', reportedSeverity: 'Blocker' }]);
});

// biome-ignore format: a table
it.each<[string, unknown, unknown[]]>([
  ['issues in a topic', { topics: [{ title: 'T', issues: [A, B] }], orphanIssues: [A] },
    [{ title: 'T', issueIds: ['a', 'b'] }]],
  ['ids in a topic', [{ name: 'T', issueIds: ['a'] }], [{ title: 'T', issueIds: ['a'] }]],
  ['a title and a name', [{ title: 'T', name: 'x', issues: ['a'], labels: ['c'] }], [{ title: 'T', issueIds: ['a'] }]],
  ['nested', { data: { clusters: [{ title: 'T', members: [{ issue: A }] }, { title: 'U', issues: [B] }] } },
    [{ title: 'T', issueIds: ['a'] }, { title: 'U', issueIds: ['b'] }]],
  ['a topic of nothing', [{ name: 'T' }, { title: 'T', issues: ['unknown'] }, { issues: [A] }, 'x', null], []],
  ['none', undefined, []],
])('topics: %s', (_, response, expected) => {
  expect(parseTopics(response, parseIssues([A, B]).items)).toEqual(expected);
});

const OF_RULE = (id: string, severity: 'CRITICAL' | 'MINOR' = 'CRITICAL', ruleCode = 'R-1') =>
  issue({ id, severity, ruleCode });

// biome-ignore format: a table
it.each<[string, read: ReturnType<typeof issue>[], earlier: ReturnType<typeof issue>[], string]>([
  ['nothing was read',                    [],                                   [OF_RULE('a')],               'a'],
  ['it was read',                         [OF_RULE('A', 'MINOR')],              [OF_RULE('A')],               ''],
  ['it was read under another id',        [OF_RULE('x')],                       [OF_RULE('a')],               ''],
  ['a milder one of its rule was read',   [OF_RULE('x', 'MINOR')],              [OF_RULE('a')],               'a'],
  ['one of another rule was read',        [OF_RULE('x', 'CRITICAL', 'R-2')],    [OF_RULE('a')],               'a'],
  ['one of two of its rule was read',     [OF_RULE('x')],                       [OF_RULE('a'), OF_RULE('b')], 'b'],
  ['the other of its rule was read',      [OF_RULE('a')],                       [OF_RULE('a'), OF_RULE('b')], 'b'],
  ['neither has a rule',                  [OF_RULE('x', 'CRITICAL', '')],       [OF_RULE('a', 'MINOR', '')],  'a'],
  ['both of its rule were read', [OF_RULE('x'), OF_RULE('y', 'MINOR')], [OF_RULE('a', 'MINOR'), OF_RULE('b')], ''],
])('an earlier issue is last known: %s', (_, read, earlier, expected) => {
  expect(unreadIssues(earlier, read).map(({ id }) => id).join(' ')).toBe(expected);
});

it('the issues of a topic have the ids under which they were last read', () => {
  const [lower, upper] = ['0000000a-000b-000c-000d-00000000000e', '0000000A-000B-000C-000D-00000000000E'];
  const topics = [{ title: 'T', issueIds: [upper] }];
  const read = parseIssues([{ ...A, id: lower }]).items;
  expect(parseTopics(topics, read)).toEqual([{ title: 'T', issueIds: [lower] }]);
});

const [OURS, OTHER] = [{ versionGroupId: 'ours' }, { versionGroupId: 'other' }];

it.each<[unknown, number | undefined]>([
  [[OURS, OTHER, OURS], 2],
  [{ versions: [OURS, OURS, OURS] }, 3],
  [{ data: { items: [{ version: OURS }, { version: OURS }] } }, 2],
  [[OURS], undefined],
  [[OTHER, OTHER], undefined],
  [[{ versionNumber: 1 }, { versionNumber: 2 }], undefined],
  [{ total: 3 }, undefined],
])('%j has %j versions of an asset whose second version this is', (response, expected) => {
  expect(countVersions(response, { versionGroupId: 'ours', versionNumber: 2 })).toBe(expected);
});
