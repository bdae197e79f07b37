import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { openBrowser } from '../../../scripts/pictures/browser.ts';
import type { EmbeddedMedia } from '../../../src/report/page/media.ts';
import { renderPage } from '../../../src/report/page/page.ts';
import type { Report } from '../../../src/report/report.ts';

export interface OpenedPage {
  readonly page: Page;
  /** Addresses that the page requested, except for itself and embedded data. */
  readonly requests: string[];
  /** What the browser or the page wrote to the console. */
  readonly complaints: string[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface OpenOptions extends BrowserContextOptions {
  readonly viewport?: Size;
  readonly media?: ReadonlyMap<string, EmbeddedMedia>;
  /** The part of the address after `#`. */
  readonly hash?: string;
}

const SCREEN = { width: 1280, height: 800 };

/** For a test file: opens pages from disk in one browser, as a reader does. */
export function useBrowser(): (report: Report, options?: OpenOptions) => Promise<OpenedPage> {
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  let browser: Browser;
  let opened = 0;
  const used: Page[] = [];
  // Used again by later tests, because opening a tab takes longer than most of them.
  const free: Page[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
  });

  afterEach(async () => {
    for (const page of used.splice(0)) {
      page.removeAllListeners();
      await page.emulateMedia({ media: null, colorScheme: null });
      free.push(page);
    }
  });

  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  const openTab = async (viewport: Size, options: BrowserContextOptions): Promise<Page> => {
    if (Object.keys(options).length > 0) return await browser.newPage({ viewport, ...options });
    const page = free.pop() ?? (await browser.newPage());
    used.push(page);
    await page.setViewportSize(viewport);
    return page;
  };

  return async (report, { media, hash = '', viewport = SCREEN, ...options } = {}) => {
    // Another name each time: a page that differs only after `#` is not loaded again.
    opened += 1;
    const file = join(folder, String(opened), 'report.html');
    mkdirSync(dirname(file));
    writeFileSync(file, renderPage(report, media));
    const page = await openTab(viewport, options);
    const requests: string[] = [];
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
    await page.goto(`${pathToFileURL(file).href}${hash === '' ? '' : `#${hash}`}`, { waitUntil: 'load' });
    return { page, requests, complaints };
  };
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe finds, one line each, in light and in dark, where only colors differ. */
export async function accessibilityProblems(page: Page): Promise<readonly unknown[]> {
  // The page's policy blocks scripts, so axe is run through the debugger.
  await page.evaluate(await readFile(axeFile, 'utf8'));
  const light = await page.evaluate(findProblems({}));
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await page.evaluate(findProblems({ runOnly: ['color-contrast'] }));
  await page.emulateMedia({ colorScheme: 'light' });
  return [light, dark].flat();
}

function findProblems(options: object): string {
  const settings = JSON.stringify({ ...options, resultTypes: ['violations'] });
  return `axe.run(document, ${settings}).then((all) => all.violations.map((one) => one.id + ": " + one.nodes.map((node) => node.html.slice(0, 160)).join(" | ")))`;
}
