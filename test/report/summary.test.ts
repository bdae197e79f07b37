import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseMarkdown } from '../../scripts/pictures/github-page.ts';
import { author } from '../../src/causes/cause.ts';
import type { Report } from '../../src/report/report.ts';
import { renderComment, renderSummary } from '../../src/report/summary.ts';
import { parseWaivers } from '../../src/waivers/waivers-file.ts';
import { aCause, aContent, anIssue, aReport, PULL_REQUEST_RUN } from '../builders/reports.ts';
import { SITUATIONS } from '../builders/situations.ts';
import { anyReport, HOSTILE_REPORTS, withTexts } from './arbitrary.ts';
import { AUTOLINKS, look, type Seen } from './tree.ts';

const page = (over: Partial<Report>): string => renderSummary(aReport(over));
const shown = (summary: string): string => look(parseMarkdown(summary)).text.replaceAll('\u2060', '');
const bytes = (text: string): number => Buffer.byteLength(text);
const times = <T>(length: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length }, (_, index) => make(index));
const hrefs = (over: Partial<Report>): readonly string[] => look(parseMarkdown(page(over))).hrefs;

// After a change of the words, the option `-u` of vitest writes the files.
it.each(Object.entries(SITUATIONS))('the summary of a run: %s', async (name, report) => {
  await expect(renderSummary(report)).toMatchFileSnapshot(`summaries/${name}.md`);
});

/** The words of ours that a reader sees without unfolding anything: texts from outside are left out. */
function wordsOfOurs(report: Report): number {
  const marked = withTexts(report, () => '\u25a0');
  const visible = renderSummary({ ...marked, nextSteps: report.nextSteps, consequence: report.consequence })
    .replaceAll(/<details><summary>(.*?)<\/summary>[^]*?<\/details>/g, '$1')
    .replaceAll(/^\|.*:--.*$/gm, '');
  return shown(visible)
    .split(/\s+/)
    .filter((word) => /[a-z]/i.test(word)).length;
}

it.each([
  ['fail-one-issue', 120],
  ['fail-40-issues', 450],
])('a reader in a hurry finds few words of ours: %s, at most %i', (name, limit) => {
  const report = SITUATIONS[name];
  expect(report && wordsOfOurs(report)).toBeLessThanOrEqual(limit);
});

it('a summary lists what stops the check, the author’s files first, at most 15 of them', () => {
  const issues = [anIssue()];
  const others = times(20, (index) => aContent({ paths: [`a-${index + 10}.mp4`], isChanged: false, issues }));
  const own = aContent({ paths: ['own.mp4'], isChanged: true, issues });
  const failed = aContent({ paths: ['z.mp4'], isChanged: true, outcome: 'failed' });
  const causes = [aCause({ message: 'Too dark.', path: 'z.mp4', isChanged: true })];
  const summary = page({ contents: [...others, failed, own], causes });
  expect(summary.match(/(?<=^\| <code>)[^<]*/gm)?.slice(0, 15)).toEqual([
    'own.mp4',
    'z.mp4',
    ...others.slice(0, 13).map(({ paths: [path] }) => path),
  ]);
  expect(summary).toMatch(/own\.mp4<\/code> \| [^|]* \| 1 \|\n\| <code>z\.mp4<\/code> \| Too dark\. \| – \|/);
  expect(summary).toContain('\n\nand 7 more in <code>report.html</code>');
});

it('a summary leads from each issue to its file and its place in the report page, if that lists something', () => {
  const reportUrl = 'https://github.com/acme/campaigns/actions/runs/1/artifacts/2';
  const contents = times(12, (index) => aContent({ issues: [anIssue({ referenceNumber: index })] }));
  const links = hrefs({ contents, reportUrl, run: PULL_REQUEST_RUN });
  expect(links.filter((href) => href.startsWith(`${reportUrl}#at=issue-`))).toHaveLength(3);
  expect(links.some((href) => href.includes('/acme/campaigns/blob/fedcba98'))).toBe(true);
  expect(links).toContain(reportUrl);
  expect(hrefs({ contents }).some((href) => href.includes('artifacts'))).toBe(false);
  const why = { verdict: 'skipped', reason: 'no-key', causes: [aCause({ reason: 'no-key' })] } as const;
  expect(hrefs({ reportUrl, ...why })).not.toContain(reportUrl);
});

it('an issue that stops the check has an entry to copy, if there is a waivers file', async () => {
  // In GitHub's Markdown, an empty line would end the block of HTML.
  const ruleCode = 'AD "1": #x\u2028\u2028# owned @octocat \u202e';
  const paths = ['a <b>.mp4', 'c*d.mp4'] as const;
  const issues = [anIssue({ ruleCode }), anIssue({ severity: 'MINOR' })];
  const report = aReport({ contents: [aContent({ paths, issues })], waiversFile: 'legal/waivers.yml' });
  const { text } = expectHarmless(renderSummary(report));
  const [, yaml = ''] = /An entry to copy([^]*?expires:\n[^]*?expires:)/.exec(text) ?? [];
  const filled = yaml.replaceAll(/(owner|reason):$/gm, '$1: legal').replaceAll('expires:', 'expires: 2027-01-31');
  const waivers = await parseWaivers(filled, 'waivers.yml');
  expect(waivers.map(({ rule, path }) => [rule, path])).toEqual(paths.map((path) => [ruleCode, path]));
  expect(text.match(/An entry to copy/g)).toHaveLength(1);
  expect(renderSummary({ ...report, waiversFile: undefined })).not.toContain('entry to copy');
});

it('the summary of a large run counts what it leaves out, of every kind', () => {
  const issue = anIssue({ precedents: times(12, () => ({ url: '', title: 'Case', decision: '', date: '' })) });
  const contents = [
    aContent({ paths: ['copy.png', ...times(7, (index) => `copy-${index}.png`)], issues: [issue] }),
    ...times(25, (index) =>
      aContent({ issues: [anIssue({ ruleCode: `R-${index}` }), anIssue({ severity: 'MINOR' })] }),
    ),
    ...times(70, () => aContent()),
  ];
  const causes = times(30, (index) => aCause({ message: `Broken ${index}.` }));
  const notices = times(29, (index) => `Notice ${index}.`);
  const nextSteps = times(7, (index) => author(`Do ${index}.`));
  const unchecked = times(12, (index) => `poster-${index}.ai`);
  const text = shown(page({ contents, causes, notices, nextSteps, unchecked }));
  const counted = [...text.matchAll(/(\d+) more/g)].map(([, number]) => number);
  expect(counted).toEqual(['5', '41', '2', '5', '2', '2', '23', '19', '5', '46']);
  expect(text).toContain('25 MINOR do not stop it');
});

/** The elements that our own Markdown contains. */
const OURS = new Set(
  'h2 h3 p br hr ol ul li table thead tbody tr th td details summary blockquote div pre code b strong sub a'.split(' '),
);

/** Asserts that hostile texts add no element, no mention and no link except web links. */
function expectHarmless(text: string): Seen {
  const found = look(parseMarkdown(text));
  expect(found.elements.filter((name) => !OURS.has(name))).toEqual([]);
  for (const prose of found.prose) for (const pattern of AUTOLINKS) expect(prose).not.toMatch(pattern);
  expect(found.hrefs.filter((href) => !/^https?:/.test(href))).toEqual([]);
  return found;
}

function expectOurs(report: Report): void {
  expect(expectHarmless(renderSummary(report)).comments).toBe(0);
  const comment = renderComment(report, '<!-- gate -->');
  expect(expectHarmless(comment).comments).toBe(1);
  expect(bytes(comment)).toBeLessThanOrEqual(65_536);
}

it('summary and comment have only our own structure, web links and no mentions', () => {
  for (const report of HOSTILE_REPORTS) expectOurs(report);
  fc.assert(fc.property(anyReport, expectOurs), { numRuns: 25 });
});

it('a summary is never so large that GitHub drops it', () => {
  const text = '@'.repeat(100_000);
  const precedents = times(10, () => ({ url: '', title: text, decision: text, date: '' }));
  const issues = times(5, () => anIssue({ summary: text, reasoning: text, precedents }));
  const contents = times(60, () => aContent({ paths: [text, text, text, text], issues }));
  const summary = page({ contents, notices: times(20, () => text), unchecked: times(20, () => text) });
  expect(bytes(summary)).toBeLessThan(1_048_576);
});

it('a comment that has no room for a part leaves out all after it, but never the receipt', () => {
  // GitHub limits a comment by its bytes, and each of these characters takes three.
  const texts = { summary: '広告'.repeat(2_000), reasoning: '広告'.repeat(2_000) };
  const contents = [aContent({ issues: times(3, () => anIssue(texts)) })];
  const comment = renderComment(aReport({ contents, unchecked: ['poster.ai'] }), '<!-- gate -->');
  expect(bytes(comment)).toBeLessThanOrEqual(65_536);
  expect(comment.match(/<details/g)).toHaveLength(2);
  expect(comment).toMatch(/There is no room for more here\. .*\n\n---\n\n1 file matched · .* · verdict fail/);
  expect(comment).not.toContain('poster.ai');
  expect(comment.startsWith('<!-- gate -->\n\n## ❌ FAIL: ')).toBe(true);
});
