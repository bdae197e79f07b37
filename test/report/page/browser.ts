import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { openBrowser } from '../../../scripts/pictures/browser.ts';
import { mediaToEmbed, renderPage } from '../../../src/report/page/page.ts';
import type { Report } from '../../../src/report/report.ts';
import { sampleMedia } from '../../builders/many-files.ts';

const SCREEN = { width: 1280, height: 800 };

export const it = test
  /** All tests share one tab, because opening a tab takes longer than most tests. */
  .extend('tab', { scope: 'file' }, async ({}, { onCleanup }) => {
    const browser = await openBrowser();
    onCleanup(async () => await browser.close());
    return await browser.newPage();
  })
  .extend('folder', { scope: 'file' }, ({}, { onCleanup }) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'report-'));
    onCleanup(() => rmSync(folder, { recursive: true }));
    return folder;
  })
  .extend('open', ({ tab: page, folder }, { onCleanup }) => {
    onCleanup(async () => {
      page.removeAllListeners();
      await page.emulateMedia({ media: null, colorScheme: null });
    });
    return async (report: Report, viewport = SCREEN) => {
      /** Addresses that the page requested, except for its own address and embedded data. */
      const requests: string[] = [];
      /** Everything that the browser or the page wrote to the console. */
      const complaints: string[] = [];
      page.on('request', (request) => {
        if (!/^(?:file|data):/.test(request.url())) requests.push(request.url());
      });
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('dialog', (dialog) => {
        complaints.push(dialog.message());
        void dialog.dismiss();
      });
      await page.setViewportSize(viewport);
      const file = path.join(folder, 'report.html');
      writeFileSync(file, renderPage(report, sampleMedia(mediaToEmbed(report.contents))));
      await page.goto(pathToFileURL(file).href, { waitUntil: 'load' });
      return { page, requests, complaints };
    };
  });

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Runs every rule of axe in light mode, and its rule about contrast in dark mode. */
export async function accessibilityProblems(page: Page): Promise<readonly unknown[]> {
  // The page's policy blocks scripts, so axe is run through the debugger.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(await readFile(axeFile, 'utf8'));
  const light = await page.evaluate(findProblems({}));
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await page.evaluate(findProblems({ runOnly: ['color-contrast'] }));
  await page.emulateMedia({ colorScheme: 'light' });
  return [light, dark].flat();
}

function findProblems(options: object): string {
  const settings = JSON.stringify({ ...options, resultTypes: ['violations'] });
  const describe = '({ id, nodes }) => id + ": " + nodes.map((node) => node.html.slice(0, 160)).join(" | ")';
  return `axe.run(document, ${settings}).then(({ violations }) => violations.map(${describe}))`;
}

/** Finds elements that a reader cannot scroll into view, or that another element covers. */
export async function unreachable(page: Page): Promise<unknown> {
  return await page.evaluate(`(() => {
    const isPart = (element) => element.closest('.line, svg') !== null;
    const isLeaf = (element) => element.children.length === 0 || element.matches('a, button, input, summary');
    const all = [...document.querySelectorAll('#app *')].filter((element) => isLeaf(element) && !isPart(element));
    const visible = all.filter((element) => element.checkVisibility({ visibilityProperty: true }));
    const hidden = visible.filter((element) => {
      if (element.getBoundingClientRect().height === 0) return false;
      element.focus();
      element.scrollIntoView({ block: 'center', inline: 'center' });
      const { left, top, right, bottom } = element.getBoundingClientRect();
      if (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1) return true;
      const front = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return front === null || !(element.contains(front) || front.contains(element));
    });
    // A script can scroll an element with hidden overflow, but a reader cannot.
    const moved = [...document.querySelectorAll('*')].filter((element) =>
      element.scrollLeft > 0 || (element.scrollTop > 0 && getComputedStyle(element).overflowY === 'hidden'));
    return [...hidden, ...moved].map((element) => element.outerHTML.slice(0, 120));
  })()`);
}
