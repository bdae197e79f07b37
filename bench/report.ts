/**
 * report.html of 2,000 files with 10,000 issues, beside Playwright's HTML report with 2,000 files and 10,000 tests, in
 * Chromium. Playwright is installed and run once, in a folder that is kept for the next time.
 *
 *   node bench/report.ts [rounds]
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import packageJson from '../package.json' with { type: 'json' };
import { isMain } from '../scripts/is-main.ts';
import { openBrowser } from '../scripts/pictures/browser.ts';
import { manyFiles, sampleMedia } from '../scripts/pictures/many-files.ts';
import { mediaToEmbed } from '../src/report/page/media.ts';
import { renderPage } from '../src/report/page/page.ts';
import type { Row } from './stage.ts';

const FOLDER = fileURLToPath(new URL('../node_modules/.cache/report-bench/', import.meta.url));
const FILES = 2_000;
/** One file in ten is clean, so that these are 10,800 issues. */
const ISSUES_PER_FILE = 6;
const TESTS_PER_FILE = 5;
/** The same version as the one that drives the browser. */
const PLAYWRIGHT = packageJson.devDependencies['playwright-core'];

/** Milliseconds since the address was opened; medians. */
interface Opening {
  /** The first entry is on the screen. */
  readonly shown: number;
  /** A search for one entry, typed as soon as the page takes it, shows its result. */
  readonly searched: number;
  /** Between two frames while the page is scrolled; nineteen of twenty are faster. */
  readonly frame: number;
}

interface Subject {
  readonly file: string;
  readonly entry: string;
  readonly search: string;
  readonly query: string;
  readonly result: string;
  /** The element that scrolls. */
  readonly scroller: string;
}

export async function reportPage(rounds: number): Promise<readonly Row[]> {
  await mkdir(FOLDER, { recursive: true });
  const page = { entry: '.row', search: '#search', query: '/1984/', result: '.row >> text=1984', scroller: '.rows' };
  // Playwright keeps attachments beside its page, so the page without media is what compares.
  const bare: Subject = { ...page, file: await writeOurs('bare.html', false) };
  const full: Subject = { ...page, file: await writeOurs('report.html', true) };
  const theirs: Subject = {
    file: await writeTheirs(),
    entry: '.test-file-test',
    search: '.subnav-search-input',
    query: 'campaign-1984',
    result: '.chip >> text=campaign-1984',
    scroller: 'html',
  };
  const browser = await openBrowser();
  try {
    const results: Record<'bare' | 'full' | 'theirs', Opening[]> = { bare: [], full: [], theirs: [] };
    for (let round = 0; round < rounds; round += 1) {
      results.bare.push(await open(browser, bare));
      results.full.push(await open(browser, full));
      results.theirs.push(await open(browser, theirs));
    }
    const [us, withMedia, them] = [median(results.bare), median(results.full), median(results.theirs)];
    const size = await megabytes(full.file);
    const rendering = secondsToRender(rounds);
    const name = 'report.html, 2,000 files with 10,800 issues';
    return [
      row(`${name}: the first on the screen`, us.shown, them.shown),
      row(`${name} and 7 MB of media: the first on the screen`, withMedia.shown, them.shown),
      row(`${name}: until a search shows its result`, us.searched, them.searched),
      {
        ...row(`${name}: a frame while scrolling (95th percentile)`, us.frame, them.frame),
        goal: '≤ 50 ms',
        isMet: us.frame <= 50,
      },
      {
        what: `${name}: made on the runner in`,
        ours: `${rendering.toFixed(2)} s`,
        beside: '',
        theirs: '',
        ratio: '',
        goal: '≤ 0.3 s',
        isMet: rendering <= 0.3,
      },
      {
        what: 'its size without media',
        ours: `${(await megabytes(bare.file)).toFixed(1)} MB`,
        beside: '',
        theirs: '',
        ratio: '',
        goal: '≤ 10 MB',
        isMet: (await megabytes(bare.file)) <= 10,
      },
      {
        what: 'its size with media',
        ours: `${size.toFixed(1)} MB`,
        beside: 'the same, its attachments apart',
        theirs: `${(await megabytes(theirs.file)).toFixed(1)} MB`,
        ratio: '',
        goal: '≤ 20 MB',
        isMet: size <= 20,
      },
    ];
  } finally {
    await browser.close();
  }
}

async function megabytes(file: string): Promise<number> {
  return (await stat(file)).size / 1e6;
}

function row(what: string, one: number, other: number): Row {
  return {
    what,
    ours: `${one.toFixed(0)} ms`,
    beside: "Playwright's HTML report, 10,000 tests in 2,000 files",
    theirs: `${other.toFixed(0)} ms`,
    ratio: `${(one / other).toFixed(2)} × its time`,
    goal: '≤ 1 ×',
    isMet: one <= other,
  };
}

async function open(browser: Browser, { file, entry, search, query, result, scroller }: Subject): Promise<Opening> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const start = performance.now();
  await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' });
  await page.locator(entry).first().waitFor({ state: 'visible' });
  const shown = performance.now() - start;
  await page.waitForLoadState('load');
  await page.locator(search).fill(query);
  await page.locator(search).press('Enter');
  await page.locator(result).first().waitFor({ state: 'visible' });
  const searched = performance.now() - start;
  await page.locator(search).fill('');
  await page.locator(search).press('Enter');
  const frame = await page.evaluate(scroll(scroller));
  await page.close();
  return { shown, searched, frame: Number(frame) };
}

/** Scrolls through 30,000 pixels from the middle of the page, 250 in each frame: nineteen of twenty frames are faster. */
const scroll = (scroller: string): string => `new Promise((resolve) => {
  const scroller = document.querySelector('${scroller}');
  const times = [];
  let last = 0;
  const next = (now) => {
    if (last > 0) times.push(now - last);
    last = now;
    if (times.length === 120) return resolve(times.sort((a, b) => a - b)[114]);
    scroller.scrollTop += 250;
    requestAnimationFrame(next);
  };
  scroller.scrollTop = scroller.scrollHeight / 2;
  setTimeout(() => requestAnimationFrame(next), 1000);
})`;

function median(all: readonly Opening[]): Opening {
  const of = (valueOf: (one: Opening) => number): number =>
    all.map(valueOf).toSorted((a, b) => a - b)[all.length >> 1] ?? 0;
  return { shown: of((one) => one.shown), searched: of((one) => one.searched), frame: of((one) => one.frame) };
}

/** Seconds to make the page, without media. */
function secondsToRender(rounds: number): number {
  const report = manyFiles(FILES, ISSUES_PER_FILE);
  const all = Array.from({ length: rounds }, () => {
    const start = performance.now();
    renderPage(report);
    return (performance.now() - start) / 1000;
  });
  return all.toSorted((a, b) => a - b)[rounds >> 1] ?? 0;
}

async function writeOurs(name: string, hasMedia: boolean): Promise<string> {
  const file = path.join(FOLDER, name);
  const report = manyFiles(FILES, ISSUES_PER_FILE);
  await writeFile(file, renderPage(report, sampleMedia(hasMedia ? mediaToEmbed(report.assets) : [])));
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

if (isMain(import.meta.url)) console.table(await reportPage(Number(process.argv[2] ?? 5)));
