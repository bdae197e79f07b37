import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findBrowser } from '../../../scripts/find-program.ts';
import { manyFiles, sampleMedia } from '../../../scripts/pictures/many-files.ts';
import { mediaToEmbed } from '../../../src/report/page/media.ts';
import { failed } from '../samples.ts';
import { useBrowser } from './browser.ts';

const current = (page: Page): Promise<string | undefined> => page.evaluate('document.activeElement?.id');

/** The issue is on the screen, below the name of its file. */
const isInView = (page: Page, id: string): Promise<boolean> =>
  page.evaluate(
    `(() => { const { top } = document.getElementById(${JSON.stringify(id)}).getBoundingClientRect(); return top >= 40 && top < innerHeight; })()`,
  );

describe.skipIf(findBrowser() === undefined)('reviewing issues in report.html', () => {
  const open = useBrowser();
  const twenty = manyFiles(20);
  const media = sampleMedia(mediaToEmbed(twenty.assets));

  it('moves from issue to issue with j and k, through the files and over what is filtered out', async () => {
    const { page } = await open(failed);
    const seen: (string | undefined)[] = [];
    for (const key of ['j', 'j', 'j', 'j', 'j', 'k', 'k']) {
      await page.keyboard.press(key);
      seen.push(await current(page));
    }
    expect(seen).toEqual([
      'issue-1042',
      'issue-1031',
      'issue-998',
      'fixed-1001',
      'issue-1043',
      'fixed-1001',
      'issue-998',
    ]);
    expect(await isInView(page, 'issue-998')).toBe(true);
    await page.getByRole('checkbox', { name: /^Critical/ }).check();
    await page.locator('h1').click();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await current(page)).toBe('issue-1043');
  });

  it('uses / for the search, in which keys are letters, and ? for help', async () => {
    const { page } = await open(failed);
    await page.keyboard.press('/');
    expect(await current(page)).toBe('search');
    await page.keyboard.type('jk?/');
    expect(await page.getByLabel('Search').inputValue()).toBe('jk?/');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    expect(await page.locator('#help').isVisible()).toBe(true);
    await page.keyboard.press('j');
    await page.keyboard.press('Escape');
    expect(await page.locator('#help').isVisible()).toBe(false);
  });

  it('opens at the issue that the address names, in the middle of 400 files', async () => {
    const many = manyFiles(400);
    const issue = many.assets[250]?.issues[2];
    const id = `issue-${issue?.referenceNumber}`;
    const { page } = await open(many, { hash: id });
    expect(await current(page)).toBe(id);
    expect(await isInView(page, id)).toBe(true);
    await page.reload();
    expect(await isInView(page, id)).toBe(true);
  });

  it('shows the issue that a link names although it was filtered out', async () => {
    const { page } = await open(failed, { hash: 'severity=CRITICAL' });
    await page.evaluate('location.hash = "issue-998"');
    await page.locator('#issue-998:focus').waitFor();
    expect(await page.locator('.issue:visible').count()).toBe(7);
  });

  it('copies the link of the service from a page on disk, which others cannot open', async () => {
    const { page } = await open(failed, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.locator('#issue-1043 .copy').click();
    await page.locator('#copied', { hasText: "The service's link to this issue is copied." }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('https://compliance.example/issues/1043');
  });

  it('copies its own link if the service has none, and says who can open it, with or without a clipboard', async () => {
    const { page } = await open(failed, { permissions: ['clipboard-read', 'clipboard-write'] });
    for (const prepare of [
      'undefined',
      'Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true })',
    ]) {
      await page.evaluate(prepare);
      await page.locator('#issue-871 .copy').click();
      await page.locator('#copied', { hasText: 'copied. It opens only if this file is in the same place.' }).waitFor();
      await page.evaluate('delete navigator.clipboard');
      expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^file:.*report\.html#issue-871$/);
      await page.evaluate('navigator.clipboard.writeText("")');
    }
  });

  it('moves the film to a time in the text', async () => {
    const { page, complaints } = await open(twenty, { media });
    const time = page.locator('section:has(video) a.time', { hasText: '0:01' }).first();
    const href = await time.getAttribute('href');
    await time.click();
    const film = (property: string): Promise<unknown> =>
      page.evaluate(`document.querySelector('${href} video').${property}`);
    await expect.poll(() => film('currentTime')).toBe(1);
    expect(await film('seekable.length')).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('links no time to a file that is not embedded', async () => {
    const { page } = await open(twenty);
    expect(await page.locator('a.time').count()).toBe(0);
    expect(await page.locator('.elsewhere a').first().getAttribute('href')).toBe(
      'https://github.com/acme/campaigns/blob/fedcba9876543210fedcba9876543210fedcba98/campaign/it/0002/radio.mp3',
    );
  });

  it('keeps the media in view while its issues are read', async () => {
    const { page } = await open(twenty, { media });
    const file = page.locator('section:has(img)').first();
    await file.locator('.issue').last().scrollIntoViewIfNeeded();
    const box = await file.locator('img').boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(800);
  });

  it('enlarges an image, zooms into it and closes it', async () => {
    const { page, complaints } = await open(twenty, { media });
    await page.locator('.zoom').first().click();
    const image = page.locator('#lightbox img');
    const before = (await image.boundingBox())?.width ?? 0;
    expect(before).toBeGreaterThan(400);
    await page.getByRole('button', { name: 'Larger' }).click();
    expect((await image.boundingBox())?.width).toBeCloseTo(1.5 * before, 0);
    await page.keyboard.press('-');
    expect((await image.boundingBox())?.width).toBeCloseTo(before, 0);
    await page.locator('#lightbox').getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('#lightbox').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('has the first issue on the first screen of a phone', async () => {
    const { page } = await open(twenty, { media, viewport: { width: 390, height: 844 } });
    const box = await page.locator('.issue').first().boundingBox();
    expect(box?.y).toBeLessThan(700);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });

  it('leads from the filters to the issues on a phone, and back, from anywhere', async () => {
    const { page } = await open(manyFiles(200), { viewport: { width: 390, height: 844 } });
    await page.evaluate('scrollTo(0, 20000)');
    await page.getByText('Find and filter').click();
    await page.getByRole('checkbox', { name: /^Critical/ }).check();
    const button = page.getByRole('button', { name: /^Show \d+ issues$/ });
    expect(await button.evaluate((node) => node.getBoundingClientRect().bottom)).toBeLessThanOrEqual(844);
    await button.click();
    const issue = page.locator('.issue:visible').first();
    expect(await issue.evaluate((node) => node.getBoundingClientRect().top)).toBeLessThan(844);
    expect(await page.locator('#filters').isVisible()).toBe(false);
  });

  it('shows a file of the index on a phone, and beside the folded filters what they leave out', async () => {
    const { page } = await open(manyFiles(40), { viewport: { width: 390, height: 844 } });
    expect(await page.locator('.brief').isVisible()).toBe(false);
    await page.getByText('Find and filter').click();
    await page.getByRole('checkbox', { name: /^Major/ }).check();
    const entry = page.locator('.index a:visible').nth(5);
    const id = (await entry.getAttribute('href')) ?? '';
    await entry.click();
    expect(await page.locator('#filters').isVisible()).toBe(false);
    await expect.poll(async () => Math.abs((await page.locator(id).boundingBox())?.y ?? 999)).toBeLessThan(200);
    expect(await page.locator('.brief').innerText()).toMatch(/^\d+ of 180 issues · Clear$/);
    expect((await page.locator('.brief').boundingBox())?.y).toBeLessThan(60);
    await page.locator('.brief button').click();
    expect(await page.locator('.brief').isVisible()).toBe(false);
    expect(new URL(page.url()).hash).toBe('');
  });

  it('shows the filters of a phone that is turned although they were folded', async () => {
    const { page } = await open(twenty, { viewport: { width: 390, height: 844 } });
    expect(await page.locator('#filters').isVisible()).toBe(false);
    await page.setViewportSize({ width: 844, height: 390 });
    expect(await page.locator('#filters').isVisible()).toBe(true);
  });

  it('keeps the player of a sound from covering the text, on a phone and beside the issues', async () => {
    const { page } = await open(twenty, { media, viewport: { width: 390, height: 844 } });
    const figure = page.locator('.sound > figure').first();
    const position = (): Promise<string> =>
      figure.evaluate((node) => node.computedStyleMap().get('position')?.toString() ?? '');
    expect(await position()).toBe('static');
    await page.setViewportSize({ width: 1280, height: 800 });
    const [player, issues] = [await figure.boundingBox(), await page.locator('.sound > .issues').first().boundingBox()];
    expect((player?.x ?? 0) + (player?.width ?? 0)).toBeLessThanOrEqual(issues?.x ?? 0);
  });
});
