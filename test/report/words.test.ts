import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../src/report/html.ts';
import type { Report } from '../../src/report/report.ts';
import { renderSummary } from '../../src/report/summary.ts';
import { cost, count, plural, receipt } from '../../src/report/words.ts';
import { content, inSandbox, reportOf, result, reused, sent } from './trails.ts';

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
