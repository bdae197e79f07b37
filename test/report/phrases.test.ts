import { expect, it } from 'vitest';
import { accountOwner, author, rerun, workflowOwner } from '../../src/causes/cause.ts';
import {
  describeContent,
  describeIssue,
  describeNew,
  describeSteps,
  failureLine,
  waiversToCopy,
} from '../../src/report/phrases.ts';
import type { Report, ReportedContent, ReportedIssue } from '../../src/report/report.ts';
import { renderSummary } from '../../src/report/summary.ts';
import { aContent, anIssue, aReport, WITH_BASE, WITH_BRANCH } from '../builders/reports.ts';

const copied = aContent({ paths: ['a', 'copy of a'] });
const reused = aContent({ source: 'reused', sourceReason: 'unchanged', analysedAt: '2026-11-01T10:00:00Z' });
const unsent = aContent({ source: 'not-sent', outcome: 'unjudged' });

const kindOf = (over: Partial<ReportedContent>): string => describeContent(aContent(over), aReport()).kind;

it('a file is described as far as it is known', () => {
  expect(kindOf({ versionNumber: 3, versionCount: 5 })).toBe('video, 12.3 MB, version 3 of 5');
  expect(kindOf({ category: undefined, versionNumber: undefined })).toBe('video/mp4, 12.3 MB');
  const awaited = aContent({ source: 'awaited', sourceReason: 'sent 2026-11-14' });
  expect([reused, copied, unsent, awaited].map((file) => describeContent(file, aReport()).origin)).toEqual([
    'reused: unchanged since 2026-11-01',
    'sent: new',
    'not sent: new',
    'sent by an earlier run: sent 2026-11-14',
  ]);
});

// biome-ignore format: a table
it.each<[string, Partial<ReportedIssue>, Partial<Report>?]>([
  ['Stops the check', {}],
  ['Stops the check; not on the base branch', { isNew: true }, { comparison: WITH_BASE }],
  ['Does not stop the check; also on the base branch', { severity: 'MINOR', isNew: false }, { comparison: WITH_BASE }],
  ['Stops the check; new since 2026-11-11', { isNew: true }, { comparison: WITH_BRANCH }],
  ['Does not stop the check; known since 2026-11-11', { severity: 'MINOR', isNew: false }, { comparison: WITH_BRANCH }],
  ['Not counted: known from the base branch', { standing: 'known', isNew: false }, { comparison: WITH_BASE }],
  ['Not counted: known from an earlier run', { standing: 'known', isNew: false }, { comparison: WITH_BRANCH }],
  ['Not counted: waived', { standing: 'waived' }],
  ['Not counted: closed at the service', { standing: 'ignored', isNew: true }],
])('an issue: %s', (expected, over, report = {}) => {
  expect(describeIssue(anIssue(over), aReport(report)).effect).toBe(expected);
});

// biome-ignore format: a table
it.each<[string, Report['comparison'], number, text: string]>([
  ['base branch', WITH_BASE, 1, '1 that `main` does not have'],
  ['base branch', WITH_BASE, 0, 'none that `main` does not have'],
  ['own branch', WITH_BRANCH, 2, '2 new since 2026-11-11'],
  ['own branch', WITH_BRANCH, 0, 'none new since 2026-11-11'],
  ['nothing', undefined, 2, ''],
])('compared with its %s, the first lines count what is new: %#', (_, comparison, added, text) => {
  const issues = Array.from({ length: 3 }, (__, index) => anIssue({ isNew: comparison && index < added }));
  const report = aReport({ comparison, contents: [aContent({ issues })] });
  expect(describeNew(report)).toBe(text);
  expect(renderSummary(report).split('<b>new</b>')).toHaveLength(1 + (comparison ? added : 0));
});

it('without issues, nothing is said about what is new', () => {
  expect(describeNew(aReport({ comparison: WITH_BRANCH, contents: [aContent()] }))).toBe('');
});

it.each<[string, Partial<ReportedIssue>]>([
  ['', {}],
  ['legal until 2027-01-01: agreed', { waiver: { owner: 'legal', reason: 'agreed', expires: '2027-01-01' } }],
  ['not applied. The waiver of legal expired.', { whyNotWaived: 'The waiver of legal expired.' }],
])('what is said about waivers of an issue: %s', (expected, over) => {
  expect(describeIssue(anIssue(over), aReport()).waiver).toBe(expected);
});

it.each([
  ['AWAITING_HUMAN_INPUT', 'waiting for a person at the service'],
  ['ESCALATED', 'ESCALATED'],
  ['', 'none'],
])('the status %s is: %s', (status, expected) => {
  expect(describeIssue(anIssue({ status }), aReport()).status).toBe(expected);
});

it('waivers to copy are one for each rule and path', () => {
  const [a, b] = [aContent({ paths: ['a', 'copy of a'] }), aContent({ paths: ['b'] })];
  const listed = [a, a, b].map((content, index) => ({ content, issue: anIssue({ ruleCode: `R${index % 2}` }) }));
  const twice = [...listed, ...listed];
  const entries = waiversToCopy(twice).match(/(?<=rule: |path: ).*/g);
  expect(entries?.join()).toBe('"R0","a","R0","copy of a","R1","a","R1","copy of a","R0","b"');
});

it('the line that fails a step does not say "error" twice', () => {
  expect(failureLine(aReport({ verdict: 'error', headline: 'It is empty.' }))).toBe('It is empty.');
  expect(failureLine(aReport({ verdict: 'fail', headline: '1 CRITICAL issue' }))).toBe('FAIL: 1 CRITICAL issue');
});

it('a step begins with the person who can do it', () => {
  const steps = [author('Look.'), accountOwner('Pay.'), workflowOwner('Set it.'), rerun()];
  const owner = { actor: 'file owner', text: 'Look.' } as const;
  expect(describeSteps([...steps, owner])).toBe(
    'Author of the change: Look. Owner of the service account: Pay. Owner of the workflow: Set it. ' +
      'Anyone with write access: Re-run this job. Owner of the file: Look.',
  );
});
