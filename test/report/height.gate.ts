import { describe, expect } from 'vitest';
import { findBrowser } from '../../scripts/find-program.ts';
import { githubPage } from '../../scripts/pictures/github-page.ts';
import { renderComment, renderSummary } from '../../src/report/summary.ts';
import { SITUATIONS } from '../builders/situations.ts';
import { it } from './page/browser.ts';

/** The width of a summary on GitHub, and two screens of 1,080 pixels. */
const SIZE = { width: 1_012, height: 2_160 };

describe.skipIf(findBrowser() === undefined)('on GitHub', () => {
  it.for(Object.entries(SITUATIONS))('a summary takes two screens at most: %s', async ([, report], { tab }) => {
    await tab.setViewportSize(SIZE);
    for (const text of [renderSummary(report), renderComment(report, '')]) {
      await tab.setContent(await githubPage(text));
      expect(await tab.evaluate('document.body.scrollHeight')).toBeLessThanOrEqual(SIZE.height);
    }
  });
});
