import { describe, expect, it } from 'vitest';
import { consequence, cost, describeFile, failureLine, receipt } from '../../src/report/phrases.ts';
import type { Report, ReportedContent } from '../../src/report/report.ts';
import { renderComment, renderSummary } from '../../src/report/summary.ts';
import { anAsset, anIssue, aReport } from './fixtures.ts';
import { content, inSandbox, reportOf, result, reused, sent } from './runs.ts';

/** Five paths with four contents. */
const COPIED = [result(content('a', ['a', 'copy of a'])), ...['b', 'c', 'd'].map((name) => result(content(name)))];
const SANDBOX = reportOf(inSandbox(sent(COPIED)));

describe('what a run cost', () => {
  it.each<[string, Report, string, string]>([
    [
      'each content in one path',
      reportOf(sent([result(content('a')), result(content('b'))])),
      '2 sent, 0 reused',
      '2 analysed, 0 reused, 0 paid twice, verdict pass',
    ],
    [
      'a copy, which is sent once',
      reportOf(sent(COPIED)),
      '5 files sent as 4 assets, 0 reused',
      '4 analysed, 0 reused, 0 paid twice, verdict pass',
    ],
    [
      'a copy that is reused',
      reportOf(reused(COPIED)),
      '0 sent, 5 reused',
      '0 analysed, 4 reused, 0 paid twice, verdict pass',
    ],
    [
      'a sandbox',
      SANDBOX,
      '5 files sent to the sandbox as 4 assets, 0 reused',
      '4 sent to the sandbox, 0 reused, 0 paid twice, verdict pass',
    ],
  ])('is counted in assets: %s', (_, report, money, line) => {
    expect(cost(report)).toBe(money);
    expect(renderSummary(report)).toContain(`**What it cost:** ${money}.`);
    expect(receipt(report)).toBe(line);
  });
});

it('a run that analysed nothing says so, and one whose cost is unknown as well', () => {
  const wrong = aReport({
    verdict: 'error',
    reason: 'bad-input',
    assets: [],
    causes: [{ reason: 'bad-input', message: 'Wrong.', fix: 'Correct it.' }],
  });
  expect(receipt(wrong)).toBe('nothing was analysed, verdict error');
  expect(renderSummary(wrong)).toContain('**What it cost:** nothing.');
  expect(renderSummary(wrong)).not.toMatch(/0 files|nothing was judged|0 sent/);
  const unknown = aReport({
    verdict: 'error',
    assets: [anAsset({ source: 'not-sent', outcome: 'unjudged' })],
    causes: [{ reason: 'service', message: 'Broken off.', fix: 'Look for it.', submission: 'unconfirmed' }],
  });
  expect(renderSummary(unknown)).toContain('**What it cost:** unknown: a submission may exist and be billed.');
});

function again(sourceReason: string): ReportedContent {
  return anAsset({ sourceReason, isPaidAgain: true });
}

it('the receipt says what was paid twice, and why', () => {
  expect(receipt(aReport({ assets: [again('earlier analysis failed'), anAsset()] }))).toContain(
    '2 analysed, 0 reused, 1 paid twice (earlier analysis failed)',
  );
  const both = [again('earlier analysis failed'), again('earlier result too old')];
  expect(receipt(aReport({ assets: both }))).toContain(
    '2 analysed, 0 reused, 2 paid twice (1 earlier analysis failed, 1 earlier result too old)',
  );
});

it('a lost state explains what was analysed again, if anything was', () => {
  const lost = { isStateLost: true };
  expect(receipt(aReport({ ...lost, assets: [anAsset()] }))).toContain('1 analysed again: no state was found');
  expect(receipt(aReport({ ...lost, assets: [anAsset({ source: 'reused' })] }))).toContain('0 analysed, 1 reused');
});

it('a file is described by kind, size and version, as far as they are known', () => {
  const facts = { versionNumber: 3, versionCount: 5 };
  expect(describeFile(anAsset(facts))).toBe('video, 12.3 MB, version 3 of 5');
  expect(describeFile(anAsset({ ...facts, versionCount: undefined }))).toBe('video, 12.3 MB, version 3');
  const bare = anAsset({ category: undefined, versionNumber: undefined });
  expect(describeFile(bare)).toBe('video/mp4, 12.3 MB');
});

it('the line that fails a step does not say "error" twice', () => {
  expect(failureLine(aReport({ verdict: 'error', headline: 'a.png: The file is empty.' }))).toBe(
    'a.png: The file is empty.',
  );
  expect(failureLine(aReport({ verdict: 'fail', headline: '1 CRITICAL issue' }))).toBe('FAIL: 1 CRITICAL issue');
});

describe('what a verdict means', () => {
  it.each<[string, Partial<Report>, string]>([
    [
      'an error before any file was found',
      { verdict: 'error' },
      'No file was checked. If this check is required, the change cannot be merged.',
    ],
    [
      'an error',
      { verdict: 'error', assets: [anAsset()] },
      'Not every file was judged. If this check is required, the change cannot be merged.',
    ],
    ['nothing to check', { verdict: 'skipped' }, 'The check passes, but no file was checked. This is not a clearance.'],
    [
      'a dry run',
      { verdict: 'skipped', assets: [anAsset()] },
      'The check passes, but these files were not checked. This is not a clearance.',
    ],
  ])('mentions files only if there are any: %s', (_, over, expected) => {
    expect(consequence(aReport(over))).toBe(expected);
  });
});

describe('a sandbox run', () => {
  it('calls no file checked or free of issues', () => {
    const many = reportOf(inSandbox(sent(Array.from({ length: 12 }, (_, index) => result(content(`${index}.mp4`))))));
    for (const summary of [SANDBOX, many].map((report) => renderSummary(report))) {
      expect(summary).not.toMatch(/✅&nbsp;|\| none \||without any|No issue in|Active issues/);
      expect(summary).toContain('not analysed');
    }
  });
});

describe('one word for one thing', () => {
  const stopping = anIssue({ isNew: false });
  const known = anIssue({ isNew: false, standing: 'known' });
  const assets = [
    anAsset({ issues: [stopping, known, anIssue({ isNew: true })], fixed: [anIssue()] }),
    ...Array.from({ length: 12 }, () => anAsset()),
  ];
  const report = aReport({ assets });
  const pages = [renderSummary(report), renderComment(report, 'x')];

  it('"known" is what does not count, and never what stops the check', () => {
    for (const page of pages) {
      expect(page).not.toMatch(/Stops the check<\/span> <.{0,80}known|Stops the check; .{0,20}known/is);
      expect(page).toMatch(/also on the base branch/i);
    }
  });

  it('"fixed" is against the version before, not against the base branch', () => {
    for (const page of pages) expect(page).not.toMatch(/Since last time|earlier one fixed/);
    expect(pages[0]).toContain('since the version before: 0 new, 3 stayed, 1 fixed |');
  });

  it('an issue is never called a finding', () => {
    const quiet = aReport({ assets: [anAsset({ issues: [anIssue({ severity: 'MINOR' })] })] });
    for (const page of [...pages, renderSummary(quiet)]) expect(page).not.toMatch(/finding/i);
  });
});
