import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asGitHub, parseMarkdown } from '../../scripts/pictures/github-page.ts';
import { author, rerun, workflowOwner } from '../../src/causes/cause.ts';
import type { Report, ReportedCause } from '../../src/report/report.ts';
import { renderComment, renderSummary } from '../../src/report/summary.ts';
import { parseWaivers } from '../../src/waivers/waivers-file.ts';
import { aCause, aContent, anIssue, aReport, HOSTILE_TEXTS, PULL_REQUEST_RUN, WITH_BASE } from '../builders/reports.ts';
import { anyReport, fullReport, withTexts } from './arbitrary.ts';
import { AUTOLINKS, look, type Seen } from './tree.ts';

const page = (over: Partial<Report>): string => renderSummary(aReport(over));
const shown = (summary: string): string => look(parseMarkdown(summary)).text.replaceAll('\u2060', '');
const bytes = (text: string): number => Buffer.byteLength(text);
const times = <T>(length: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length }, (_, index) => make(index));

/** Returns the titles of all sections and folded parts, in order. */
function outline(summary: string): readonly string[] {
  return [...summary.matchAll(/^### (.*)$|^<details><summary>(Files.*)<\/summary>$/gm)].map(
    ([, title, folded]) => title ?? folded ?? '',
  );
}

const hrefs = (over: Partial<Report>): readonly string[] => look(parseMarkdown(page(over))).hrefs;

const links = (over: Partial<Report>): readonly string[] => hrefs(over).filter((href) => /\/blob\/|#diff/.test(href));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const cause = aCause({ message: 'Broken.' });
/** The longest headline with the longest name of a gate. */
const LONG = 'x'.repeat(367);
const unsent = aContent({ paths: ['a.mp4'], source: 'not-sent', outcome: 'unjudged' });

describe('a summary', () => {
  it.each<[string, Partial<Report>]>([
    ['## ❌ FAIL: why', { verdict: 'fail' }],
    ['## ✅ PASS: why', { verdict: 'pass' }],
    ['## 🛑 ERROR: why', { verdict: 'error' }],
    ['## ⚠️ NOT CHECKED: why', { verdict: 'error', isPassing: true }],
    ['## ⏭️ NOT CHECKED: why', { verdict: 'skipped', mode: '' }],
    ['## 🧪 SANDBOX: why', { verdict: 'pass', mode: 'sandbox' }],
    [`## ❌ FAIL: ${LONG}`, { verdict: 'fail', headline: LONG }],
  ])('begins with the verdict and why: %s', (start, over) => {
    expect(page({ headline: 'why', ...over }).split('\n')[0]).toBe(start);
  });

  it('has its sections in the order in which a reader needs them', () => {
    const uncounted = [{ standing: 'known' }, { standing: 'waived' }, { standing: 'ignored' }] as const;
    const issues = [{}, { severity: 'MINOR' }, ...uncounted] as const;
    const contents = [
      aContent({ issues: issues.map(anIssue) }),
      aContent({ paths: ['bad.mp4'], outcome: 'failed' }),
      aContent({ paths: ['late.mp4', 'copy.mp4'], source: 'not-sent', outcome: 'unjudged' }),
      ...times(12, () => aContent()),
    ];
    const summary = page({ contents, causes: [cause], nextSteps: [author('Look.')], notices: ['By the way.'] });
    expect(outline(summary).join(', ')).toBe(
      'What to do now, Not judged, Stops the check (1), Does not stop it (1), Also good to know, Files: 16',
    );
    expect(summary).toMatch(/\n\n---\n\n\*\*What it cost:\*\* [^\n]*\n\n[^\n]*\n$/);
    expect(summary).not.toMatch(/\n{3}/);
    expect(shown(summary)).toContain(
      '1 issue stops the check · not counted: 1 known, 1 waived, 1 closed at the service',
    );
  });

  it('has only sections with something in them', () => {
    expect(outline(page({}))).toEqual([]);
    expect(page({})).not.toContain('matched');
    const sandbox = page({ mode: 'sandbox', contents: [aContent()] });
    expect(outline(sandbox)).toEqual(['Files: 1']);
    expect(sandbox).toContain('\n**Sandbox:** 1 sent, 0 reused.\n');
    const error = page({ verdict: 'error', contents: [unsent] });
    expect(outline(error)).toEqual(['Files: 1']);
    expect(sandbox).not.toContain('not judged');
    expect(error).toContain(' matched · 1 not judged');
  });

  it.each<[Report['verdict'], readonly ReportedCause[], readonly string[]]>([
    ['error', [cause], []],
    ['error', [cause, cause], ['Not judged']],
    ['error', [{ ...cause, detail: 'Status 415.' }], ['Not judged']],
    ['skipped', [cause, aCause({ reason: 'dry-run' })], []],
  ])('has no table for a single cause without details, which the headline names: %s', (verdict, causes, expected) => {
    expect(outline(page({ verdict, causes }))).toEqual(expected);
  });

  it.each(['pass', 'fail', 'error', 'skipped'] as const)('names media that were not checked: %s', (verdict) => {
    const unchecked = times(12, (index) => `media/poster-${index}.ai`);
    const report = aReport({ verdict, unchecked, run: PULL_REQUEST_RUN });
    for (const text of [renderSummary(report), renderComment(report, '')]) {
      expect(text).toMatch(/### Not checked \(12\)\n\n.*poster-0\.ai<\/code><\/a>.* and 2 more/);
      const isFixShown = text.includes('**Owner of the workflow:** Export <code>media/poster-0.ai</code>');
      expect(isFixShown).toBe(verdict !== 'pass');
    }
    expect(renderSummary(report).includes('Nothing has to be done')).toBe(false);
  });

  it('shows the same cause of many files once', () => {
    const causes = [
      { ...cause, submissionIds: ['s1'], paths: times(12, (index) => `empty-${index}.mp4`) },
      { ...cause, paths: ['old.mp4'], isChanged: false },
      cause,
    ];
    expect(page({ verdict: 'error', causes }).match(/^\| [^F:].*$/gm)).toEqual([
      expect.stringMatching(
        /^\| 12 files: <code>empty-0\.mp4<\/code>, .* and 9 more \| Broken\. \(Submission s1\) \|$/,
      ),
      '| <code>old.mp4</code><br>not changed by this pull request | Broken. |',
      '| – | Broken. |',
    ]);
  });

  it('shows everything about an issue', () => {
    const texts = { headline: 'Short why', summary: 'What is wrong', reasoning: 'First.\nSecond.' };
    const [url, law] = ['https://service.example/issues/77', 'https://law.example/?a=1&copy;=2'];
    const precedents = [
      { url: law, title: 'Case one', decision: 'Upheld', date: '2024-05-06' },
      { url: 'javascript:alert(1)', title: 'Case two', decision: 'Upheld', date: '13 March 2024' },
      { url: 'https://law.example/3', title: '', decision: '', date: '2023-04-05' },
    ];
    const issue = anIssue({ ...texts, referenceNumber: 77, reportedSeverity: 'BLOCKER', isNew: true, url, precedents });
    // Two topics may have one title.
    const topics = ['Health claims', 'Health claims'].map((title) => ({ title, issueIds: [issue.id] }));
    const summary = page({ contents: [aContent({ issues: [issue], topics })], comparison: WITH_BASE });
    const text = shown(summary);
    // A word joiner keeps a line break out of the number.
    expect(summary).toContain('(<a href="https://service.example/issues/77">&#35;&#8288;77</a>)');
    expect(text).toMatch(/CRITICAL \(reported as BLOCKER\) new AD-101 Short why in .* \(#77\)What is wrong/);
    expect(text).toMatch(
      /Case one: Upheld \(2024-05-06\)Case two: Upheld \(13 March 2024\)https:\/\/law\.example\/3 \(2023/,
    );
    expect(text).toMatch(/Stops the check; not on the base branch.*Health claims/);
    expect(text).not.toContain('Status at the service');
    expect(asGitHub(summary)).toContain('First.<br>Second.');
    expect(look(parseMarkdown(summary)).hrefs).toEqual(expect.arrayContaining([url, law]));
    expect(text.match(/Health claims/g)).toHaveLength(1);
    expect(summary).not.toContain('javascript:');
  });

  it('recognises an issue without a headline or a link', () => {
    const NUMBER_77 = { referenceNumber: 77, status: 'ACKNOWLEDGED' };
    const issues = [
      anIssue({ headline: undefined, summary: 'It says too much', severity: 'MAJOR', ...NUMBER_77 }),
      anIssue({ standing: 'ignored', status: 'DISMISSED' }),
    ];
    const contents = [aContent({ paths: ['a.png', 'b.png'], issues }), aContent({ outcome: 'failed' })];
    const text = shown(page({ contents }));
    expect(text).toContain('AD-101 It says too much in a.png and 1 more (#77)');
    expect(text).toContain('Files, all with the same bytes: a.png, b.png');
    expect(text).toMatch(/video, 12\.3 MB, version 1\s+2 issues; sent: new\s/);
    expect(text).toMatch(/Not judged; sent: new\s/);
    expect(text).toContain('Status at the service: acknowledged');
    expect(text).toMatch(/3 files matched · 1 not judged · 🟠/);
  });

  it('says of each file what a real run would do with it, after a dry run', () => {
    const reused = { ...unsent, paths: ['b.mp4'], source: 'reused', sourceReason: 'unchanged' } as const;
    const summary = page({ verdict: 'skipped', reason: 'dry-run', contents: [unsent, reused] });
    expect(outline(summary)).toEqual(['What a real run would do']);
    expect(summary.match(/^\| (?!:--).*$/gm)).toEqual([
      '| File | Kind | In a real run |',
      '| <code>a.mp4</code> | video, 12.3 MB, version 1 | would be sent: new |',
      '| <code>b.mp4</code> | video, 12.3 MB, version 1 | would be reused: unchanged since 2026-11-14 |',
    ]);
  });

  it('shows at most five steps, and counts the others', () => {
    const nextSteps = times(7, (index) => author(`Do ${index}.`));
    const [, steps = ''] = page({ verdict: 'error', nextSteps }).split('### What to do now\n\n');
    expect(steps.split('\n\n').slice(0, 2)).toEqual([
      times(5, (index) => `- **Author of the change:** Do ${index}.`).join('\n'),
      'and 2 more steps in <code>report.html</code>',
    ]);
  });

  it.each([
    [
      'https://chat.example/?a=1&b',
      '<a href="https://chat.example/?a=1&#38;b">https&#58;&#8288;//chat.example/?a=1&#38;b</a>',
    ],
    ['<b>@legal</b>', '&#60;b&#62;&#64;&#8288;legal&#60;/b&#62;'],
  ])('shows a contact after the steps, an https address as a link: %s', (contact, shownAs) => {
    const summary = page({ verdict: 'error', nextSteps: [workflowOwner('Look.')], contact });
    expect(summary).toContain(`Look.\n\nQuestions: ${shownAs}\n`);
    expectHarmless(summary);
  });

  it.each([
    [5, 3],
    [6, 1],
    [20, 1],
  ])('of %i issues that stop the check unfolds %i', (number, open) => {
    const contents = times(number, () => aContent({ issues: [anIssue()] }));
    expect(renderComment(aReport({ contents }), '').match(/<details open>/g)).toHaveLength(open);
  });

  it.each([
    ['beside issues that stop the check', true],
    ['alone', false],
  ])('folds a table of issues that do not stop the check: %s: %s', (_, isFolded) => {
    const others = times(11, () => anIssue({ severity: 'MINOR' }));
    const contents = [aContent({ issues: [...others, ...(isFolded ? [anIssue()] : [])] })];
    const start = isFolded ? '<details><summary>All 11</summary>\n\n| ' : '| ';
    expect(page({ contents })).toContain(`### Does not stop it (11)\n\n${start}`);
  });

  it('leads to the files because of which files were not judged', () => {
    const causes = [aCause({ paths: ['bad.png'], isChanged: true }), aCause({ reason: 'service' })];
    const contents = [unsent];
    const counts = { ...aReport({ contents }).counts, filesMatched: 2, filesUnjudged: 2 };
    const summary = page({ verdict: 'error', contents, causes, counts, run: PULL_REQUEST_RUN });
    const facts = summary.split('\n').find((line) => line.includes(' matched · ')) ?? '';
    expect(shown(facts)).toBe('2 files matched · 2 not judged because of bad.png');
    expect(facts).toContain(`diff-${sha256('bad.png')}"><code>bad.png`);
  });

  it('leads from each issue to its place in the report page, if that was uploaded', () => {
    const reportUrl = 'https://github.com/acme/campaigns/actions/runs/1/artifacts/2';
    const contents = times(12, (index) => aContent({ issues: [anIssue({ referenceNumber: index })] }));
    expect(hrefs({ contents: contents.slice(0, 1), reportUrl })).toContain(`${reportUrl}#at=issue-0`);
    // One link is in the table of rules, at the worst issue, and one in the unfolded issue.
    expect(hrefs({ contents, reportUrl }).filter((href) => href.includes('#at='))).toHaveLength(2);
    expect(hrefs({ contents })).toEqual(['https://github.com/acme/campaigns/actions/runs/1']);
  });

  it('has a waiver to copy in each issue that stops the check, if there is a file for it', async () => {
    // In GitHub's Markdown, an empty line would end the block of HTML.
    const ruleCode = 'AD "1": #x\u2028\u2028# owned @octocat \u202e';
    const paths = ['a <b>.mp4', 'c*d.mp4'] as const;
    const issues = [anIssue({ ruleCode }), anIssue({ severity: 'MINOR' })];
    const report = aReport({ contents: [aContent({ paths, issues })], waiversFile: 'legal/waivers.yml' });
    const { text } = expectHarmless(renderSummary(report));
    const [, yaml = ''] = /A waiver to copy([^]*?)Add it to legal\/waivers\.yml/.exec(text) ?? [];
    const filled = yaml.replaceAll(/(owner|reason):$/gm, '$1: legal').replaceAll('expires:', 'expires: 2027-01-31');
    const waivers = await parseWaivers(filled, 'waivers.yml');
    expect(waivers.map(({ rule, path }) => [rule, path.text])).toEqual(paths.map((path) => [ruleCode, path]));
    expect(waivers.every(({ path }, index) => path.matches(paths[index] ?? ''))).toBe(true);
    expect(text.match(/A waiver to copy/g)).toHaveLength(1);
    expect(renderSummary({ ...report, waiversFile: undefined })).not.toContain('waiver to copy');
  });

  it.each<[string, boolean, Partial<Report>]>([
    ['a pass', false, { nextSteps: [author('Look.')], reason: 'issues' }],
    ['owners alone', false, { verdict: 'error', reason: 'plan', nextSteps: [workflowOwner('Look.')] }],
    ['anyone', true, { verdict: 'error', reason: 'timeout', nextSteps: [rerun()] }],
  ])('leads to the page about red checks: %s: %s', (_, isLed, over) => {
    const summary = page({ ...over, docs: 'https://docs.example' });
    expect(summary).toContain('https://docs.example/troubleshooting.md#');
    expect(summary.includes('red-check')).toBe(isLed);
  });

  describe('ends with what was checked, and with what the support of the service asks for', () => {
    const submission = { id: 'S', status: 'complete', workflowId: 'W', mayExistTwice: false };
    const none = { id: '', status: '', workflowId: undefined, mayExistTwice: false };
    const outside = { repository: '', commit: '', ref: '', url: '', branch: '' };
    const push = { pullRequest: undefined };
    const base = 'https://github.com/acme/campaigns';
    const repository = `media-compliance · <a href="${base}">acme/campaigns</a> · `;
    const commit = ` · <a href="${base}/commit/0123456789abcdef0123456789abcdef01234567">commit 0123456</a> · `;
    const when = 'run of 2026-11-14 09:41 UTC';
    const ids = `<a href="${base}/actions/runs/1">${when}</a> · submission S complete · workflow W`;
    const pull = 'pull request &#35;&#8288;7</a>';
    it.each<[string, Partial<Report['run']>, Partial<Report>, string]>([
      ['a pull request', {}, { reportUrl: base }, `${repository}<a href="${base}/pull/7">${pull}${commit}${ids}`],
      ['a push', push, {}, `${repository}autumn${commit}`],
      ['a tag', { ...push, branch: 'refs/tags/v1' }, {}, ' · v1 · '],
      ['no runner', { ...outside, ...push }, { submission: none, reportUrl: base }, `\nmedia-compliance · ${when}\n`],
    ])('%s', (_, run, over, expected) => {
      expect(page({ submission, run: { ...PULL_REQUEST_RUN, ...run }, ...over })).toContain(expected);
    });
  });

  it('links a path to the file at the commit, or to its diff if the pull request is known to change it', () => {
    const path = 'spots/größe & 1.mp4';
    const contents = [aContent({ paths: [path] })];
    const run = { ...PULL_REQUEST_RUN, pullRequest: undefined };
    const file = `https://github.com/acme/campaigns/blob/${run.commit}/spots/gr%C3%B6%C3%9Fe%20%26%201.mp4`;
    expect(links({ contents, run })).toEqual([file]);
    const diff = `https://github.com/acme/campaigns/pull/7/files#diff-${sha256(path)}`;
    const atHead = file.replace(run.commit, PULL_REQUEST_RUN.pullRequest?.headCommit ?? '');
    for (const isChanged of [true, false, undefined]) {
      const one = [aContent({ paths: [path], isChanged })];
      expect(links({ contents: one, run: PULL_REQUEST_RUN })).toEqual([isChanged ? diff : atHead]);
    }
    expect(links({ contents })).toEqual([]);
    expect(links({ contents, run: { ...run, repository: '' } })).toEqual([]);
  });
});

it.each([
  [
    7,
    '| File | Issues |',
    '| 🔴&nbsp;<code>most.mp4</code> and 1 more | <b>8</b> in 2 rules |',
    '| 🔴&nbsp;<code>one-0.mp4</code> | <b>1</b> in 1 rule |',
  ],
  [
    8,
    '| Rule, and its worst issue | Issues |',
    '| 🔴&nbsp;<code>R-0</code> Why 0 | <b>12</b> in 10 files |',
    '| 🔴&nbsp;<code>R-1</code> Why 1 | <b>4</b> in 2 files |',
  ],
])('a summary groups by file if one file has most issues: 8 issues and %i others', (others, ...expected) => {
  const issues = times(8, (index) => anIssue({ ruleCode: `R-${index % 2}`, headline: `Why ${index}` }));
  const bad = anIssue({ ruleCode: 'R-0', headline: '', summary: 'Bad' });
  const rest = times(others, (index) => aContent({ paths: [`one-${index}.mp4`], issues: [bad] }));
  const summary = page({ contents: [aContent({ paths: ['most.mp4', 'copy.mp4'], issues }), ...rest] });
  expect(summary.match(/^\| .*\| (?:<b>|Issues).*$/gm)?.slice(0, 3)).toEqual(expected);
});

it('the summary of a large run counts what it leaves out, of every kind', () => {
  const issue = anIssue({ precedents: times(12, () => ({ url: '', title: 'Case', decision: '', date: '' })) });
  const topics = times(7, (index) => ({ title: `Claim ${index}`, issueIds: [issue.id] }));
  const contents = [
    aContent({ paths: ['copy.png', ...times(7, (index) => `copy-${index}.png`)], issues: [issue], topics }),
    ...times(25, (index) => aContent({ issues: [anIssue({ ruleCode: `R-${index}`, severity: 'MINOR' })] })),
    ...times(70, () => aContent()),
  ];
  const causes = times(30, (index) => ({ ...cause, message: `Broken ${index}.` }));
  const notices = times(29, (index) => `Notice ${index}.`);
  const summary = page({ contents, causes, notices, reportUrl: 'https://reports.example/7' });
  const text = shown(summary);
  expect(summary).toContain('**All 25** are in <a href="https://reports.example/7"><code>report.html</code></a>');
  // A table with more columns does not fit on a phone.
  for (const [line] of summary.matchAll(/^\|.*\|$/gm)) expect(line.split(' | ').length).toBeLessThanOrEqual(3);
  const counted = [...text.matchAll(/and (\d+) more( \w+)?/g)].map(([, number, noun = '']) => number + noun);
  // The copies of the first file are counted four times: in the headline, twice at its issue, in the list of files.
  expect(counted).toEqual(['7', '20 problems', '7', '2', '5', '2', '19 rules', '19 notices', '7', '46 rows']);
});

/** The elements that our own Markdown contains. */
const OURS = new Set(
  'h2 h3 p br hr ol ul li table thead tbody tr th td details summary blockquote div pre code b strong a'.split(' '),
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
  for (const text of HOSTILE_TEXTS) expectOurs(withTexts(fullReport(), () => text));
  fc.assert(fc.property(anyReport, expectOurs), { numRuns: 25 });
});

/** A summary with ten issues whose texts have this length. */
function pageWith(length: number): string {
  const text = '@'.repeat(length);
  const precedents = times(10, () => ({ url: '', title: text, decision: text, date: '' }));
  const issues = (['CRITICAL', 'MINOR'] as const).flatMap((severity) =>
    times(5, () => anIssue({ severity, summary: text, reasoning: text, precedents })),
  );
  return page({ contents: [aContent({ issues })] });
}

it('a summary is never so large that GitHub drops it, and leaves out no part before', () => {
  const isWhole = (length: number): boolean => !pageWith(length).includes('There is no room');
  // The longest texts for which everything still fits.
  let [fits, tooLong] = [1, 1_000];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (isWhole(middle)) fits = middle;
    else tooLong = middle;
  }
  const largest = bytes(pageWith(fits));
  expect(largest).toBeLessThan(1_048_576);
  expect(largest).toBeGreaterThan(1_048_576 - 16_384);
});

it('a comment that has no room for a part leaves out all after it', () => {
  // GitHub limits a comment by its bytes, and each of these characters takes three.
  const texts = { summary: '広告'.repeat(2_000), reasoning: '広告'.repeat(2_000) };
  const issues = [...times(5, () => anIssue(texts)), anIssue({ severity: 'MINOR', headline: 'Small' })];
  const comment = renderComment(aReport({ contents: [aContent({ issues })] }), '<!-- gate -->');
  expect(bytes(comment)).toBeLessThanOrEqual(65_536);
  expect(comment.match(/<details/g)).toHaveLength(2);
  expect(comment).toMatch(/There is no room for more here\. .*\n\n---\n\n\*\*What it cost:/);
  expect(comment).not.toContain('Small');
});

it('a comment starts with a hidden marker, and has no files and nothing that does not count', () => {
  const issues = [anIssue({ headline: 'Counts' }), anIssue({ headline: 'Waived', standing: 'waived' })];
  const comment = renderComment(aReport({ contents: [aContent({ issues })], headline: 'why' }), '<!-- gate -->');
  expect(comment).toMatch(/^<!-- gate -->\n\n## ❌ FAIL: why\n/);
  expect(comment).toContain('Counts');
  expect(comment).not.toMatch(/Waived|<summary>Files/);
});
