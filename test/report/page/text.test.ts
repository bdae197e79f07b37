import { describe, expect, it } from 'vitest';
import { renderPage } from '../../../src/report/page/page.ts';
import type { Report, ReportedIssue } from '../../../src/report/report.ts';
import { anAsset, anIssue, aReport } from '../fixtures.ts';

function pageOf(issue: ReportedIssue, over: Partial<Report> = {}): string {
  return renderPage(aReport({ assets: [anAsset({ issues: [issue] })], ...over }));
}

describe('what an issue means for the check', () => {
  const only = { ...aReport().policy, failOnSeverity: 'never' } as const;
  it.each<[string, ReportedIssue, Partial<Report>]>([
    ['Stops the check', anIssue(), {}],
    ['Does not stop the check: MINOR is below CRITICAL', anIssue({ severity: 'MINOR' }), {}],
    ['Does not stop the check: this gate only reports', anIssue({ failsGate: false }), { policy: only }],
    ['Does not stop the check: known on the base branch', anIssue({ standing: 'known' }), {}],
    ['Does not stop the check: waived', anIssue({ standing: 'waived' }), {}],
    ['Does not stop the check: closed at the service', anIssue({ standing: 'ignored' }), {}],
  ])('%s', (text, issue, over) => {
    const [article = ''] = /<article class="issue [^]*?<\/article>/.exec(pageOf(issue, over)) ?? [];
    expect(article.replaceAll(/<[^>]+>/g, '|')).toContain(`|${text}|`);
  });
});

it.each([
  [{ title: 'A case', url: 'https://cases.example/1' }, '<a href="https://cases.example/1">A case</a>'],
  [{ title: '', url: 'https://cases.example/1' }, '<a href="https://cases.example/1">https://cases.example/1</a>'],
  [{ title: '', url: '' }, 'untitled'],
])('a precedent is named as well as it can be: %j', (given, name) => {
  const precedents = [{ decision: 'Upheld', date: '2026-01-02T00:00:00Z', ...given }];
  expect(pageOf(anIssue({ precedents }))).toContain(`<li>${name}: Upheld (2026-01-02)</li>`);
});

function numbers(issue: ReportedIssue): readonly (string | undefined)[] {
  return [...pageOf(issue).matchAll(/<div><dt>([^<]+)<\/dt><dd>/g)].map((match) => match[1]);
}

it('the head counts what there is', () => {
  expect(numbers(anIssue())).toEqual(['Files', 'Active issues', 'Stop the check', 'Cost']);
  expect(numbers(anIssue({ standing: 'waived' }))).toEqual(['Files', 'Active issues', 'Waived', 'Cost']);
});

it.each([
  [5, true],
  [6, false],
])('%i notices are unfolded: %s', (number, isOpen) => {
  const notices = Array.from({ length: number }, () => 'A notice.');
  const page = pageOf(anIssue(), { notices });
  expect(page.includes('aria-labelledby="notices"><details class="card fold" open>')).toBe(isOpen);
});
