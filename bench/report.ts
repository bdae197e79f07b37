/**
 * report.html of 2,000 files with 10,800 issues, beside Playwright's HTML report with 2,000 files and 10,000 tests, in
 * Chromium. Playwright is installed and run once, in a folder that is kept for the next time.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import packageJson from '../package.json' with { type: 'json' };
import { openBrowser } from '../scripts/pictures/browser.ts';
import { renderPage } from '../src/report/page/page.ts';
import { manyFiles } from '../test/builders/many-files.ts';
import { alternate, type Comparison } from './stage.ts';

const FOLDER = fileURLToPath(new URL('../node_modules/.cache/report-bench/', import.meta.url));
const FILES = 2_000;
/** One file in ten is clean, so that these are 10,800 issues. */
const ISSUES_PER_FILE = 6;
const TESTS_PER_FILE = 5;
const SCREEN = { viewport: { width: 1280, height: 800 } };
/** The same version as the one that drives the browser. */
const PLAYWRIGHT = packageJson.devDependencies['playwright-core'];

interface Subject {
  readonly file: string;
  readonly entry: string;
  readonly search: string;
  readonly query: string;
  readonly result: string;
}

export async function reportPage(rounds: number): Promise<readonly Comparison[]> {
  await mkdir(FOLDER, { recursive: true });
  // Playwright keeps attachments beside its page, so ours is without media.
  const own: Subject = {
    file: await writeOurs(),
    entry: '.row',
    search: '#search',
    query: '/1984/',
    result: '.row >> text=1984',
  };
  const other: Subject = {
    file: await writeTheirs(),
    entry: '.test-file-test',
    search: '.subnav-search-input',
    query: 'campaign-1984',
    result: '.chip >> text=campaign-1984',
  };
  const browser = await openBrowser();
  try {
    const name = 'report.html, 2,000 files with 10,800 issues';
    const beside = "Playwright's HTML report, 10,000 tests in 2,000 files";
    const [shown = Number.NaN, theirsShown = Number.NaN, searched = Number.NaN, theirsSearched = Number.NaN] =
      await alternate(
        rounds,
        () => open(browser, own),
        () => open(browser, other),
        () => openAndSearch(browser, own),
        () => openAndSearch(browser, other),
      );
    return [
      { what: `${name}: the first on the screen`, ours: shown, beside, theirs: theirsShown },
      { what: `${name}: until a search shows its result`, ours: searched, beside, theirs: theirsSearched },
    ];
  } finally {
    await browser.close();
  }
}

/** @returns after how many milliseconds the first entry is on the screen */
async function open(browser: Browser, { file, entry }: Subject): Promise<number> {
  const page = await browser.newPage(SCREEN);
  const start = performance.now();
  await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' });
  await page.locator(entry).first().waitFor({ state: 'visible' });
  const shown = performance.now() - start;
  await page.close();
  return shown;
}

/** @returns after how many milliseconds a search, typed as soon as the page takes it, shows its result */
async function openAndSearch(browser: Browser, { file, search, query, result }: Subject): Promise<number> {
  const page = await browser.newPage(SCREEN);
  const start = performance.now();
  await page.goto(pathToFileURL(file).href, { waitUntil: 'load' });
  await page.locator(search).fill(query);
  await page.locator(search).press('Enter');
  await page.locator(result).first().waitFor({ state: 'visible' });
  const searched = performance.now() - start;
  await page.close();
  return searched;
}

async function writeOurs(): Promise<string> {
  const file = path.join(FOLDER, 'report.html');
  await writeFile(file, renderPage(manyFiles(FILES, ISSUES_PER_FILE)));
  return file;
}

async function writeTheirs(): Promise<string> {
  const file = path.join(FOLDER, 'playwright/report/index.html');
  if (existsSync(file)) return file;
  const folder = path.join(FOLDER, 'playwright');
  await mkdir(path.join(folder, 'tests'), { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
  await writeFile(
    path.join(folder, 'playwright.config.mjs'),
    "export default { testDir: 'tests', workers: 2, reporter: [['html', { open: 'never', outputFolder: 'report' }]] };",
  );
  for (let index = 0; index < FILES; index += 1) {
    // A failing test restarts Playwright's worker, so only a few fail.
    const body = index % 100 === 0 ? "expect('claim').toBe('nothing')" : '';
    const tests = Array.from(
      { length: TESTS_PER_FILE },
      (_, number) => `test('rule ${number} in file ${index}', () => { ${number === 0 ? body : ''} });`,
    );
    const name = `campaign-${String(index).padStart(4, '0')}.spec.mjs`;
    await writeFile(
      path.join(folder, 'tests', name),
      ["import { test, expect } from '@playwright/test';", ...tests].join('\n'),
    );
  }
  const run = promisify(execFile);
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `@playwright/test@${PLAYWRIGHT}`], {
    cwd: folder,
  });
  // Ends with an error, because some tests fail.
  await run(process.execPath, ['node_modules/@playwright/test/cli.js', 'test'], {
    cwd: folder,
    maxBuffer: 1e9,
  }).catch(() => undefined);
  return file;
}
