import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '../../scripts/pictures/github-page.ts';
import { markerLine, renderComment } from '../../src/report/summary.ts';
import { anyReport, anyText, crowdedReport } from './arbitrary.ts';
import { anAsset, anIssue, aReport } from './fixtures.ts';
import { AUTOLINKS, look } from './tree.ts';

describe('renderComment', () => {
  it('starts with a hidden marker, then the verdict', () => {
    const lines = renderComment(aReport({ headline: 'all fine' }), 'gate:media').split('\n');
    expect(lines[0]).toBe('<!-- gate:media -->');
    expect(lines[2]).toBe('## ✅ PASS: all fine');
  });

  it('shows the worst of a large run, and says what is not shown and where it is', () => {
    const comment = renderComment(crowdedReport(), 'x');
    expect(comment.length).toBeLessThanOrEqual(65_536);
    const text = look(parseMarkdown(comment)).text;
    expect(text.includes('All 3,200 issues are in report.html (artifact media-compliance-report of this run)')).toBe(
      true,
    );
    expect(comment.match(/<summary>🔴/gu)?.length).toBeGreaterThan(0);
    expect(comment).not.toMatch(/<summary>(🟠|🟡|🔵)/u);
  });

  it('shows all of a small run', () => {
    const assets = [anAsset({ issues: [anIssue(), anIssue({ severity: 'INFO' })] }), anAsset()];
    const comment = renderComment(aReport({ assets }), 'x');
    expect(comment.match(/<details/g)).toHaveLength(2);
    expect(comment).not.toMatch(/and \d+ more/);
  });

  it('leaves out what does not count', () => {
    const issues = [anIssue({ headline: 'Counts' }), anIssue({ headline: 'Waived', standing: 'waived' })];
    const comment = renderComment(aReport({ assets: [anAsset({ issues })] }), 'x');
    expect(comment).toContain('Counts');
    expect(comment).not.toContain('Waived');
  });

  it('has only our own HTML comment, and no mentions, whatever the report', () => {
    fc.assert(
      fc.property(anyReport, anyText, (report, marker) => {
        const comment = renderComment(report, marker);
        expect(comment.length).toBeLessThanOrEqual(65_536);
        const found = look(parseMarkdown(comment));
        expect(found.comments).toBe(1);
        expect(found.elements).not.toContain('script');
        expect(found.elements).not.toContain('img');
        for (const prose of found.prose) for (const pattern of AUTOLINKS) expect(prose).not.toMatch(pattern);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps a marker inside its comment', () => {
    expect(markerLine('a--><b>')).toBe('<!-- a-b- -->');
  });
});
