import { describe, expect } from 'vitest';
import { findBrowser } from '../../scripts/find-program.ts';
import { githubPage } from '../../scripts/pictures/github-page.ts';
import { accountOwner, author, workflowOwner } from '../../src/causes/cause.ts';
import type { Report } from '../../src/report/report.ts';
import { renderComment, renderSummary } from '../../src/report/summary.ts';
import { aContent, anIssue, aReport, PULL_REQUEST_RUN } from '../builders/reports.ts';
import { it } from './page/browser.ts';

/** The width of a summary and of a comment on GitHub, and two screens of a small laptop. */
const SIZE = { width: 900, height: 1_800 };

const FILES = Array.from({ length: 12 }, (_, index) => `campaign/autumn-2026/de/spot-${index}.mp4`);
const named = FILES.slice(0, 3).map((path) => `\`${path}\``);
const STEPS = [
  author(`Change or replace ${named.join(', ')} and 4 more and push.`),
  workflowOwner(`On the base branch: change or replace ${named.join(', ')}.`),
  accountOwner(`Dismiss the issues in ${named.join(', ')} and 4 more at the service.`),
  workflowOwner(`Merge waivers for the issues in ${named.join(', ')} and 4 more into \`waivers.yml\`.`),
  workflowOwner(`To accept issues that the base branch has, as in ${named.join(', ')}, set it.`),
];

/** 40 issues in 12 files, of which every second one stops the check. */
function fortyIssues(rules: number): Report {
  const issues = Array.from({ length: 40 }, (_, index) =>
    anIssue({
      severity: index % 2 === 0 ? 'CRITICAL' : 'MAJOR',
      ruleCode: `HEALTH-${(index % rules) + 10}`,
      headline: 'A food may not be said to prevent, treat or cure a disease of any kind',
      precedents: [{ url: '', title: 'Claim without evidence in a film', decision: 'Upheld', date: '2024-03-14' }],
    }),
  );
  const contents = FILES.map((path, at) =>
    aContent({ paths: [path], isChanged: at < 6, issues: issues.filter((_, index) => index % 12 === at) }),
  );
  const docs = 'https://github.com/acme/gate/blob/v0/docs';
  const reportUrl = 'https://github.com/acme/campaigns/actions/runs/1/artifacts/2';
  const shown = { nextSteps: STEPS, waiversFile: 'waivers.yml', docs, reportUrl, run: PULL_REQUEST_RUN };
  return aReport({ contents, ...shown, headline: '20 CRITICAL issues in 12 of 12 files, 10 of them in yours' });
}

describe.skipIf(findBrowser() === undefined)('on GitHub', () => {
  it.for([6, 20])(
    '40 issues under %i rules take two screens, and each row of a table one line',
    async (rules, { tab }) => {
      await tab.setViewportSize(SIZE);
      const report = fortyIssues(rules);
      for (const text of [renderSummary(report), renderComment(report, '')]) {
        await tab.setContent(await githubPage(text));
        expect(await tab.evaluate('document.body.scrollHeight')).toBeLessThanOrEqual(SIZE.height);
        const heights = await tab
          .locator('article > table tr')
          .evaluateAll((rows) => rows.map((row) => row.clientHeight));
        expect(heights.length).toBeGreaterThan(3);
        expect(Math.max(...heights)).toBeLessThan(45);
      }
    },
  );
});
