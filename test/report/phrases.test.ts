import { expect, it } from 'vitest';
import {
  consequence,
  cost,
  describeFile,
  effectOf,
  failureLine,
  provenance,
  receipt,
} from '../../src/report/phrases.ts';
import type { Report, ReportedIssue } from '../../src/report/report.ts';
import { aCause, anAsset, anIssue, aReport } from './fixtures.ts';

const copied = anAsset({ paths: ['a', 'copy of a'] });
const failed = anAsset({ outcome: 'failed' });
const reused = anAsset({ source: 'reused', sourceReason: 'unchanged', analysedAt: '2026-11-01T10:00:00Z' });
const unsent = anAsset({ source: 'not-sent', outcome: 'unjudged' });
const doubled = { id: 'S', status: 'complete', workflowId: undefined, mayExistTwice: true };
const unconfirmed = aCause({ reason: 'service', submission: 'unconfirmed' });

// biome-ignore format: a table
it.each<[string, Partial<Report>]>([
  ['2 analysed, 0 reused, 0 paid twice', { assets: [copied, anAsset()] }],
  ['1 analysed, 1 reused, 1 paid twice', { assets: [anAsset({ isPaidAgain: true }), reused] }],
  ['0 analysed, 1 reused, 0 paid twice', { assets: [reused, unsent] }],
  ['2 sent, 1 analysed, 0 reused, 0 paid twice', { assets: [anAsset(), failed] }],
  ['1 sent to the sandbox, 0 reused, 0 paid twice', { assets: [anAsset()], mode: 'sandbox' }],
  ['nothing was analysed or billed', { assets: [unsent] }],
  ['1 analysed, 0 reused, 0 paid twice, two submissions may exist', { assets: [anAsset()], submission: doubled }],
  ['unknown: a submission may exist and be billed', { assets: [unsent], causes: [unconfirmed] }],
])('a run costs: %s', (expected, over) => {
  const report = aReport({ ...over, verdict: 'pass' });
  expect(cost(report)).toBe(expected);
  expect(receipt(report)).toBe(`${expected}, verdict pass`);
});

it('a file is described as far as it is known', () => {
  const facts = { versionNumber: 3, versionCount: 5, fixed: [anIssue()] };
  expect(describeFile(anAsset(facts))).toBe('video, 12.3 MB, version 3 of 5, 1 issue fixed since the version before');
  expect(describeFile(anAsset({ category: undefined, versionNumber: undefined, fixed: [] }))).toBe(
    'video/mp4, 12.3 MB',
  );
  expect([reused, copied, unsent].map(provenance)).toEqual([
    'reused: unchanged since 2026-11-01',
    'sent: new',
    'not analysed',
  ]);
});

// biome-ignore format: a table
it.each<[string, Partial<ReportedIssue>]>([
  ['Stops the check', {}],
  ['Stops the check; not on the base branch', { isNew: true }],
  ['Does not stop the check; also on the base branch', { severity: 'MINOR', isNew: false }],
  ['Not counted; also on the base branch', { standing: 'known', isNew: false }],
  ['Waived, not counted', { standing: 'waived' }],
  ['Closed at the service, not counted', { standing: 'ignored' }],
])('an issue: %s', (expected, over) => {
  expect(effectOf(anIssue(over))).toBe(expected);
});

it('the line that fails a step does not say "error" twice', () => {
  expect(failureLine(aReport({ verdict: 'error', headline: 'It is empty.' }))).toBe('It is empty.');
  expect(failureLine(aReport({ verdict: 'fail', headline: '1 CRITICAL issue' }))).toBe('FAIL: 1 CRITICAL issue');
});

// biome-ignore format: a table
it.each<[string, Partial<Report>]>([
  ['No file was judged. If this check is required, the change cannot be merged.', { verdict: 'error' }],
  ['If this check is required, the change cannot be merged. This gate fails on any issue that is CRITICAL.', { verdict: 'fail', assets: [copied] }],
  ['No file was judged. The check passes only because `on-service-error: warn` allows an outage. These files were not cleared.', { verdict: 'error', isPassing: true }],
  ['The check passes, but nothing was checked. This is not a clearance.', { verdict: 'skipped', assets: [copied] }],
  ['The check passes because a sandbox analyses nothing. This is not a clearance.', { mode: 'sandbox', assets: [copied] }],
  ['Nothing has to be done. This gate only reports: no issue fails the check.', { assets: [copied], policy: { failOnSeverity: 'never', failOnIssues: 'all', ignoreStatuses: [] } }],
  ['Nothing has to be done. This gate fails on any new issue that is MINOR or worse.', { assets: [copied], policy: { failOnSeverity: 'MINOR', failOnIssues: 'new', ignoreStatuses: [] } }],
])('a verdict means: %s', (expected, over) => {
  expect(consequence(aReport(over))).toBe(expected);
});
