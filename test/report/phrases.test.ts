import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { count, plural } from '../../src/lib/format.ts';
import { renderComment } from '../../src/report/comment.ts';
import { renderHtml } from '../../src/report/html.ts';
import { consequence, cost, receipt } from '../../src/report/phrases.ts';
import type { Report } from '../../src/report/report.ts';
import { renderSummary } from '../../src/report/summary.ts';
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
  ])('is told in assets: %s', (_, report, money, line) => {
    expect(cost(report)).toBe(money);
    expect(renderSummary(report)).toContain(`**What it cost:** ${money}.`);
    expect(receipt(report)).toBe(line);
  });
});

describe('what a verdict means', () => {
  it.each<[string, Partial<Report>, string]>([
    ['an error before any file was found', { verdict: 'error' }, 'The check is red, and no file was looked at.'],
    [
      'an error',
      { verdict: 'error', assets: [anAsset()] },
      'The check is red: nobody can say that all of these files are fine.',
    ],
    [
      'nothing to check',
      { verdict: 'skipped' },
      'The check is green, but no file was looked at. Do not take it for a clearance.',
    ],
    [
      'a dry run',
      { verdict: 'skipped', assets: [anAsset()] },
      'The check is green, but these files have not been checked. Do not take it for a clearance.',
    ],
  ])('speaks of files only where there are any: %s', (_, over, words) => {
    expect(consequence(aReport(over))).toBe(words);
  });
});

describe('a sandbox run', () => {
  it('calls no file checked or free of issues', () => {
    const many = reportOf(inSandbox(sent(Array.from({ length: 12 }, (_, index) => result(content(`${index}.mp4`))))));
    for (const page of [SANDBOX, many].flatMap((report) => [renderSummary(report), renderHtml(report)])) {
      expect(page).not.toMatch(/✅&nbsp;|\| none \||without any|No issue/);
      expect(page).toContain('not analysed');
    }
  });
});

it('whole numbers are written as English readers expect them', () => {
  expect([0, 7, 999, 1_000, 12_345, 1_234_567].map(count)).toEqual(['0', '7', '999', '1,000', '12,345', '1,234,567']);
  fc.assert(fc.property(fc.maxSafeNat(), (number) => count(number) === number.toLocaleString('en-US')));
});

it('one is no plural', () => {
  expect([plural(1, 'file'), plural(0, 'file'), plural(2_000, 'file')]).toEqual(['1 file', '0 files', '2,000 files']);
});

describe('one word for one thing', () => {
  const stopping = anIssue({ isNew: false });
  const known = anIssue({ isNew: false, standing: 'known' });
  const assets = [
    anAsset({ issues: [stopping, known, anIssue({ isNew: true })], fixed: [anIssue()] }),
    ...Array.from({ length: 12 }, () => anAsset()),
  ];
  const report = aReport({ assets });
  const pages = [renderSummary(report), renderHtml(report), renderComment(report, 'x')];

  it('"known" is what does not count, and never what stops the check', () => {
    for (const page of pages) {
      expect(page).not.toMatch(/stops the check<\/span>.{0,80}>known<|, known; stops the check|\d known[,| ]*\d/s);
      expect(page).toContain('also on the base branch');
    }
  });

  it('"fixed" is against the version before, not against the base branch', () => {
    for (const page of pages) expect(page).not.toMatch(/Since last time|earlier one fixed/);
    expect(pages[0]).toContain('| Against the base branch | Fixed since the version before |');
    expect(pages[0]).toContain('| 1 new, 2 also on the base branch | 1 |');
  });

  it('an issue is never called a finding', () => {
    const quiet = aReport({ assets: [anAsset({ issues: [anIssue({ severity: 'MINOR' })] })] });
    for (const page of [...pages, renderSummary(quiet)]) expect(page).not.toMatch(/finding/i);
  });
});
