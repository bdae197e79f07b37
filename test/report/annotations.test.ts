import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { author } from '../../src/causes/cause.ts';
import { annotations } from '../../src/report/annotations.ts';
import type { Report } from '../../src/report/report.ts';
import { aCause, aContent, anIssue, aReport } from '../builders/reports.ts';
import { anyReport, HOSTILE_REPORTS } from './arbitrary.ts';

const NONE = { error: 0, warning: 0, notice: 0 };
const cause = aCause({ reason: 'refused', message: 'The service refused it (415).', steps: [author('Send a PNG.')] });
const annotate = (over: Partial<Report>, spent = NONE) => annotations(aReport(over), spent);
const issues = (length: number) => [aContent({ issues: Array.from({ length }, () => anIssue()) })];
const titles = (over: Partial<Report>): readonly string[] =>
  annotate(over).map(({ level, title }) => `${level} ${title}`);

it('an issue is annotated at its file, with severity, rule and number in the message', () => {
  const claim = anIssue({ ruleCode: 'AD-7', referenceNumber: undefined, summary: 'Claim.', headline: 'Why\n not' });
  const issue = { ...claim, referenceNumber: 42, reasoning: 'Because.', url: 'https://service.example/1' };
  const bare = { ...claim, headline: '', reasoning: undefined };
  const paths = ['a.mp4', 'b.mp4', 'c.mp4'] as const;
  const copies = 'The same bytes are also in b.mp4, c.mp4';
  const message = `a.mp4: CRITICAL AD-7 #42: Claim.\n${copies}\nhttps://service.example/1\nBecause.`;
  const run = { ...aReport().run, folder: 'site/' };
  expect(annotate({ contents: [aContent({ paths, issues: [issue, bare] })], run })).toMatchObject([
    { level: 'error', title: 'CRITICAL: Why not', message, path: 'site/a.mp4' },
    { title: 'CRITICAL: Claim.', message: `a.mp4: CRITICAL AD-7: Claim.\n${copies}` },
  ]);
  const long = aContent({ paths: ['x'.repeat(5_000)], issues: [claim] });
  expect(annotate({ contents: [long] })[0]?.message).toContain(': Claim.');
});

// biome-ignore format: a table
it.each<[string, readonly string[], Partial<Report>]>([
  ['an issue that stops the check', ['error MINOR: Unproven health claim'], { contents: [aContent({ issues: [anIssue({ severity: 'MINOR', failsGate: true })] })] }],
  ['an issue that does not', ['warning CRITICAL: Unproven health claim'], { contents: [aContent({ issues: [anIssue({ failsGate: false })] })] }],
  ['an INFO', ['notice INFO: Unproven health claim'], { contents: [aContent({ issues: [anIssue({ severity: 'INFO' })] })] }],
  ['known and waived issues', [], { contents: [aContent({ issues: [anIssue({ standing: 'known' }), anIssue({ standing: 'waived' })] })] }],
  ['an error', ['error Not judged: The service refused it (415).'], { verdict: 'error', causes: [cause] }],
  ['a skipped run', ['warning Not checked: The service refused it (415).'], { verdict: 'skipped', causes: [cause] }],
])('%s is annotated with: %s', (_, expected, over) => {
  expect(titles(over)).toEqual(expected);
});

it('a cause is annotated at its file, and says if the pull request does not change the file', () => {
  const at = { path: 'waivers.yml', isChanged: false };
  const text =
    'The service refused it (415).\nThe file is not changed by this pull request.\nAuthor of the change: Send a PNG.';
  expect(annotate({ causes: [{ ...cause, ...at }] })).toMatchObject([
    { message: `waivers.yml: ${text}`, path: 'waivers.yml' },
  ]);
  expect(annotate({ causes: [cause] })[0]).not.toHaveProperty('path');
});

it('issues that stop the check come first, but one error is about a file without a verdict', () => {
  const causes = [0, 1].map((number) => ({ ...cause, message: `Broken ${number}.` }));
  const contents = [aContent({ issues: [anIssue({ severity: 'MAJOR' }), anIssue()] })];
  expect(titles({ contents, causes })).toEqual([
    'error CRITICAL: Unproven health claim',
    'error Not judged: Broken 0.',
    'error Not judged: Broken 1.',
    'warning MAJOR: Unproven health claim',
  ]);
  expect(titles({ contents: issues(30), causes }).filter((title) => title.startsWith('error Not'))).toHaveLength(1);
});

it.each([
  [9, 0, 9, 'CRITICAL: Unproven health claim'],
  [9, 3, 6, '4 more'],
  [5, 9, 0, 'none'],
])('annotations: %i errors with %i spent: %i shown, the last is %s', (number, spent, shown, last) => {
  const errors = annotate({ contents: issues(number) }, { ...NONE, error: spent });
  expect(errors).toHaveLength(shown);
  expect(errors.at(-1)?.title ?? 'none').toBe(last);
});

function expectWithinLimits(report: Report, spent: number): void {
  const all = annotations(report, { error: spent, warning: spent, notice: spent });
  for (const group of Object.values(Object.groupBy(all, ({ level }) => level)))
    expect(group.length).toBeLessThanOrEqual(10 - spent);
  for (const { title, message } of all) {
    expect([message.length <= 4_096, title.length <= 200, message.isWellFormed()]).toEqual([true, true, true]);
    expect(title + message).not.toMatch(/\u202e|(?![\n\t])\p{Cc}/u);
  }
}

it('annotations stay inside the limits and show no hidden character, whatever the report', () => {
  for (const report of HOSTILE_REPORTS) expectWithinLimits(report, 0);
  fc.assert(fc.property(anyReport, fc.nat(12), expectWithinLimits), { numRuns: 60 });
});
