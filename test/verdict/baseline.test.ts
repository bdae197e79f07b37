import { expect, it } from 'vitest';
import { type Issue, SEVERITIES } from '../../src/service/issue.ts';
import type { StateDocument } from '../../src/state/document.ts';
import { baselineIn, compare, missingBaselineNotice } from '../../src/verdict/baseline.ts';
import { issue } from '../builders/analyses.ts';
import { sha } from '../builders/media.ts';
import { analysed, document, pathRecord } from '../builders/states.ts';

const ISSUE = issue();
const A_PATH = pathRecord('a.png', 'A');
const STATE = document({
  contents: ['A', 'B', 'C'].map((seed) => analysed(seed, { issues: [ISSUE] })),
  paths: [A_PATH, pathRecord('deleted.png', 'B', { isPresent: false })],
});
const TWICE = [...STATE.contents, analysed('A', { submissionId: 'submission-2', sidekicks: 'others', issues: [] })];
const TWO_FILES = { paths: [A_PATH, pathRecord('b', 'B')] };
const UNANALYSED = { paths: [A_PATH, pathRecord('b', 'X')] };

it.each<{ title: string; path: string; seed: string; expected?: string; changes?: Partial<StateDocument> }>([
  { title: 'the path, with other bytes', path: 'a.png', seed: 'other', expected: 'A' },
  { title: 'the path first', path: 'a.png', seed: 'B', expected: 'A', changes: TWO_FILES },
  { title: 'the content at another path', path: 'renamed.png', seed: 'A', expected: 'A' },
  { title: 'the content, if its path was not analysed', path: 'b', seed: 'A', expected: 'A', changes: UNANALYSED },
  { title: 'its own analysis, of two', path: 'a.png', seed: 'A', expected: 'A', changes: { contents: TWICE } },
  { title: 'nothing new', path: 'new.png', seed: 'other' },
  { title: 'no path that was deleted from it', path: 'deleted.png', seed: 'B' },
  { title: 'no content that was deleted from it', path: 'again.png', seed: 'B' },
  { title: 'nothing that only another branch had', path: 'c.png', seed: 'C' },
])('the baseline has $title', ({ path, seed, expected, changes }) => {
  const file = baselineIn({ ...STATE, ...changes })(path, sha(seed));
  expect(file && { sha256: file.sha256, issues: file.issues }).toEqual(
    expected && { sha256: sha(expected), issues: [ISSUE] },
  );
});

it('the notice about a missing baseline says what to do', () => {
  expect(missingBaselineNotice(undefined)).toMatch(
    /no analysis of a base branch was found\. .* run this gate on `push`/,
  );
});

/** Parses issues: `A:MAJOR :MINOR` is one of the rule A and one without a rule code. */
function issuesOf(text: string): readonly Issue[] {
  return text.split(' ').flatMap((each) => {
    const [ruleCode = '', name] = each.split(':');
    const severity = SEVERITIES.find((severity) => severity === name);
    return severity ? [issue({ ruleCode, severity })] : [];
  });
}

function textOf(issues: Iterable<Issue>): string {
  return [...issues].map(({ ruleCode, severity }) => `${ruleCode}:${severity}`).join(' ');
}

it.each<{ title: string; current: string; earlier: string; added?: string; removed?: string }>([
  { title: 'the same', current: 'A:MAJOR', earlier: 'A:MAJOR' },
  { title: 'another rule', current: 'A:MAJOR', earlier: 'B:MAJOR', added: 'A:MAJOR', removed: 'B:MAJOR' },
  { title: 'one more', current: 'A:MAJOR A:MAJOR', earlier: 'A:MAJOR', added: 'A:MAJOR' },
  { title: 'one less', current: 'A:MAJOR', earlier: 'A:MAJOR A:MAJOR', removed: 'A:MAJOR' },
  { title: 'more severe', current: 'A:CRITICAL', earlier: 'A:MAJOR', added: 'A:CRITICAL', removed: 'A:MAJOR' },
  { title: 'less severe', current: 'A:MINOR', earlier: 'A:MAJOR' },
  { title: 'a mild one matches no severe one', current: 'A:MINOR A:CRITICAL', earlier: 'A:CRITICAL A:MINOR' },
  { title: 'the worse one is new', current: 'A:MINOR A:CRITICAL', earlier: 'A:MINOR', added: 'A:CRITICAL' },
  { title: 'the milder one is new', current: 'A:MINOR A:CRITICAL', earlier: 'A:CRITICAL', added: 'A:MINOR' },
  { title: 'the worse one is removed', current: 'A:MAJOR', earlier: 'A:MAJOR A:CRITICAL', removed: 'A:CRITICAL' },
  { title: 'no rule code', current: ':MAJOR', earlier: ':MAJOR', added: ':MAJOR' },
])('comparing issues: $title', ({ current, earlier, added = '', removed = '' }) => {
  const comparison = compare(issuesOf(current), issuesOf(earlier));
  expect([textOf(comparison.added), textOf(comparison.removed)]).toEqual([added, removed]);
});
