import { describe, expect, it } from 'vitest';
import { renderSummary } from '../../src/report/summary.ts';
import { crowdedReport } from './arbitrary.ts';
import { anAsset, anIssue, aReport } from './fixtures.ts';

/** What is on the page and what is left out, by its text: no parser is needed to see that. */

const bytes = (text: string): number => Buffer.byteLength(text);

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
      anAsset({ paths: ['late.mp4', 'copy.mp4'], source: 'not-sent', outcome: 'unjudged' }),
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
      '2 files not submitted',
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
    expect(summary).toMatch(/\n<details><summary>2 files not submitted<\/summary>\n\n\| File (.*\n){3}\n<\/details>\n/);
  });

  it('are only those that have something in them', () => {
    const empty = renderSummary(aReport());
    expect(outline(empty)).toEqual([]);
    expect(empty.split('\n\n')).toHaveLength(6);
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

  it('tell why something was not judged, beside what was found', () => {
    const assets = [anAsset({ issues: [anIssue()] }), anAsset({ outcome: 'unjudged' })];
    const summary = renderSummary(aReport({ verdict: 'fail', assets, causes: [cause] }));
    expect(summary).toContain(
      '\n### What could not be judged\n\n| What happened | What to do |\n| --- | --- |\n| Broken. |',
    );
    const alone = renderSummary(aReport({ verdict: 'error', assets, causes: [cause] }));
    expect(outline(alone)).not.toContain('What could not be judged');
  });

  it('speak of no files where none was looked at', () => {
    const causes = [cause, { ...cause, path: 'a.png' }];
    expect(outline(renderSummary(aReport({ verdict: 'error', causes })))).toContain('What is wrong');
    expect(renderSummary(aReport({ verdict: 'error', causes }))).toContain('\n| – | Broken. | Mend it. |\n');
  });

  it('link to the page that explains the reason, where that is known', () => {
    const report = aReport({ verdict: 'error', reason: 'timeout', nextSteps: ['Wait.'] });
    const docs = 'https://github.com/o/gate/blob/v1/docs';
    expect(renderSummary({ ...report, docs })).toContain(
      `1. Wait.\n\nMore about <code>timeout</code>: <a href="${docs}/troubleshooting.md#timeout">troubleshooting</a>.`,
    );
    expect(renderSummary(report)).not.toContain('troubleshooting');
    expect(renderSummary({ ...report, reason: '', docs })).not.toContain('troubleshooting');
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
    expect(outline(summary)).toEqual(['Files, worst first', '1 file not submitted']);
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

describe('a summary inside the limit', () => {
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

  it('counts files, not contents', () => {
    const paths = ['a.mp4', 'b.mp4'];
    const assets = [
      ...Array.from({ length: 300 }, () => anAsset({ paths, outcome: 'failed' })),
      ...Array.from({ length: 300 }, () => anAsset({ paths })),
      ...Array.from({ length: 300 }, () => anAsset({ paths, source: 'not-sent', outcome: 'unjudged' })),
    ];
    for (const limit of [20_000, 60_000, 100_000, 140_000]) {
      const summary = renderSummary(aReport({ assets }), limit);
      const rows = summary.match(/^\| \S+&nbsp;<code>/gm)?.length ?? 0;
      expect(2 * rows + (leftOut(summary)['file'] ?? 0)).toBe(1_800);
    }
  });

  it('says where the rest is, even where no report was kept', () => {
    const { fullReport: _, ...report } = crowdedReport();
    expect(renderSummary(report, 50_000)).toContain('. Everything is in the report files of this run.');
  });

  it.each([20_000, 50_000, 200_000, 1_000_000])('fits %i bytes', (limit) => {
    expect(bytes(renderSummary(crowdedReport(), limit))).toBeLessThanOrEqual(limit);
  });

  it('spends what it has on issues, and counts those that have no room', () => {
    const limit = 60_000;
    const summary = renderSummary(
      aReport({ assets: [anAsset({ issues: Array.from({ length: 800 }, () => anIssue()) })] }),
      limit,
    );
    const shown = summary.match(/^<div>[^<]*<b>CRITICAL/gm)?.length ?? 0;
    expect(bytes(summary)).toBeLessThanOrEqual(limit);
    expect(bytes(summary)).toBeGreaterThan(limit - 4_000);
    expect(leftOut(summary)).toEqual({ issue: 800 - shown, 'the details of issue': shown });
  });

  it('has nothing but its frame where there is room for nothing', () => {
    expect(renderSummary(aReport(), 2_048)).toBe('---\n');
  });

  it('drops nothing where all fits', () => {
    const assets = Array.from({ length: 20 }, () => anAsset({ issues: [anIssue(), anIssue({ severity: 'INFO' })] }));
    const summary = renderSummary(aReport({ assets }));
    expect(summary).not.toContain('shortened');
    expect(summary.match(/<blockquote>/g)).toHaveLength(40);
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
