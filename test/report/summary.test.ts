import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asGitHub, parseMarkdown } from '../../scripts/pictures/github-page.ts';
import type { Cause } from '../../src/cause.ts';
import { Budget } from '../../src/report/budget.ts';
import { worstFirst } from '../../src/report/order.ts';
import { fitIssues, renderSummary } from '../../src/report/summary.ts';
import { SEVERITIES } from '../../src/service/issue.ts';
import type { Trail } from '../../src/trail.ts';
import { anyReport, crowdedReport } from './arbitrary.ts';
import { anAsset, anIssue, aReport } from './fixtures.ts';
import { content, inSandbox, notSent, reportOf, result, sent } from './trails.ts';
import { AUTOLINKS, look } from './tree.ts';

const shown = (markdown: string): string => look(parseMarkdown(markdown)).text.replaceAll('\u200b', '');
const rank = (name: string): number => SEVERITIES.findIndex((severity) => severity === name);
const bytes = (text: string): number => Buffer.byteLength(text);

describe('renderSummary', () => {
  it.each([
    ['fail', 'live', '## ❌ FAIL&#58; 2 issues'],
    ['pass', 'live', '## ✅ PASS&#58; 2 issues'],
    ['error', 'live', '## 🛑 ERROR&#58; 2 issues'],
    ['skipped', '', '## ⏭️ NOT CHECKED&#58; 2 issues'],
  ] as const)('has the verdict %s and why in its first line', (verdict, mode, start) => {
    const summary = renderSummary(aReport({ verdict, mode, headline: '2 issues' }));
    expect(summary.split('\n')[0]).toBe(start.replace('&#58;', ':'));
  });

  it('says the verdict whatever the headline begins with', () => {
    const cause: Cause = { reason: 'pre-flight', message: 'The file is empty.', fix: '', path: 'error-pages/404.png' };
    const summary = renderSummary(reportOf(notSent([], { stoppedBy: [cause] })));
    expect(shown(summary)).toMatch(/^🛑 ERROR: error-pages\/404\.png: The file is empty\./u);
  });

  it.each<[string, Trail, RegExp]>([
    ['passes', sent([result(content('a'))]), /^[^(]*: nothing was analysed$/],
    [
      'ends in an error that says these words',
      sent([result(content('a'))], { stoppedBy: [{ reason: 'service', message: 'Nothing was analysed.', fix: '' }] }),
      /ERROR: Nothing was analysed\. \(sandbox: nothing was analysed\)$/,
    ],
  ])('says of a sandbox run that nothing was analysed, once: %s', (_, trail, title) => {
    const summary = renderSummary(reportOf(inSandbox(trail)));
    expect(summary.split('\n')[0]).toMatch(title);
    expect(shown(summary)).toContain('A sandbox key costs no credits.');
  });

  it('warns where an error leaves the check green', () => {
    expect(renderSummary(aReport({ verdict: 'error', green: true })).startsWith('## ⚠️ ERROR')).toBe(true);
  });

  it('tells everything about an issue', () => {
    const issue = anIssue({
      referenceNumber: 77,
      ruleCode: 'AD-9',
      headline: 'Short why',
      summary: 'What is wrong',
      reasoning: 'First.\nSecond.',
      url: 'https://service.example/issues/77',
      isNew: true,
      precedents: [
        { url: 'https://law.example/1', title: 'Case one', decision: 'Upheld', date: '2024-05-06' },
        { url: 'javascript:alert(1)', title: 'Case two', decision: 'Upheld', date: '2024' },
      ],
    });
    const topic = { title: 'Health claims', issueIds: [issue.id] };
    const summary = renderSummary(
      aReport({ assets: [anAsset({ paths: ['ad.mp4'], issues: [issue], topics: [topic] })] }),
    );
    const text = shown(summary);
    for (const part of ['CRITICAL', 'AD-9', '#77', 'Short why', 'What is wrong', 'Case two', 'Health claims', 'new']) {
      expect(text).toContain(part);
    }
    const page = asGitHub(summary);
    expect(page).toContain('<a href="https://service.example/issues/77">');
    expect(page).toContain('<a href="https://law.example/1">Case one</a>');
    expect(page).toContain('First.<br>Second.');
    expect(page).not.toContain('javascript:');
  });

  it('tells what could not be judged, how often it was tried and what to do', () => {
    const summary = renderSummary(
      aReport({
        verdict: 'error',
        reason: 'asset-failed',
        causes: [
          { reason: 'asset-failed', message: 'Decoder gave up.', fix: 'Encode it again.', path: 'bad.mp4' },
          { reason: 'results', message: 'Results are missing.', fix: 'Re-run with `dry-run: true`.' },
        ],
        assets: [anAsset({ paths: ['bad.mp4'], outcome: 'failed', retries: 2 })],
      }),
    );
    expect(shown(summary)).toContain('Decoder gave up.');
    expect(shown(summary)).toContain('Encode it again.');
    expect(summary).toContain('Re-run with <code>dry-run: true</code>.');
  });

  it('tells in the row of a failed file how often it was tried, where no table names it', () => {
    const summary = shown(
      renderSummary(
        aReport({ verdict: 'error', reason: 'asset-failed', assets: [anAsset({ outcome: 'failed', retries: 2 })] }),
      ),
    );
    expect(summary).toContain('analysis failed');
    expect(summary).toContain('tried again 2 times');
  });

  it('does not tell a single cause twice', () => {
    const cause = { reason: 'auth', message: 'The key is not known.', fix: 'Check the key.' } as const;
    const summary = shown(
      renderSummary(
        aReport({ verdict: 'error', reason: 'auth', headline: cause.message, nextSteps: [cause.fix], causes: [cause] }),
      ),
    );
    expect(summary.split(cause.message)).toHaveLength(2);
    expect(summary.split(cause.fix)).toHaveLength(2);
  });

  it('tells what it cost', () => {
    const assets = [
      anAsset({ source: 'sent' }),
      ...Array.from({ length: 3 }, () => anAsset({ source: 'reused' })),
      anAsset({ source: 'awaited' }),
    ];
    expect(shown(renderSummary(aReport({ assets })))).toContain('1 sent, 3 reused, 1 sent by an earlier run');
  });

  it('folds clean files away where there are many', () => {
    const assets = [anAsset({ issues: [anIssue()] }), ...Array.from({ length: 40 }, () => anAsset())];
    expect(renderSummary(aReport({ assets }))).toContain('<details><summary>40 files without any issue</summary>');
  });

  it('shows what was fixed, waived and closed', () => {
    const waiver = { owner: 'legal', reason: 'licence bought', expires: '2027-01-01' };
    const asset = anAsset({
      issues: [anIssue({ standing: 'waived', waiver }), anIssue({ standing: 'ignored', status: 'DISMISSED' })],
      fixed: [anIssue({ ruleCode: 'OLD-1' })],
    });
    const text = shown(renderSummary(aReport({ assets: [asset] })));
    expect(text).toContain('Not counted: 1 waived, 1 closed in the service.');
    expect(text).toContain('licence bought (legal, until 2027-01-01)');
    expect(text).toContain('OLD-1');
  });
});

/** Titles of sections and of what is folded, in order. */
function outline(summary: string): readonly string[] {
  return [...summary.matchAll(/^### (.*)$|^<details><summary>(\d.*)<\/summary>$/gm)].map(
    ([, title, folded]) => title ?? folded ?? '',
  );
}

/** How many issues are shown unfolded. */
const unfolded = (issues: readonly ReturnType<typeof anIssue>[]): number =>
  renderSummary(aReport({ assets: [anAsset({ issues })] })).split('<details open>').length - 1;

describe('the sections of a summary', () => {
  const cause = { reason: 'asset-failed', message: 'Broken.', fix: 'Mend it.' } as const;

  it('stand in the order in which a reader needs them', () => {
    const issues = [
      anIssue(),
      anIssue({ severity: 'MINOR' }),
      anIssue({ standing: 'known', isNew: false }),
      anIssue({ standing: 'waived' }),
    ];
    const assets = [
      anAsset({ issues, fixed: [anIssue(), anIssue()] }),
      anAsset({ paths: ['bad.mp4'], outcome: 'failed' }),
      anAsset({ source: 'not-sent', outcome: 'unjudged' }),
      ...Array.from({ length: 12 }, () => anAsset()),
    ];
    const causes = [{ ...cause, path: 'bad.mp4' }, cause];
    const summary = renderSummary(aReport({ assets, causes, nextSteps: ['Look.'], notices: ['By the way.'] }));
    expect(outline(summary)).toEqual([
      'What to do now',
      'What could not be judged',
      'Issues by severity',
      'Files, worst first',
      '12 files without any issue',
      '1 file not sent',
      'Issues that stop the check, worst first',
      'Other active issues',
      'Issues that do not count',
      'Fixed since the version before',
      'Also good to know',
    ]);
    expect(summary.indexOf('Look here first')).toBeLessThan(summary.indexOf('### What to do now'));
    expect(summary).toMatch(/\n\n---\n\n\*\*What it cost:\*\* [^\n]*\n\n<sub>[^\n]*<\/sub>\n$/);
    expect(summary).not.toMatch(/\n{3}|shortened/);
    expect(summary.match(/^<div>✅ was .* in <code>/gm)).toHaveLength(2);
    expect(summary).toContain('\n### Files, worst first\n\n| File |');
    expect(summary).toContain('\n### What could not be judged\n\n| File | What happened |');
    expect(summary).toMatch(/\n<details><summary>1 file not sent<\/summary>\n\n\| File (.*\n){3}\n<\/details>\n/);
  });

  it('are only those that have something in them', () => {
    expect(outline(renderSummary(aReport()))).toEqual([]);
    const active = aReport({ assets: [anAsset({ issues: [anIssue({ severity: 'MINOR' })] })] });
    expect(outline(renderSummary(active))).toEqual(['Issues by severity', 'Files, worst first', 'Active issues']);
    const waived = aReport({ assets: [anAsset({ issues: [anIssue({ standing: 'waived' })] })] });
    expect(outline(renderSummary(waived))).toEqual([
      'Issues by severity',
      'Files, worst first',
      'Issues that do not count',
    ]);
  });

  it.each([
    [10, ['Files, worst first']],
    [11, ['11 files without any issue']],
  ])('%i clean files', (number, expected) => {
    expect(outline(renderSummary(aReport({ assets: Array.from({ length: number }, () => anAsset()) })))).toEqual(
      expected,
    );
  });

  it('unfold the first five issues that stop the check, and no others', () => {
    expect(unfolded(Array.from({ length: 7 }, () => anIssue()))).toBe(5);
    expect(unfolded([anIssue(), anIssue({ severity: 'MINOR' })])).toBe(1);
    expect(unfolded([anIssue({ severity: 'MINOR' })])).toBe(0);
  });

  const row = /^\| \S+&nbsp;<code>(.*?)<\/code>/gm;
  it.each([
    ['failed, and told in the table of causes', { outcome: 'failed' }, ['bad.mp4', 'other.mp4'], []],
    ['failed, and not told', { outcome: 'failed' }, ['other.mp4', 'another.mp4'], ['bad.mp4']],
    [
      'not whole, but with an issue',
      { outcome: 'unjudged', issues: [anIssue()] },
      ['bad.mp4', 'other.mp4'],
      ['bad.mp4'],
    ],
    ['judged all the same', { outcome: 'judged' }, ['bad.mp4', 'other.mp4'], ['bad.mp4']],
    ['failed, and the only cause, which is no table', { outcome: 'failed' }, ['bad.mp4'], ['bad.mp4']],
    ['one of two copies that is told', { outcome: 'failed', paths: ['copy.mp4', 'bad.mp4'] }, ['bad.mp4', 'x'], []],
  ] as const)('a file that is %s', (_, facts, blamed, expected) => {
    const causes = blamed.map((path) => ({ ...cause, path }));
    const summary = renderSummary(
      aReport({ verdict: 'error', assets: [anAsset({ paths: ['bad.mp4'], ...facts })], causes }),
    );
    expect([...summary.matchAll(row)].map(([, path]) => path)).toEqual(expected);
  });

  it('tell a file that was not sent apart, unless it is the one to blame', () => {
    const unsent = { source: 'not-sent', outcome: 'unjudged' } as const;
    const assets = [anAsset({ paths: ['a.mp4'], ...unsent }), anAsset({ paths: ['b.mp4'], ...unsent })];
    const summary = renderSummary(aReport({ verdict: 'error', assets, causes: [{ ...cause, path: 'b.mp4' }] }));
    expect(outline(summary)).toEqual(['Files, worst first', '1 file not sent']);
    expect(summary.indexOf('b.mp4')).toBeLessThan(summary.indexOf('a.mp4'));
  });
});

/** What the note says was left out: "1,990 files, 3 problems" as numbers by name. */
function leftOut(summary: string): Record<string, number> {
  const [, note = ''] = /Left out, least severe first: (.*?)\. Everything is in /.exec(summary) ?? [];
  return Object.fromEntries(
    note
      .split(', ')
      .filter((part) => part !== '')
      .map((part) => {
        const [, before = '', number = '', noun = ''] = /^(the details of )?([\d,]+) (.*?)s?$/.exec(part) ?? [];
        return [before + noun, Number(number.replaceAll(',', ''))];
      }),
  );
}

describe('renderSummary inside the limit', () => {
  it('counts all that it drops, of every kind', () => {
    const words = 'Words that take up room. '.repeat(8);
    const causes = Array.from({ length: 300 }, (_, index) => ({
      reason: 'asset-failed' as const,
      message: words,
      fix: words,
      path: `failed-${index}.mp4`,
    }));
    const issues = Array.from({ length: 200 }, () => anIssue({ severity: 'MAJOR', summary: words, reasoning: words }));
    const assets = [
      ...Array.from({ length: 300 }, () => anAsset({ issues: [], outcome: 'unjudged' })),
      anAsset({ issues, fixed: Array.from({ length: 500 }, () => anIssue({ headline: words })) }),
      ...Array.from({ length: 200 }, () => anAsset()),
      ...Array.from({ length: 100 }, () => anAsset({ source: 'not-sent', outcome: 'unjudged' })),
    ];
    const limit = 110_000;
    const summary = renderSummary(aReport({ assets, causes }), limit);
    const dropped = leftOut(summary);
    const shown = {
      file: summary.match(/^\| \S+&nbsp;<code>/gm)?.length ?? 0,
      problem: summary.match(/^\| <code>failed-/gm)?.length ?? 0,
      issue: (summary.match(/<summary>[^<]*<b>MAJOR|<div>[^✅<]*<b>MAJOR/g) ?? []).length,
      'fixed issue': summary.match(/^<div>✅ was /gm)?.length ?? 0,
      detailed: summary.match(/<blockquote>/g)?.length ?? 0,
    };
    expect(bytes(summary)).toBeLessThanOrEqual(limit);
    expect(Object.keys(dropped)).toEqual(['file', 'problem', 'the details of issue', 'fixed issue']);
    expect(shown.file + (dropped['file'] ?? 0)).toBe(601);
    expect(shown.problem + (dropped['problem'] ?? 0)).toBe(300);
    expect(shown.issue + (dropped['issue'] ?? 0)).toBe(200);
    expect(shown['fixed issue'] + (dropped['fixed issue'] ?? 0)).toBe(500);
    expect(shown.detailed + (dropped['the details of issue'] ?? 0)).toBe(shown.issue);
    // Causes get a fifth, files a third of what is left; the issues get the rest, before what was fixed and what is clean.
    expect(shown.problem).toBeGreaterThan(20);
    expect(shown.problem).toBeLessThan(60);
    expect(shown.file).toBeGreaterThan(100);
    expect(shown.issue).toBe(200);
    expect(shown.detailed).toBeGreaterThan(0);
    expect(bytes(summary)).toBeGreaterThan(limit - 6_000);
  });

  it('says where the rest is, even where no report was kept', () => {
    const { fullReport: _, ...report } = crowdedReport();
    expect(renderSummary(report, 50_000)).toContain('. Everything is in the report files of this run.');
  });

  it('keeps the worst of a crowded run and counts what it drops', () => {
    const report = crowdedReport();
    const limit = 300_000;
    const summary = renderSummary(report, limit);
    expect(bytes(summary)).toBeLessThanOrEqual(limit);
    const text = shown(summary);
    expect(text).toContain('This page is shortened');
    expect(text).toContain('artifact media-compliance-report');
    const severities = [...summary.matchAll(/<b>(CRITICAL|MAJOR|MINOR|INFO)<\/b>/g)].map(([, name = '']) => name);
    const dropped = Number(/([\d,]+) issues?, the details/.exec(text)?.[1]?.replace(',', ''));
    expect(severities.length + dropped).toBe(3_200);
    expect(severities.toSorted((a, b) => rank(a) - rank(b))).toEqual(severities);
    expect(text).toMatch(/Critical\s+🟥+\s+800/u);
  });

  it.each([20_000, 50_000, 200_000, 1_000_000])('fits %i bytes', (limit) => {
    expect(bytes(renderSummary(crowdedReport(), limit))).toBeLessThanOrEqual(limit);
  });

  it('pays for every issue that it shows, wherever the details stop to fit', () => {
    fc.assert(
      fc.property(anyReport, fc.integer({ min: 0, max: 20_000 }), (report, limit) => {
        const budget = new Budget(limit);
        const { lines } = fitIssues(worstFirst(report), budget);
        expect(lines.reduce((sum, line) => sum + bytes(line) + 1, 0)).toBe(limit - budget.left);
        expect(budget.left).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 200 },
    );
  });

  it('drops nothing where all fits', () => {
    const assets = Array.from({ length: 20 }, () => anAsset({ issues: [anIssue(), anIssue({ severity: 'INFO' })] }));
    const summary = renderSummary(aReport({ assets }));
    expect(summary).not.toContain('shortened');
    expect(summary.match(/<blockquote>/g)).toHaveLength(40);
  });

  it('drops clean files before anything else', () => {
    const assets = [anAsset({ issues: [anIssue()] }), ...Array.from({ length: 2_000 }, () => anAsset())];
    const summary = renderSummary(aReport({ assets }), 70_000);
    expect(bytes(summary)).toBeLessThanOrEqual(70_000);
    expect(summary).toContain('<blockquote>');
    expect(shown(summary)).toMatch(/Left out, least severe first: 1,\d{3} files\./);
  });

  it('takes 10,000 files with 50,000 issues and a reasoning of 10 MB', () => {
    const huge = 'A long <reason>.\n'.repeat(600_000);
    const assets = Array.from({ length: 10_000 }, () =>
      anAsset({ issues: Array.from({ length: 5 }, () => anIssue({ reasoning: huge })) }),
    );
    const summary = renderSummary(aReport({ assets }));
    expect(bytes(summary)).toBeLessThanOrEqual(1_048_576);
    expect(bytes(summary)).toBeGreaterThan(900_000);
  });
});

describe('renderSummary with hostile words', () => {
  /** Everything that our own page may hold. */
  const OURS = new Set(
    'h2 h3 p br hr ol ul li table thead tbody tr th td details summary blockquote div code b strong a sub'.split(' '),
  );

  it('holds only our own structure, links only the web and notifies nobody', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const summary = renderSummary(report);
        const tree = parseMarkdown(summary);
        const found = look(tree);
        expect(found.elements.filter((name) => !OURS.has(name))).toEqual([]);
        expect(found.comments).toBe(0);
        for (const prose of found.prose) for (const pattern of AUTOLINKS) expect(prose).not.toMatch(pattern);
        for (const [, href = ''] of asGitHub(summary).matchAll(/ href="([^"]*)"/g)) expect(href).toMatch(/^https?:/);
        const rows = report.assets.length > 0 ? /\n\| File \| Kind/.test(summary) : true;
        expect(rows).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
