import { expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { aCause, aContent, anIssue, aReport, WITH_BASE } from '../builders/reports.ts';

const bad = aContent({ paths: ['bad.mp4'], issues: [anIssue()] });
const untouched = { ...bad, isChanged: false };
const remembered = { ...bad, lastKnownAt: '2026-11-01T10:00:00Z' };
const unread = ['2026-10-02', '2026-10-01'].map((lastKnownAt) => aContent({ lastKnownAt }));
const own = { ...bad, isChanged: true };
const majors = [true, true, false].map((failsGate) => anIssue({ severity: 'MAJOR', failsGate }));
const mixed = aContent({ issues: [...majors, anIssue(), anIssue({ standing: 'waived' })] });
const copies = ['bad.mp4', 'copy.mp4'] as const;
const cause = aCause({ paths: ['a.mp4'], submissionIds: ['s1'] });
const DRY_RUN = { verdict: 'skipped', reason: 'dry-run' } as const;
const dry = aCause({ reason: 'dry-run' });
const wrong = aCause({ reason: 'bad-input', message: 'One is wrong.' });
const failed = ['a.mp4', 'b.mp4'].map((path) => aContent({ paths: [path], outcome: 'failed' }));
const minor = aContent({ issues: [anIssue({ severity: 'MINOR' })] });
const accepted = aContent({ issues: [anIssue({ standing: 'waived' }), anIssue({ standing: 'known' })] });

function one(over: Parameters<typeof anIssue>[0]): Partial<Report> {
  return { contents: [aContent({ paths: ['bad.mp4'], issues: [anIssue(over)] })] };
}

const CHANGED = 'of them in files that this pull request changes';
const compared = { policy: { ...aReport().policy, failOnIssues: 'new' }, comparison: WITH_BASE } as const;

it.each<[string, Partial<Report>]>([
  ['bad.mp4: Unproven health claim', { contents: [bad, aContent()] }],
  ['bad.mp4: Unproven health claim; 1 file as last known, from 2026-11-01', { contents: [remembered] }],
  ['bad.mp4: Two lines', one({ headline: ' Two\nlines. ' })],
  ['bad.mp4: CRITICAL AD-1', one({ headline: '', summary: '', ruleCode: 'AD-1' })],
  [
    'bad.mp4: new issue: Unproven health claim',
    { ...one({ isNew: true, headline: 'Unproven health claim' }), ...compared },
  ],
  ['bad.mp4 (not changed by this pull request): Unproven health claim', { contents: [untouched] }],
  ['bad.mp4: Unproven health claim; 1 file could not be judged in this run', { contents: [own, ...failed.slice(1)] }],
  ['bad.mp4 and 1 more: Unproven health claim', { contents: [{ ...bad, paths: copies }] }],
  ['bad.mp4: Unproven health claim (sandbox: nothing was analysed)', { contents: [bad], mode: 'sandbox' }],
  ['1 CRITICAL, 2 MAJOR issues in 1 of 2 files', { contents: [mixed, aContent()] }],
  ['2 new CRITICAL issues in 2 of 2 files', { contents: [bad, own], ...compared }],
  [`2 CRITICAL issues in 2 of 2 files, 1 ${CHANGED}`, { contents: [untouched, own] }],
  [
    '2 CRITICAL issues in 2 of 2 files, 1 of them new',
    {
      contents: [bad, { ...bad, issues: bad.issues.map((each) => ({ ...each, isNew: true })) }],
      comparison: WITH_BASE,
    },
  ],
  [`2 CRITICAL issues in 2 of 2 files, none ${CHANGED}`, { contents: [untouched, { ...untouched }] }],
])('FAIL: %s', (expected, overrides) => {
  expect(aReport({ verdict: 'fail', ...overrides }).headline).toBe(expected);
});

it.each<[string, Partial<Report>]>([
  ['a.mp4: It cannot be read.', { causes: [cause] }],
  ['a.mp4: It cannot be read. (sandbox: nothing was analysed)', { causes: [cause], mode: 'sandbox' }],
  ['2 of 3 files: a.mp4: It cannot be read.', { isPassing: true, causes: [cause], contents: [...failed, aContent()] }],
  ['2 problems, the first: One is wrong.', { causes: [wrong, cause] }],
  ['One is wrong. · legal', { causes: [wrong], gate: 'legal' }],
  // No renderer cuts off the name of the gate.
  [`${'x'.repeat(299)}… · legal`, { causes: [{ ...wrong, message: 'x'.repeat(301) }], gate: 'legal' }],
])('ERROR: %s', (expected, overrides) => {
  expect(aReport({ verdict: 'error', ...overrides }).headline).toBe(expected);
});

it.each<[string, Partial<Report>]>([
  ['1 file checked, no active issues', { contents: [aContent()] }],
  ['1 file checked, no new issues', { contents: [aContent()], ...compared }],
  ['1 file checked, 1 active issue, none that stops the check', { contents: [minor] }],
  [
    '1 file checked, no active issues; not counted: 1 known from the base branch, 1 waived',
    { contents: [accepted], comparison: WITH_BASE },
  ],
  ['2 files checked, no active issues; 2 files as last known, from 2026-10-01', { contents: [...unread] }],
  ['1 file checked, no active issues; 1 not checked: a.ai', { contents: [aContent()], unchecked: ['a.ai'] }],
  ['nothing was analysed', { mode: 'sandbox', contents: [aContent()] }],
  ['One is wrong.', { verdict: 'skipped', causes: [wrong] }],
  ['This was a dry run. A real run would stop: a.mp4: It cannot be read.', { ...DRY_RUN, causes: [cause, dry] }],
  ['This was a dry run. A real run would send nothing.', { ...DRY_RUN, causes: [dry] }],
])('%s', (expected, overrides) => {
  expect(aReport({ verdict: 'pass', ...overrides }).headline).toBe(expected);
});

const copied = aContent({ paths: ['a', 'copy of a'] });
const reused = aContent({ source: 'reused', sourceReason: 'unchanged', analysedAt: '2026-11-01T10:00:00Z' });
const unsent = aContent({ source: 'not-sent', outcome: 'unjudged' });
const doubled = { id: 'S', status: 'complete', workflowId: undefined, mayExistTwice: true };
const unconfirmed = aCause({ reason: 'service', submission: 'unconfirmed' });

// biome-ignore format: a table
it.each<[string, Partial<Report>]>([
  ['2 billed, 0 reused', { contents: [copied, aContent()] }],
  ['1 billed, 1 reused, 1 paid again', { contents: [aContent({ isPaidAgain: true }), reused] }],
  ['0 billed, 1 awaited, 1 reused', { contents: [aContent({ source: 'awaited' }), reused] }],
  ['nothing was analysed or billed', { contents: [reused], verdict: 'skipped' }],
  ['1 sent, 0 reused', { contents: [aContent({ isPaidAgain: true })], mode: 'sandbox' }],
  ['nothing was sent', { contents: [unsent], mode: 'sandbox' }],
  ['1 billed, 0 reused, two submissions may exist', { contents: [aContent()], submission: doubled }],
  ['unknown: a submission may exist and be billed', { contents: [unsent], causes: [aCause(), unconfirmed] }],
])('a run costs: %s', (expected, over) => {
  expect(aReport({ verdict: 'pass', ...over }).cost).toBe(expected);
});

// biome-ignore format: a table
it.each<[string, Partial<Report>]>([
  ['send 1 asset (billed), reuse 1, wait for 1', { contents: [unsent, reused, aContent({ source: 'awaited' })] }],
  ['send 1 asset',                                  { contents: [unsent], mode: 'sandbox' }],
  ['send nothing, reuse 1',                         { contents: [reused] }],
])('a real run would %s', (expected, over) => {
  const { headline } = aReport({ verdict: 'skipped', reason: 'dry-run', ...over });
  expect(headline).toBe(`This was a dry run. A real run would ${expected}.`);
});

const WARN = 'The check passes only because `on-service-error: warn` allows an outage. These files were not cleared.';
const BLOCKED = '`autumn` holds files that this gate does not clear.';
const UNCHECKED = 'The check passes, but nothing was checked. This is not a clearance.';
const causes = [aCause(), aCause({ reason: 'dry-run' })];
const dryRun = { verdict: 'skipped', reason: 'dry-run', contents: [unsent], causes } as const;
const judged = { contents: [copied] };
const FAILS_ON_NEW = 'This gate fails on any new issue that is MINOR or worse.';
const known = (['MAJOR', 'MINOR', 'INFO'] as const).map((severity) => anIssue({ severity, standing: 'known' }));
const policy = { ...aReport().policy, failOnSeverity: 'MINOR', failOnIssues: 'new' } as const;
const reportOnly = { ...policy, failOnSeverity: 'never' } as const;

it.each<[string, Partial<Report>]>([
  [`No file was judged. ${BLOCKED}`, { verdict: 'error' }],
  [`Not every file was judged. ${BLOCKED}`, { verdict: 'error', contents: [copied, unsent] }],
  [`${UNCHECKED} A real run would send 1 asset (billed).`, dryRun],
  [`${BLOCKED} This gate fails on any issue that is CRITICAL.`, { verdict: 'fail', contents: [copied] }],
  [`No file was judged. ${WARN}`, { verdict: 'error', isPassing: true }],
  [UNCHECKED, { verdict: 'skipped', contents: [copied] }],
  ['The check passes because a sandbox analyses nothing. This is not a clearance.', { mode: 'sandbox', ...judged }],
  ['Nothing has to be done. This gate only reports: no issue fails the check.', { ...judged, policy: reportOnly }],
  [`Nothing has to be done. ${FAILS_ON_NEW}`, { contents: [copied], policy }],
  [
    `Nothing new stops the check, but \`a.mp4\` is not cleared: 1 MAJOR, 1 MINOR known. ${FAILS_ON_NEW}`,
    { contents: [aContent({ paths: ['a.mp4'], issues: known })], policy },
  ],
])('a verdict means: %s', (expected, over) => {
  expect(aReport(over).consequence).toBe(expected);
});

// biome-ignore format: a table
it.each<[string, Partial<Report['run']>]>([
  ['If this check is required, the change cannot be merged.', { subject: 'pull request' }],
  ['If this check is required, the change leaves the merge queue.', { subject: 'merge group' }],
  ['`v1/a` holds files that this gate does not clear.', { branch: 'refs/tags/v1/a' }],
  ['The checkout holds files that this gate does not clear.', { branch: '' }],
])('a red check means: %s', (expected, over) => {
  const run = { ...aReport().run, ...over };
  for (const verdict of ['fail', 'error'] as const)
    expect(aReport({ verdict, run }).consequence).toContain(expected);
});
