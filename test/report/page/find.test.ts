import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findBrowser } from '../../../scripts/find-program.ts';
import { manyFiles } from '../../../scripts/pictures/many-files.ts';
import { anAsset, anIssue } from '../fixtures.ts';
import { failed } from '../samples.ts';
import { useBrowser } from './browser.ts';

const found = (page: Page): Promise<string | null> => page.locator('#found').textContent();
const shown = (page: Page): Promise<number> => page.locator('.issue:visible').count();

/** Until the page has reacted to typing. */
async function search(page: Page, text: string): Promise<void> {
  await page.getByLabel('Search').fill(text);
  await page.waitForURL(({ hash }) => new URLSearchParams(hash.slice(1)).get('q') === text);
}

const SLOW = { timeout: 20_000 };

/** Files far down become part of the document later; printing needs all at once. */
const REVEAL_ALL = 'dispatchEvent(new Event("beforeprint"))';

const TWELVE_FRAMES = `(async () => {
  for (let left = 12; left > 0; left -= 1) await new Promise(requestAnimationFrame);
})()`;

describe.skipIf(findBrowser() === undefined)('finding issues in report.html', () => {
  const open = useBrowser();

  it('searches path, rule, number, summary and reasoning', async () => {
    const { page, complaints } = await open(failed);
    for (const [text, expected] of [
      ['print/POSTER', '2 of 6 issues in 1 file'],
      ['web/hero.png', '2 of 6 issues in 1 file'],
      ['legal-text-04', '2 of 6 issues in 2 files'],
      ['#1043', '1 of 6 issues in 1 file'],
      ['narrator sleeplessness', '1 of 6 issues in 1 file'],
      ['authorised medicines', '1 of 6 issues in 1 file'],
      ['ALCOHOL younger poster', '1 of 6 issues in 1 file'],
    ] as const) {
      await search(page, text);
      expect(await found(page)).toBe(expected);
      expect(await shown(page)).toBe(Number.parseInt(expected, 10));
    }
    expect(complaints).toEqual([]);
  });

  it('finds exactly the number that is searched for', async () => {
    const numbered = [101, 1012, 10_123].map((referenceNumber) => anIssue({ referenceNumber }));
    const { page } = await open({ ...failed, assets: [anAsset({ issues: numbered })] });
    await search(page, '#1012');
    expect(await page.locator('.issue:visible').evaluateAll((all) => all.map(({ id }) => id))).toEqual(['issue-1012']);
  });

  it('keeps the filters in their place when the first one is chosen, and no button folds them away', async () => {
    const { page } = await open(manyFiles(40));
    const box = page.getByRole('checkbox', { name: /^Critical/ });
    const top = async (): Promise<number | undefined> => (await box.boundingBox())?.y;
    const before = await top();
    await box.check();
    expect(await top()).toBeCloseTo(before ?? 0, 0);
    expect(await page.locator('#show').isVisible()).toBe(false);
  });

  it('leads from a number of the head to the issues that it counts', async () => {
    const { page } = await open(manyFiles(40), { viewport: { width: 1_280, height: 500 } });
    await page.locator('.numbers a').nth(1).click();
    const top = async (): Promise<number | undefined> =>
      (await page.locator('section.file:visible').first().boundingBox())?.y;
    await expect.poll(top, SLOW).toBeLessThan(100);
  });

  it('goes to a file of the index and keeps the filters, also in the address', async () => {
    const first = await open(manyFiles(200));
    await first.page.getByRole('checkbox', { name: /^Major/ }).check();
    const shownBefore = await found(first.page);
    await first.page.locator('.index a:visible').nth(60).click();
    const { hash } = new URL(first.page.url());
    expect(hash).toMatch(/^#severity=MAJOR&at=file-\d+$/);
    const second = await open(manyFiles(200), { hash: hash.slice(1) });
    for (const { page } of [first, second]) {
      expect(await found(page)).toBe(shownBefore);
      const place = page.locator(`#${hash.split('=').at(-1)}`);
      await expect.poll(async () => Math.abs((await place.boundingBox())?.y ?? 999), SLOW).toBeLessThan(200);
    }
  });

  it('does not find an issue by the labels that many issues have', async () => {
    const { page } = await open(failed);
    await search(page, 'status at the service');
    expect(await shown(page)).toBe(0);
  });

  it('shows the first result to a reader who has scrolled down', async () => {
    const { page } = await open(manyFiles(200));
    await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)');
    await page.getByRole('checkbox', { name: /^Critical/ }).check();
    const top = await page
      .locator('section.file:visible')
      .first()
      .evaluate((node) => node.getBoundingClientRect().top);
    expect(top).toBeGreaterThanOrEqual(-1);
  });

  it('names a rule beside its code if its issues have one headline', async () => {
    const issues = ['One', 'Two'].map((headline) => anIssue({ ruleCode: 'MIXED', headline }));
    const [, second] = failed.assets;
    const { page } = await open({ ...failed, assets: [anAsset({ issues }), ...(second ? [second] : [])] });
    const rules = page.locator('#filters label:has([name=rule])');
    expect(await rules.allTextContents()).toEqual([
      'MIXED2',
      'ALCOHOL-AGE-021A drinker looks younger than 25',
      'BRAND-091An old logo is shown',
    ]);
  });

  it('says that what a file is marked with is about all of it, not about what the filters show', async () => {
    const { page } = await open(failed);
    const mark = (): Promise<unknown> =>
      page.evaluate('getComputedStyle(document.querySelector("#file-1 .whole"), "::after").content');
    expect(await mark()).toBe('none');
    await page.getByRole('checkbox', { name: /^Major/ }).check();
    expect(await mark()).toBe('" in the whole file"');
  });

  it('says on paper that it is only a part, and which, on every sheet', async () => {
    const { page } = await open(failed);
    const partial = page.locator('#partial');
    await page.emulateMedia({ media: 'print' });
    expect(await partial.isVisible()).toBe(false);
    expect(await page.locator('.index').isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('checkbox', { name: /^Critical/ }).check();
    await page.emulateMedia({ media: 'print' });
    expect(await partial.textContent()).toBe(
      'PART OF THE REPORT: 2 of 6 issues in 2 files. Filter: Severity: Critical. The numbers below are of the whole report.',
    );
    expect(await partial.isVisible()).toBe(true);
    expect(await page.locator('.finder').isVisible()).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.body).page')).toBe('partial');
    expect(await page.locator('section.paper:visible').count()).toBe(0);
  });

  it('finds the worst issue of a market by its folder', async () => {
    const { page } = await open(manyFiles(40));
    await page.getByRole('checkbox', { name: /^campaign\/it\// }).check();
    expect(new URL(page.url()).hash).toBe('#folder=campaign%2Fit%2F');
    const paths = await page.locator('section.file:visible h2').allTextContents();
    expect(paths.length).toBeGreaterThan(1);
    expect(paths.filter((path) => !path.startsWith('campaign/it/'))).toEqual([]);
    expect(await page.locator('.issue:visible').first().getAttribute('data-severity')).toBe('CRITICAL');
  });

  it('finds a file in each folder that has its bytes', async () => {
    const { page } = await open(failed);
    await page.getByRole('checkbox', { name: /^web\// }).check();
    expect(await page.locator('section.file:visible h2').allTextContents()).toEqual(['print/poster.png']);
  });

  it('says what was asked for if nothing matches, and how to get back', async () => {
    const { page } = await open(failed);
    await page.getByRole('checkbox', { name: /^Critical/ }).check();
    await search(page, 'nothing of the kind');
    const empty = page.locator('#nothing');
    expect(await empty.textContent()).toContain('Search: “nothing of the kind”; Severity: Critical');
    await empty.getByRole('button').click();
    expect(await found(page)).toBe('6 issues, incl. 1 waived, known or closed');
    expect(await empty.isVisible()).toBe(false);
    expect(new URL(page.url()).hash).toBe('');
  });

  it('shows as many issues as each count of the index promises', async () => {
    const { page } = await open(manyFiles(40));
    await page.evaluate(REVEAL_ALL);
    const results = await page.evaluate(`[...document.querySelectorAll('#filters label')].map((label) => {
      const number = (element) => Number(element.textContent.replace(',', ''));
      const promised = number(label.querySelector('b'));
      label.querySelector('input').click();
      const shown = [...document.querySelectorAll('.issue')].filter((issue) => issue.checkVisibility()).length;
      const inIndex = [...document.querySelectorAll('.index a:not([hidden]) b')].reduce((sum, one) => sum + number(one), 0);
      label.querySelector('input').click();
      return { name: label.textContent, isRight: promised > 0 && promised === shown && promised === inIndex };
    })`);
    expect(results).toHaveLength(27);
    expect(results).not.toContainEqual(expect.objectContaining({ isRight: false }));
  });

  it('keeps the counts of the other groups in step with what is chosen', async () => {
    const { page } = await open(manyFiles(40));
    await page.getByRole('checkbox', { name: /^HEALTH-05/ }).check();
    await page.evaluate(REVEAL_ALL);
    const severity = page.locator('#filters label', { hasText: 'Major' });
    expect(await severity.locator('b').textContent()).toBe(String(await shown(page)));
    expect(await page.locator('#filters label', { hasText: 'Critical' }).locator('b').textContent()).toBe('0');
  });

  it('filters by a bar of the chart and by a number of the head, and shows as many as they say', async () => {
    const { page } = await open(manyFiles(40));
    for (const control of [
      page.locator('a.bar').nth(1),
      page.locator('.numbers a').first(),
      page.locator('.numbers a').nth(1),
    ]) {
      const promised = Number((await control.textContent())?.replace(/\D/g, ''));
      await control.click();
      await page.evaluate(REVEAL_ALL);
      expect(await shown(page)).toBe(promised);
      // The page still scrolls, and the next click would miss.
      await page.evaluate(TWELVE_FRAMES);
    }
  });

  it('shows what was fixed since the version before, worst first and described', async () => {
    const [first, ...others] = failed.assets;
    const fixed = (['MINOR', 'CRITICAL'] as const).map((severity) =>
      anIssue({ severity, headline: 'Gone', summary: `It was ${severity}.` }),
    );
    const { page } = await open({ ...failed, assets: [{ ...(first ?? anAsset()), fixed }, ...others] });
    expect(await page.locator('.issue.fixed:visible').count()).toBe(2);
    await page.locator('.numbers div', { hasText: 'Fixed' }).getByRole('link').click();
    expect(await found(page)).toBe('2 fixed issues in 1 file');
    expect(await page.locator('.issue:visible .text').allTextContents()).toEqual(['It was CRITICAL.', 'It was MINOR.']);
  });

  it('says that fixed issues match as well, shows them, and counts them apart', async () => {
    const { page } = await open(manyFiles(40));
    await page.getByRole('checkbox', { name: /^BRAND-09/ }).check();
    const also = page.locator('#also');
    expect(await also.textContent()).toMatch(/^\d+ fixed issues also match: show$/);
    const promised = Number.parseInt((await also.textContent()) ?? '', 10);
    await also.getByRole('link').click();
    await page.evaluate(REVEAL_ALL);
    expect(await page.locator('.issue.fixed:visible').count()).toBe(promised);
    expect(await found(page)).toBe(`${promised} fixed issues in ${promised} files`);
    await page.getByRole('checkbox', { name: /^Stayed/ }).check();
    expect(await found(page)).toMatch(new RegExp(`^\\d+ of 180 issues and ${promised} fixed issues in \\d+ files$`));
    expect(await also.isVisible()).toBe(false);
  });

  it('finds a fixed issue by its number and by the link to the issue that it was', async () => {
    const { page } = await open(failed);
    await search(page, '#1001');
    expect(await found(page)).toBe('1 fixed issue in 1 file');
    expect(await page.locator('.issue:visible').evaluateAll((all) => all.map(({ id }) => id))).toEqual(['fixed-1001']);
    expect(await page.locator('#fixed-1001 .copy').getAttribute('href')).toBe('#fixed-1001');
    await page.evaluate('location.hash = "issue-1001"');
    await page.locator('#fixed-1001:focus').waitFor();
  });

  it('counts each issue of this version as new, stayed or not compared', async () => {
    const issues = [anIssue()];
    const { page } = await open({
      ...failed,
      assets: [
        anAsset({ issues: [anIssue({ isNewInVersion: true }), anIssue({ isNewInVersion: false })], fixed: [] }),
        anAsset({ issues, sourceReason: 'new' }),
        anAsset({ issues, source: 'reused', sourceReason: 'unchanged' }),
        anAsset({ issues, sourceReason: 'sidekicks changed' }),
      ],
    });
    const group = page.locator('fieldset', { hasText: 'Since the version before' });
    expect(await group.locator('label').allTextContents()).toEqual([
      'New, or in a new file2',
      'Stayed2',
      'Not compared1',
    ]);
  });

  it('has its view in the address: a link opens the same one, and back leaves it', async () => {
    const first = await open(failed);
    await search(first.page, 'a');
    await first.page.getByRole('checkbox', { name: /^Critical/ }).check();
    await first.page.getByRole('checkbox', { name: /^Major/ }).check();
    await first.page.getByRole('checkbox', { name: /^Waived/ }).check();
    const { hash } = new URL(first.page.url());
    const text = await found(first.page);
    const second = await open(failed, { hash: hash.slice(1) });
    expect(await found(second.page)).toBe(text);
    expect(await second.page.getByLabel('Search').inputValue()).toBe('a');
    expect(await second.page.locator('#filters input:checked').count()).toBe(3);
    await first.page.goBack();
    await expect.poll(() => first.page.locator('#filters input:checked').count()).toBe(2);
  });

  it('ignores an address that it does not understand', async () => {
    const { page, complaints } = await open(failed, { hash: 'severity=HUGE&other=1&q=%E0%A4%A' });
    expect(complaints).toEqual([]);
    expect(await page.locator('#nothing').isVisible()).toBe(true);
  });
});
