import { expect, it } from 'vitest';
import { describeIssue } from '../../src/report/phrases.ts';
import type { Report, ReportedIssue } from '../../src/report/report.ts';
import { aCause, aContent, anIssue, aReport } from '../builders/reports.ts';

// Whole sentences of usual runs are in `summaries/`. Here are the parts that few runs have.

const bad = aContent({ paths: ['bad.mp4'], issues: [anIssue()] });
const untouched = { ...bad, isChanged: false };
const remembered = { ...bad, isLastKnown: true, analysedAt: '2026-11-01T10:00:00Z' };
const cause = aCause({ path: 'a.mp4' });
const wrong = aCause({ reason: 'bad-input', message: 'One is wrong.' });
const failed = ['a.mp4', 'b.mp4'].map((path) => aContent({ paths: [path], outcome: 'failed' }));

function one(over: Parameters<typeof anIssue>[0]): Partial<Report> {
  return { contents: [aContent({ paths: ['bad.mp4'], issues: [anIssue(over)] })] };
}

// biome-ignore format: a table
it.each<[string, Report['verdict'], Partial<Report>]>([
  ['bad.mp4: Two lines', 'fail', one({ headline: ' Two\nlines. ' })],
  ['bad.mp4: CRITICAL AD-1', 'fail', one({ headline: '', summary: '', ruleCode: 'AD-1' })],
  ['bad.mp4 and 1 more: Unproven health claim', 'fail', { contents: [{ ...bad, paths: ['bad.mp4', 'copy.mp4'] }] }],
  ['bad.mp4: Unproven health claim (sandbox: nothing was analysed)', 'fail', { contents: [bad], mode: 'sandbox' }],
  ['bad.mp4: Unproven health claim; 1 file judged by last known issues, from 2026-11-01', 'fail', { contents: [remembered] }],
  ['2 CRITICAL issues in 2 of 2 files', 'fail', { contents: [bad, { ...bad, isChanged: true }] }],
  ['2 CRITICAL issues in 2 of 2 files, none of them changed by this pull request', 'fail', { contents: [untouched, { ...untouched }] }],
  ['a.mp4: It cannot be read. (sandbox: nothing was analysed)', 'error', { causes: [cause], mode: 'sandbox' }],
  ['2 problems, the first: a.mp4 (not changed by this pull request): It cannot be read.', 'error', { causes: [{ ...cause, isChanged: false }, wrong] }],
  ['2 of 3 files: a.mp4: It cannot be read.', 'error', { isPassing: true, causes: [cause], contents: [...failed, aContent()] }],
  ['One is wrong. · legal', 'error', { causes: [wrong], gate: 'legal' }],
  // No renderer cuts off the name of the gate.
  [`${'x'.repeat(299)}… · legal`, 'error', { causes: [{ ...wrong, message: 'x'.repeat(301) }], gate: 'legal' }],
  ['1 file checked', 'pass', one({ standing: 'waived' })],
  ['1 file checked, 1 CRITICAL known', 'pass', one({ standing: 'known' })],
  ['1 file checked; 2 files judged by last known issues, from 2026-10-01', 'pass',
    { contents: [aContent(), ...['2026-10-02', '2026-10-01'].map((analysedAt) => aContent({ analysedAt, isLastKnown: true }))] }],
  ['This was a dry run. A real run would stop: a.mp4: It cannot be read.', 'skipped',
    { reason: 'dry-run', causes: [cause, aCause({ reason: 'dry-run' })] }],
])('a headline: %s', (expected, verdict, over) => {
  expect(aReport({ verdict, ...over }).headline).toBe(expected);
});

const reused = aContent({ source: 'reused' });
const unsent = aContent({ source: 'not sent', outcome: 'unclear' });
const doubled = { id: 'S', status: 'complete', mayExistTwice: true };
const unconfirmed = aCause({ reason: 'service', submission: 'unconfirmed' });

// biome-ignore format: a table
it.each<[string, Partial<Report>]>([
  ['2 billed, 0 reused', { contents: [aContent({ paths: ['a', 'copy of a'] }), aContent()] }],
  ['0 billed, 1 awaited, 1 reused', { contents: [aContent({ source: 'awaited' }), reused] }],
  ['1 sent, 0 reused', { contents: [aContent()], mode: 'sandbox' }],
  ['1 billed, 0 reused, two submissions may exist', { contents: [aContent()], submission: doubled }],
  ['unknown: a submission may exist', { contents: [unsent], causes: [aCause(), unconfirmed] }],
])('a run costs: %s', (expected, over) => {
  expect(aReport({ verdict: 'pass', ...over }).cost).toBe(expected);
});

// biome-ignore format: a table
it.each<[string, Partial<Report>]>([
  ['1 billed, 1 awaited, 1 reused', { contents: [unsent, reused, aContent({ source: 'awaited' })] }],
  ['1 sent, 0 reused', { contents: [unsent], mode: 'sandbox' }],
])('in a real run: %s', (expected, over) => {
  const { headline } = aReport({ verdict: 'skipped', reason: 'dry-run', ...over });
  expect(headline).toBe(`This was a dry run. In a real run: ${expected}.`);
});

// biome-ignore format: a table
it.each<[string, Partial<Report>]>([
  ['If this check is required, the change cannot be merged.', { run: { ...aReport().run, subject: 'pull request' } }],
  ['If this check is required, the change leaves the merge queue.', { run: { ...aReport().run, subject: 'merge group' } }],
  ['`v1/a` holds files that are not cleared.', { run: { ...aReport().run, branch: 'refs/tags/v1/a' } }],
  ['The check passes, but not all media are cleared.', { verdict: 'pass', ...one({ failsGate: false }) }],
])('the line below the headline says: %s', (expected, over) => {
  const { consequence } = aReport({ verdict: 'error', ...over });
  expect(consequence).toBe(`A service analyses this repository's media. ${expected}`);
});

// biome-ignore format: a table
it.each<[keyof ReturnType<typeof describeIssue>, string, Partial<ReportedIssue>]>([
  ['effect', 'Stops the check', {}],
  ['effect', 'Counts', { severity: 'MINOR' }],
  ['effect', 'Does not count: known', { standing: 'known', isNew: false }],
  ['waiver', '', {}],
  ['waiver', 'legal until 2027-01-01: agreed', { waiver: { owner: 'legal', reason: 'agreed', expires: '2027-01-01' } }],
  ['waiver', 'The waiver of legal expired.', { whyNotWaived: 'The waiver of legal expired.' }],
  ['status', 'awaiting human input', { status: 'AWAITING_HUMAN_INPUT' }],
  ['status', 'none', { status: '' }],
])('the %s of an issue: %s', (part, expected, over) => {
  expect(describeIssue(anIssue(over))[part]).toBe(expected);
});
