import { expect, it } from 'vitest';
import { joinById, parseIssues, parseTopics } from '../../src/service/issue.ts';

const A = { id: 'a', severity: 'CRITICAL', status: 'OPEN', summary: 'A', ruleCode: 'R-1' };
const B = { id: 'b', severity: 'minor', status: 'RESOLVED', summary: 'B', ruleCode: 'R-2' };

it.each([
  ['critical', 'CRITICAL'],
  ['Major', 'MAJOR'],
  ['BLOCKER', 'CRITICAL'],
  [7, 'CRITICAL'],
])('an issue of severity %j counts as %s', (severity, expected) => {
  expect(parseIssues([{ ...A, severity }])[0]?.severity).toBe(expected);
});

it('fields in what an issue calls its prototype are not its own', () => {
  const text = '[{"id":"a","severity":"new","__proto__":{"severity":"INFO","status":"DISMISSED"}}]';
  expect(parseIssues(JSON.parse(text))).toMatchObject([{ severity: 'CRITICAL', status: '' }]);
});

const precedent = { url: 'u', title: 't', decision: 'd', date: '-' };

it('an issue has our names for some fields; unknown ones are dropped, wrong ones tolerated', () => {
  const texts = { severityReasoning: 'Because.', severityReasoningHeadline: 'Why' };
  const given = { ...A, ...texts, referenceNumber: 'seven', sidekickId: 's', precedents: [precedent], later: {} };
  const { severityReasoning: reasoning, severityReasoningHeadline: headline } = texts;
  const kept = { ...A, sidekickId: 's', reasoning, headline, precedents: [precedent] };
  expect(parseIssues([given, { id: 'b', severity: 7, precedents: 'x' }])).toEqual([
    kept,
    expect.objectContaining({ id: 'b', status: '', precedents: [] }),
  ]);
});

const uuid = (id: string): string => `${id}0000000-0000-4000-8000-000000000000`;
const ITEMS = ['a', 'b'].map((id) => ({ id: uuid(id), severity: 'MINOR', referenceNumber: 7 }));

it.each<[string, unknown, number]>([
  ['an array', ITEMS, 2],
  ['an object that holds one', { total: 2, findings: ITEMS }, 2],
  ['an object that holds two', { open: ITEMS.slice(0, 1), closed: ITEMS.slice(1) }, 2],
  [
    'a list with entries that are no issue',
    [...ITEMS, null, { id: 'total', count: 2 }, { id: '$(a)', severity: 'MINOR' }],
    2,
  ],
  ['a list without ids, or not', ITEMS.map(({ severity }) => ({ severity })), 0],
  ['a nested list, or not', { data: { page: { issues: ITEMS } } }, 0],
  ['a text, or not', '2 issues', 0],
  ['nothing, or not', null, 0],
])('issues are found in %s', (_, list, number) => {
  expect(parseIssues(list)).toHaveLength(number);
  expect(parseTopics(list, [])).toEqual([]);
});

it('joins by id, and prefers the first list, except for a worse severity', () => {
  const first = parseIssues([{ ...A, summary: 'rich', severity: 'Critical' }]);
  const second = parseIssues([A, B]);
  expect(joinById(first, second)).toMatchObject([{ summary: 'rich' }, { summary: 'B' }]);
  const lists = ['MINOR', 'Blocker'].map((severity) => parseIssues([{ ...A, severity }]));
  for (const [one = [], other = []] of [lists, lists.toReversed()])
    expect(joinById(one, other)).toMatchObject([{ severity: 'CRITICAL' }]);
});

it.each([
  ['Dismissed', 'DISMISSED', 'Dismissed'],
  ['OPEN', 'DISMISSED', 'OPEN'],
  ['RESOLVED', 'acknowledged', 'acknowledged'],
  ['OPEN', 'PAUSED', 'PAUSED'],
])('if two lists say %s and %s, the status is %s', (one, other, expected) => {
  const [first = [], second = []] = [one, other].map((status) => parseIssues([{ ...A, status }]));
  expect(joinById(first, second).map(({ status }) => status)).toEqual([expected]);
});

// biome-ignore format: a table
it.each<[string, unknown, unknown[]]>([
  ['issues in a topic', { topics: [{ title: 'T', issues: [A, B] }], orphanIssues: [A] },
    [{ title: 'T', issueIds: ['a', 'b'] }]],
  ['ids in a topic', { topics: [{ title: 'T', issueIds: ['a'] }] }, [{ title: 'T', issueIds: ['a'] }]],
  ['in a deeper list', { topics: { items: [{ title: 'T', members: [{ issue: A }] }] } },
    [{ title: 'T', issueIds: ['a'] }]],
  ['an issue that stands alone is none', { topics: [], orphanIssues: [{ title: 'Alone', ...A }] }, []],
  ['a topic of nothing', { topics: [{ name: 'T', issues: ['a'] }, { title: 'T', issues: ['unknown'] }, { issues: [A] }, 'x', null] },
    []],
  ['none', undefined, []],
])('topics: %s', (_, response, expected) => {
  expect(parseTopics(response, parseIssues([A, B]))).toEqual(expected);
});
