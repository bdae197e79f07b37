import { expect, it } from 'vitest';
import { accountOwner, author, rerun, workflowOwner } from '../../src/causes/cause.ts';
import { describeContent, describeIssue, describeSteps, failureLine } from '../../src/report/phrases.ts';
import type { Report, ReportedIssue } from '../../src/report/report.ts';
import { aContent, anIssue, aReport } from '../builders/reports.ts';

it('a file is described as far as it is known', () => {
  const all = aContent({ source: 'reused', sourceReason: 'unchanged', versionNumber: 3, versionCount: 5 });
  const kind = 'video, 12.3 MB, version 3 of 5';
  expect(describeContent(all, aReport())).toMatchObject({ version: '3 of 5', kind, origin: 'reused: unchanged' });
  const unknown = aContent({ category: undefined, versionNumber: undefined, source: 'not sent', outcome: 'unread' });
  expect(describeContent(unknown, aReport())).toMatchObject({ kind: 'video/mp4, 12.3 MB', result: 'Not judged' });
  expect(describeContent(unknown, aReport({ reason: 'dry-run' })).result).toBe('would be sent: new');
});

// biome-ignore format: a table
it.each<[keyof ReturnType<typeof describeIssue>, string, Partial<ReportedIssue>, Partial<Report>?]>([
  ['effect', 'Stops the check', {}],
  ['effect', 'Counts', { severity: 'MINOR' }],
  ['effect', 'Does not count: known from main', { standing: 'known', isNew: false }, { comparedWith: 'main' }],
  ['effect', 'Does not count: waived', { standing: 'waived' }],
  ['effect', 'Does not count: closed at the service', { standing: 'ignored', isNew: true }],
  ['waiver', '', {}],
  ['waiver', 'legal until 2027-01-01: agreed', { waiver: { owner: 'legal', reason: 'agreed', expires: '2027-01-01' } }],
  ['waiver', 'The waiver of legal expired.', { whyNotWaived: 'The waiver of legal expired.' }],
  ['status', 'awaiting human input', { status: 'AWAITING_HUMAN_INPUT' }],
  ['status', 'none', { status: '' }],
])('the %s of an issue: %s', (part, expected, over, report = {}) => {
  expect(describeIssue(anIssue(over), aReport(report))[part]).toBe(expected);
});

it('the line that fails a step does not say "error" twice', () => {
  expect(failureLine(aReport({ verdict: 'error', headline: 'It is empty.' }))).toBe('It is empty.');
  expect(failureLine(aReport({ verdict: 'fail', headline: '1 CRITICAL issue' }))).toBe('FAIL: 1 CRITICAL issue');
});

it('a step begins with the person who can do it', () => {
  const steps = [author('Look.'), accountOwner('Pay.'), workflowOwner('Set it.'), rerun()];
  expect(describeSteps([...steps, { actor: 'file owner', text: 'Look.' }])).toBe(
    'Author of the change: Look. Owner of the service account: Pay. Owner of the workflow: Set it. ' +
      'Anyone with write access: Re-run this job. Owner of the file: Look.',
  );
});
