import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { renderSummary } from '../../src/report/summary.ts';
import { crowdedReport } from './arbitrary.ts';
import { anAsset, anIssue, aReport } from './fixtures.ts';
import { manyFiles } from './many-files.ts';

/** What is on the page and what is left out, by its text: no parser is needed to see that. */

const bytes = (text: string): number => Buffer.byteLength(text);

/** Titles of sections and of what is folded, in order. */
function outline(summary: string): readonly string[] {
  return [...summary.matchAll(/^### (.*)$|^<details><summary>(Files.*)<\/summary>$/gm)].map(
    ([, title, folded]) => title ?? folded ?? '',
  );
}

/** How many issues are shown unfolded. */
const unfolded = (issues: readonly ReturnType<typeof anIssue>[]): number =>
  renderSummary(aReport({ assets: [anAsset({ issues })] })).split('<details open>').length - 1;

describe('the sections of a summary', () => {
  const cause = { reason: 'asset-failed', message: 'Broken.', fix: 'Fix it.' } as const;

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
      'Issues that stop the check, worst first',
      'Active issues that do not stop the check',
      'Issues that do not count',
      'Files: 1 with issues, 3 not judged, 12 without issues',
      'Also good to know',
    ]);
    expect(summary).toMatch(/\n\n---\n\n\*\*What it cost:\*\* [^\n]*\n\n[^\n]*\n$/);
    expect(summary).not.toMatch(/\n{3}|shortened/);
    expect(summary).toContain('\n### What could not be judged\n\n| File | What happened |');
    expect(summary).toMatch(/<\/summary>\n\n\| File \| Issues \|\n\| :-- \| :-- \|\n(\| .*\n){15}\n<\/details>\n/);
  });

  it('are only those that have something in them', () => {
    const empty = renderSummary(aReport());
    expect(outline(empty)).toEqual([]);
    expect(empty.split('\n\n')).toHaveLength(5);
    const active = aReport({ assets: [anAsset({ issues: [anIssue({ severity: 'MINOR' })] })] });
    expect(outline(renderSummary(active))).toEqual([
      'Active issues that do not stop the check',
      'Files: 1 with issues',
    ]);
    const waived = aReport({ assets: [anAsset({ issues: [anIssue({ standing: 'waived' })] })] });
    expect(outline(renderSummary(waived))).toEqual(['Issues that do not count', 'Files: 1 with issues']);
    const sandbox = aReport({ mode: 'sandbox', assets: [anAsset()] });
    expect(outline(renderSummary(sandbox))).toEqual(['Files: 1 not analysed']);
    const unsent = aReport({ verdict: 'error', assets: [anAsset({ source: 'not-sent', outcome: 'unjudged' })] });
    expect(outline(renderSummary(unsent))).toEqual([]);
  });

  it('say why something was not judged, beside what was found', () => {
    const assets = [anAsset({ issues: [anIssue()] }), anAsset({ outcome: 'unjudged' })];
    const summary = renderSummary(aReport({ verdict: 'fail', assets, causes: [cause] }));
    expect(summary).toContain(
      '\n### What could not be judged\n\n| What happened | What to do |\n| --- | --- |\n| Broken. |',
    );
    const alone = renderSummary(aReport({ verdict: 'error', assets, causes: [cause] }));
    expect(outline(alone)).not.toContain('What could not be judged');
  });

  it('speak of no files if none was checked', () => {
    const causes = [cause, { ...cause, path: 'a.png' }];
    expect(outline(renderSummary(aReport({ verdict: 'error', causes })))).toContain('What is wrong');
    expect(renderSummary(aReport({ verdict: 'error', causes }))).toContain('\n| – | Broken. | Fix it. |\n');
  });

  it('link to the page that explains the reason, if that is known', () => {
    const report = aReport({ verdict: 'error', reason: 'timeout', nextSteps: ['Wait.'] });
    const docs = 'https://github.com/o/gate/blob/v1/docs';
    expect(renderSummary({ ...report, docs })).toContain(
      `1. Wait.\n\nMore about <code>timeout</code>: <a href="${docs}/troubleshooting.md#timeout">troubleshooting</a>.`,
    );
    expect(renderSummary(report)).not.toContain('troubleshooting');
    expect(renderSummary({ ...report, reason: '', docs })).not.toContain('troubleshooting');
  });

  it('unfold up to three issues, if they stop the check', () => {
    expect(unfolded(Array.from({ length: 3 }, () => anIssue()))).toBe(3);
    expect(unfolded(Array.from({ length: 4 }, () => anIssue()))).toBe(0);
    expect(unfolded([anIssue(), anIssue({ severity: 'MINOR' })])).toBe(1);
    expect(unfolded([anIssue({ severity: 'MINOR' })])).toBe(0);
  });

  it('lead to the run where they say to run it again, and to the report', () => {
    const again = { ...cause, fix: 'Wait. Re-run the job.' };
    const causes = [again, { ...again, message: 'Late.' }];
    const nextSteps = ['Dismiss it and re-run this job.'];
    const reportUrl = 'https://github.com/acme/campaigns/actions/runs/1/artifacts/2';
    const page = renderSummary(aReport({ verdict: 'error', causes, nextSteps, reportUrl }));
    const run = '<a href="https://github.com/acme/campaigns/actions/runs/1">';
    expect(page).toContain(`1. Dismiss it and ${run}re-run this job</a>.`);
    expect(page).toContain(`| Late. | Wait. ${run}Re-run the job</a>. |`);
    expect(page.split('\n')[2]).toBe(`<b><a href="${reportUrl}">Open the report</a></b>`);
    expect(page).not.toContain('full report:');
  });

  it('have no table for a cause that headline and next step have said', () => {
    const assets = ['a', 'b'].map((path) => anAsset({ paths: [path], outcome: 'failed' }));
    const alike = assets.map(({ paths: [path = ''] }) => ({ ...cause, path }));
    const [alone, withOther] = [assets, [...assets, anAsset()]].map((all) =>
      outline(renderSummary(aReport({ verdict: 'error', assets: all, causes: alike }))),
    );
    expect(alone).not.toContain('What could not be judged');
    expect(withOther).toContain('What could not be judged');
  });
});

/** What is shown of each kind, and what the page says is not. */
function tally(summary: string, noun: string, row: RegExp): readonly [number, number] {
  const hidden = [
    ...summary.matchAll(new RegExp(`^and ([\\d,]+) more ${noun}s? in <code>report\\.html</code>$`, 'gm')),
  ];
  return [
    summary.match(row)?.length ?? 0,
    hidden.reduce((sum, [, number = '']) => sum + Number(number.replaceAll(',', '')), 0),
  ];
}

describe('a summary of a large run', () => {
  const report = manyFiles(2_000);
  const summary = renderSummary(report);

  it('groups the issues by rule, worst first, with counts that add up', () => {
    const rules = [...summary.matchAll(/^\| \S+&nbsp;<code>(.*?)<\/code> .* \| <b>([\d,]+)<\/b> in/gm)];
    expect(rules.map(([, rule]) => rule)).toEqual(['HEALTH-02', 'PRICE-03', 'HEALTH-05', 'LEGIBLE-01', 'BRAND-09']);
    const total = rules.reduce((sum, [, , number = '']) => sum + Number(number.replace(',', '')), 0);
    expect(total).toBe(report.assets.flatMap(({ issues }) => issues).length);
    expect(summary).toContain('❌&nbsp;341 issues stop the check');
  });

  it('is short enough for two screens, and says where the rest is', () => {
    expect(bytes(summary)).toBeLessThan(30_000);
    expect(outline(summary)).toEqual([
      'What to do now',
      'Issues by rule, worst first',
      'The worst issues',
      'Files: 1,800 with issues, 200 without issues',
      'Also good to know',
    ]);
    expect(summary).toContain(
      '**All 9,000 issues** are in <code>report.html</code> (artifact media-compliance-report of this run)',
    );
    expect(tally(summary, 'row', /^\| <a/gm)).toEqual([50, 1_950]);
  });

  it('has tables that fit a phone', () => {
    for (const [line] of summary.matchAll(/^\|.*\|$/gm)) expect(line.split(' | ').length).toBeLessThanOrEqual(3);
  });

  it.each([
    [20, false],
    [21, true],
  ])('begins above 20 issues: %i', (number, isGrouped) => {
    const issues = Array.from({ length: number }, () => anIssue());
    const page = renderSummary(aReport({ assets: [anAsset({ issues })] }));
    expect(page.includes('Issues by rule')).toBe(isGrouped);
    expect(page.match(/<blockquote>/g)).toHaveLength(isGrouped ? 5 : 20);
  });

  it('counts what it leaves out, of every kind', () => {
    const cause = { reason: 'asset-failed', message: 'Broken.', fix: 'Fix it.' } as const;
    const assets = [
      ...Array.from({ length: 30 }, () => anAsset({ paths: ['a.mp4', 'b.mp4'], outcome: 'failed' })),
      ...Array.from({ length: 25 }, (_, index) => anAsset({ issues: [anIssue({ ruleCode: `R-${index}` })] })),
      ...Array.from({ length: 70 }, () => anAsset({ paths: ['a.mp4', 'b.mp4'] })),
      ...Array.from({ length: 60 }, () => anAsset({ source: 'not-sent', outcome: 'unjudged' })),
    ];
    const causes = Array.from({ length: 30 }, (_, index) => ({
      ...cause,
      message: `Broken ${index}.`,
      path: `failed-${index}.mp4`,
    }));
    const page = renderSummary(aReport({ assets, causes }));
    expect(tally(page, 'problem', /^\| <code>failed-/gm)).toEqual([10, 20]);
    expect(tally(page, 'rule', /^\| 🔴&nbsp;<code>R-/gmu)).toEqual([12, 13]);
    expect(outline(page)).toContain('Files: 120 not judged, 25 with issues, 140 without issues');
    expect(tally(page, 'row', /^\| <code>(a|media)/gm)).toEqual([50, 135]);
  });
});

describe('the same cause of many files', () => {
  const cause = { reason: 'pre-flight', message: 'The file is empty.', fix: 'Add its content.' } as const;
  const paths = Array.from({ length: 12 }, (_, index) => `empty-${index}.mp4`);
  const causes = [...paths.map((path) => ({ ...cause, path })), { ...cause, message: 'Other.', path: 'other.mp4' }];

  it('is one row', () => {
    const page = renderSummary(aReport({ verdict: 'error', causes }));
    expect(page).toContain(
      '| 12 files: <code>empty-0.mp4</code>, <code>empty-1.mp4</code>, <code>empty-2.mp4</code> and 9 more | The file is empty. | Add its content. |',
    );
    expect(page).toContain('| <code>other.mp4</code> | Other. | Add its content. |');
  });
});

/** The targets of the path links in a summary. */
function links(report: Report): readonly string[] {
  return [...renderSummary(report).matchAll(/<a href="([^"]*)"><code>spots/g)].map(([, href = '']) => href);
}

describe('paths in a summary', () => {
  const path = 'spots/größe & 1.mp4';
  const assets = [anAsset({ paths: [path], issues: [anIssue()], fixed: [anIssue()] })];
  const run = { ...aReport().run, serverUrl: 'https://github.com', branch: 'autumn' };
  it('link to the file at the commit', () => {
    const expected = `https://github.com/acme/campaigns/blob/${run.commit}/spots/gr%C3%B6%C3%9Fe%20%26%201.mp4`;
    expect(new Set(links(aReport({ assets, run })))).toEqual(new Set([expected]));
    expect(links(aReport({ assets, run }))).toHaveLength(2);
  });

  it('link in a pull request to their place among its changes', () => {
    const anchor = createHash('sha256').update(path).digest('hex');
    const pullRequest = { number: 7, headCommit: 'f'.repeat(40) };
    const expected = `https://github.com/acme/campaigns/pull/7/files#diff-${anchor}`;
    expect(new Set(links(aReport({ assets, run: { ...run, pullRequest } })))).toEqual(new Set([expected]));
  });

  it('are plain outside a runner', () => {
    expect(links(aReport({ assets }))).toEqual([]);
  });
});

describe('a summary inside the limit', () => {
  it.each([6_000, 20_000, 50_000, 200_000, 1_000_000])('fits %i bytes', (limit) => {
    expect(bytes(renderSummary(crowdedReport(), limit))).toBeLessThanOrEqual(limit);
  });

  it('has nothing but its frame if there is room for nothing', () => {
    expect(renderSummary(aReport(), 4_096)).toBe('---\n');
  });

  it('takes 10,000 files with 50,000 issues and a reasoning of 10 MB', () => {
    const huge = 'A long <reason>.\n'.repeat(600_000);
    const assets = Array.from({ length: 10_000 }, () =>
      anAsset({ issues: Array.from({ length: 5 }, () => anIssue({ reasoning: huge })) }),
    );
    expect(bytes(renderSummary(aReport({ assets })))).toBeLessThan(100_000);
  });
});
