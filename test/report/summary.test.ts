import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asGitHub, parseMarkdown } from '../../scripts/pictures/github-page.ts';
import type { Cause } from '../../src/lib/cause.ts';
import { renderSummary } from '../../src/report/summary.ts';
import { anyReport } from './arbitrary.ts';
import { anAsset, anIssue, aReport } from './fixtures.ts';
import { content, failedBy, inSandbox, notSent, reportOf, result, type SampleRun, sent } from './runs.ts';
import { AUTOLINKS, look } from './tree.ts';

const shown = (markdown: string): string => look(parseMarkdown(markdown)).text.replaceAll('\u200b', '');

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
    const summary = renderSummary(reportOf(notSent([], failedBy(cause))));
    expect(shown(summary)).toMatch(/^🛑 ERROR: error-pages\/404\.png: The file is empty\./u);
  });

  it.each<[string, SampleRun, RegExp]>([
    ['passes', sent([result(content('a'))]), /^[^(]*: nothing was analysed$/],
    [
      'ends in an error with the same text',
      sent([result(content('a'))], failedBy({ reason: 'service', message: 'Nothing was analysed.', fix: '' })),
      /ERROR: Nothing was analysed\. \(sandbox: nothing was analysed\)$/,
    ],
  ])('says of a sandbox run that nothing was analysed, once: %s', (_, sample, title) => {
    const summary = renderSummary(reportOf(inSandbox(sample)));
    expect(summary.split('\n')[0]).toMatch(title);
    expect(shown(summary)).toContain('A sandbox key costs no credits.');
  });

  it('warns if an error leaves the check passing', () => {
    expect(renderSummary(aReport({ verdict: 'error', isPassing: true })).startsWith('## ⚠️ ERROR')).toBe(true);
  });

  it('counts what it leaves out: paths, precedents, topics, steps, notices', () => {
    const precedents = Array.from({ length: 12 }, () => ({ url: '', title: 'Case', decision: '', date: '' }));
    const paths = Array.from({ length: 7 }, (_, index) => `copy-${index}.png`);
    const issue = anIssue({ precedents });
    const topics = Array.from({ length: 7 }, () => ({ title: 'Claims', issueIds: [issue.id] }));
    const assets = [anAsset({ paths, issues: [issue], topics })];
    const nextSteps = Array.from({ length: 11 }, () => 'A step.');
    const notices = Array.from({ length: 25 }, (_, index) => `Notice ${index}.`);
    const summary = shown(renderSummary(aReport({ assets, nextSteps, notices })));
    // The steps, the precedents, the facts about the issue, the table of files, the topics, the notices, and the title of
    // the issue.
    const counts = [1, 2, 2, 4, 4, 5, 6];
    expect(summary.match(/and \d more/g)?.toSorted()).toEqual(counts.map((left) => `and ${left} more`));
  });

  it('shows everything about an issue', () => {
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

  it('shows what could not be judged, how often it was tried and what to do', () => {
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

  it('shows in the row of a failed file how often it was tried', () => {
    const summary = shown(
      renderSummary(
        aReport({ verdict: 'error', reason: 'asset-failed', assets: [anAsset({ outcome: 'failed', retries: 2 })] }),
      ),
    );
    expect(summary).toContain('not judged');
    expect(summary).toContain('tried again 2 times');
  });

  it('does not show a single cause twice', () => {
    const cause = { reason: 'auth', message: 'The key is not known.', fix: 'Check the key.' } as const;
    const summary = shown(
      renderSummary(
        aReport({ verdict: 'error', reason: 'auth', headline: cause.message, nextSteps: [cause.fix], causes: [cause] }),
      ),
    );
    expect(summary.split(cause.message)).toHaveLength(2);
    expect(summary.split(cause.fix)).toHaveLength(2);
  });

  it('shows what was sent and billed', () => {
    const assets = [
      anAsset({ source: 'sent' }),
      ...Array.from({ length: 3 }, () => anAsset({ source: 'reused' })),
      anAsset({ source: 'awaited' }),
    ];
    expect(shown(renderSummary(aReport({ assets })))).toContain('1 sent, 3 reused, 1 sent by an earlier run');
  });

  it('shows what was fixed, waived and closed', () => {
    const waiver = { owner: 'legal', reason: 'licence bought', expires: '2027-01-01' };
    const asset = anAsset({
      issues: [anIssue({ standing: 'waived', waiver }), anIssue({ standing: 'ignored', status: 'DISMISSED' })],
      fixed: [anIssue({ ruleCode: 'OLD-1' })],
    });
    const text = shown(renderSummary(aReport({ assets: [asset] })));
    expect(text).toContain('not counted: 1 waived, 1 closed at the service');
    expect(text).toContain('licence bought (legal, until 2027-01-01)');
    expect(text).toContain('since the version before: 0 new, 2 stayed, 1 fixed');
  });
});

describe('renderSummary with hostile texts', () => {
  /** Everything that our own page may hold. */
  const OURS = new Set(
    'h2 h3 p br hr ol ul li table thead tbody tr th td details summary blockquote div code b strong a sub'.split(' '),
  );

  it('has only our own structure, web links and no mentions', () => {
    fc.assert(
      fc.property(anyReport, (report) => {
        const summary = renderSummary(report);
        const tree = parseMarkdown(summary);
        const found = look(tree);
        expect(found.elements.filter((name) => !OURS.has(name))).toEqual([]);
        expect(found.comments).toBe(0);
        for (const prose of found.prose) for (const pattern of AUTOLINKS) expect(prose).not.toMatch(pattern);
        for (const [, href = ''] of asGitHub(summary).matchAll(/ href="([^"]*)"/g)) expect(href).toMatch(/^https?:/);
        // A file that was not judged may be in the table of causes instead.
        const isListed = report.assets.some(({ source, outcome }) => source !== 'not-sent' && outcome === 'judged');
        if (isListed) expect(summary).toContain('\n| File | Issues');
      }),
      { numRuns: 40 },
    );
  });
});
