import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { author } from '../../src/causes/cause.ts';
import type { Annotation } from '../../src/github/runner.ts';
import { annotations } from '../../src/report/annotations.ts';
import type { Report, ReportedCause } from '../../src/report/report.ts';
import { aCause, aContent, anIssue, aReport } from '../builders/reports.ts';
import { anyReport } from './arbitrary.ts';

const NONE = { error: 0, warning: 0, notice: 0 };
const cause = aCause({ reason: 'refused', message: 'The service refused it (415).', steps: [author('Send a PNG.')] });
const broken = (length: number): readonly ReportedCause[] =>
  Array.from({ length }, (_, index) => ({ ...cause, message: `Broken ${index}.`, paths: [`${index}.mov`] }));
const withIssues = (length: number, over: Partial<Report> = {}): Report =>
  aReport({ contents: [aContent({ issues: Array.from({ length }, () => anIssue()) })], ...over });
const annotate = (over: Partial<Report>): readonly Annotation[] => annotations(aReport(over), NONE);
const titles = (report: Report): readonly string[] =>
  annotations(report, NONE).map(({ level, title }) => `${level} ${title}`);

it('an issue is annotated at its file, with severity, rule and number in the message', () => {
  const claim = anIssue({ ruleCode: 'AD-7', referenceNumber: undefined, summary: 'Claim.', headline: 'Why\n not' });
  const issue = { ...claim, referenceNumber: 42, reasoning: 'Because.', url: 'https://service.example/1' };
  const bare = { ...claim, headline: '', reasoning: undefined };
  const paths = ['a.mp4', 'b.mp4', 'c.mp4'] as const;
  const copies = 'The same bytes are also in b.mp4, c.mp4';
  const message = `a.mp4: CRITICAL AD-7 #42: Claim.\n${copies}\nhttps://service.example/1\nBecause.`;
  const run = { ...aReport().run, folder: 'site/' };
  expect(annotate({ contents: [aContent({ paths, issues: [issue, bare] })], run })).toMatchObject([
    { level: 'error', title: 'CRITICAL: Why not', message, path: 'site/a.mp4', line: 1 },
    { title: 'CRITICAL: Claim.', message: `a.mp4: CRITICAL AD-7: Claim.\n${copies}` },
  ]);
  const long = aContent({ paths: ['x'.repeat(5_000)], issues: [claim] });
  expect(annotate({ contents: [long] })[0]?.message).toContain(': Claim.');
});

it.each([
  ['fails the gate', { severity: 'MINOR', failsGate: true }, 'error'],
  ['critical, gate reports only', { severity: 'CRITICAL', failsGate: false }, 'warning'],
  ['info', { severity: 'INFO' }, 'notice'],
  ['known', { standing: 'known' }, undefined],
  ['waived', { standing: 'waived' }, undefined],
] as const)('the annotation of an issue that is %s', (_, over, level) => {
  const contents = [aContent({ issues: [anIssue(over)] })];
  expect(annotate({ contents }).map((one) => one.level)).toEqual(level === undefined ? [] : [level]);
});

it('causes are errors if the check fails, and warnings if it passes', () => {
  const causes = [{ ...cause, paths: ['a.png', 'b.png'] }];
  const message = '2 files (a.png, b.png): The service refused it (415).\nAuthor of the change: Send a PNG.';
  expect(annotate({ verdict: 'error', causes })).toEqual([
    { level: 'error', title: 'Not judged: The service refused it (415).', message, path: 'a.png', line: 1 },
  ]);
  const title = 'Not checked: The service refused it (415).';
  expect(annotate({ verdict: 'skipped', causes })).toMatchObject([{ level: 'warning', title }]);
});

it('a cause is annotated at its line, and says if the pull request does not change the file', () => {
  const at = { paths: ['waivers.yml'], line: 7, isChanged: false };
  const contents = [aContent({ isChanged: false, issues: [anIssue()] })];
  const message = expect.stringContaining('\nThe file is not changed by this pull request.');
  expect(annotate({ contents, causes: [{ ...cause, ...at }] })).toMatchObject([
    { message },
    { message, path: 'waivers.yml', line: 7 },
  ]);
  expect(annotate({ causes: [cause] })[0]).not.toHaveProperty('path');
  const starts = [[], ['a.png']].map((paths) => annotate({ causes: [{ ...cause, paths }] })[0]?.message.slice(0, 15));
  expect(starts).toEqual(['The service ref', 'a.png: The serv']);
});

it('issues that stop the check are annotated first, then causes, then other issues', () => {
  const issues = [anIssue({ severity: 'MAJOR' }), anIssue()];
  const [stops, other] = ['CRITICAL: Unproven health claim', 'warning MAJOR: Unproven health claim'];
  const judged = broken(2).map(({ message }) => `Not judged: ${message}`);
  const failing = titles(aReport({ contents: [aContent({ issues })], causes: broken(2) }));
  expect(failing).toEqual([`error ${stops}`, ...judged.map((title) => `error ${title}`), other]);
  // If the check passes, issues and causes are both warnings.
  const contents = [aContent({ issues: issues.slice(0, 1) })];
  const passing = titles(aReport({ verdict: 'error', isPassing: true, contents, causes: broken(2) }));
  expect(passing).toEqual([...judged.map((title) => `warning ${title}`), other]);
});

it.each([
  [9, 0, 9, 'CRITICAL: Unproven health claim'],
  [9, 3, 6, '4 more'],
  [5, 9, 0, undefined],
])('annotations: %i errors with %i spent: %i shown, the last is %s', (issues, spent, shown, last) => {
  const errors = annotations(withIssues(issues), { ...NONE, error: spent });
  expect(errors).toHaveLength(shown);
  expect(errors.at(-1)?.title).toBe(last);
  const warnings = aContent({ issues: [anIssue({ severity: 'MINOR' }), anIssue({ severity: 'MINOR' })] });
  expect(annotations(aReport({ contents: [warnings] }), { ...NONE, error: spent })).toHaveLength(2);
});

it('annotations stay inside the limits and show no hidden character, whatever the report', () => {
  fc.assert(
    fc.property(anyReport, fc.nat(12), (report, spent) => {
      const all = annotations(report, { error: spent, warning: spent, notice: spent });
      for (const group of Object.values(Object.groupBy(all, ({ level }) => level)))
        expect(group.length).toBeLessThanOrEqual(10 - spent);
      for (const one of all) {
        expect(one.message.length).toBeLessThanOrEqual(4_096);
        expect(one.title.length).toBeLessThanOrEqual(200);
        expect(one.title + one.message).not.toMatch(/\u202e|(?![\n\t])\p{Cc}/u);
        expect(one.message.isWellFormed()).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

it('one of the errors is about a file without a verdict, however many issues stop the check', () => {
  const shown = titles(withIssues(30, { causes: broken(3) }));
  expect(shown.filter((title) => title.startsWith('error Not judged: '))).toEqual(['error Not judged: Broken 0.']);
});
