import { expect, it } from 'vitest';
import { describeIssue } from '../../src/report/phrases.ts';
import type { Report, ReportedIssue } from '../../src/report/report.ts';
import { anIssue, aReport } from '../builders/reports.ts';

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
