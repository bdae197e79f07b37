import { expect, it } from 'vitest';
import { accountOwner, author, rerun, workflowOwner } from '../../src/causes/cause.ts';
import { describeContent, describeIssue, describeSteps, failureLine, waiversToCopy } from '../../src/report/phrases.ts';
import type { Report, ReportedContent, ReportedIssue } from '../../src/report/report.ts';
import { aContent, anIssue, aReport, WITH_BASE, WITH_BRANCH } from '../builders/reports.ts';

const copied = aContent({ paths: ['a', 'copy of a'] });
const reused = aContent({ source: 'reused', sourceReason: 'unchanged', analysedAt: '2026-11-01T10:00:00Z' });
const unsent = aContent({ source: 'not-sent', outcome: 'unclear' });

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
  ['Does not stop the check', { severity: 'MINOR' }],
  ['Not counted: known from main', { standing: 'known', isNew: false }, { comparison: WITH_BASE }],
  ['Not counted: known since 2026-11-11', { standing: 'known', isNew: false }, { comparison: WITH_BRANCH }],
  ['Not counted: waived', { standing: 'waived' }],
  ['Not counted: closed at the service', { standing: 'ignored', isNew: true }],
])('an issue: %s', (expected, over, report = {}) => {
  expect(describeIssue(anIssue(over), aReport(report)).effect).toBe(expected);
});

it.each<[string, Partial<ReportedIssue>]>([
  ['', {}],
  ['legal until 2027-01-01: agreed', { waiver: { owner: 'legal', reason: 'agreed', expires: '2027-01-01' } }],
  ['The waiver of legal expired.', { whyNotWaived: 'The waiver of legal expired.' }],
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
