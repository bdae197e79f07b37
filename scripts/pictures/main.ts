/**
 * The pictures of README, of a real run: `npm run pictures`. With `--review` also pictures of 20 and of 2,000 files, at each
 * width and on paper, which go to `node_modules/.cache/pictures`.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { mediaToEmbed } from '../../src/report/page/media.ts';
import { renderPage } from '../../src/report/page/page.ts';
import { renderSummary } from '../../src/report/summary.ts';
import { openBrowser } from './browser.ts';
import { showFailedRun } from './failed-run.ts';
import { asGitHub } from './github-page.ts';
import { manyFiles, sampleMedia } from './many-files.ts';

const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const REVIEW_FOLDER = fileURLToPath(new URL('../../node_modules/.cache/pictures/', import.meta.url));

interface Picture {
  readonly folder?: string;
  readonly name: string;
  readonly page: string;
  readonly scheme?: 'light' | 'dark';
  readonly width: number;
  /** Cut off at the bottom: the rest repeats. */
  readonly height?: number;
}

async function githubPage(markdown: string): Promise<string> {
  const require = createRequire(import.meta.url);
  const css = await readFile(require.resolve('github-markdown-css/github-markdown.css'), 'utf8');
  const emoji = pathToFileURL(require.resolve('twemoji-colr-font/twemoji.woff2')).href;
  // Under a name that GitHub's style asks for: a machine that takes pictures seldom has such a font.
  const font = `@font-face { font-family: 'Segoe UI Emoji'; src: url(${emoji}); unicode-range: U+2139-1FAFF }`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><style>${font} ${css} body { margin: 0 } .markdown-body { padding: 32px; max-width: 1012px; margin: auto }</style>
<article class="markdown-body">${asGitHub(markdown)}</article></html>`;
}

/** In the page: waits for fonts, and until every film shows its second scene instead of the sign that it is loading. */
const READY = `Promise.all([document.fonts.ready, ...[...document.querySelectorAll('video')].map((film) =>
  new Promise((resolve) => { film.addEventListener('seeked', resolve); film.currentTime = 1.4; }))])`;

async function shoot(browser: Browser, picture: Picture): Promise<void> {
  const { folder = FOLDER, name, page, scheme = 'light', width, height } = picture;
  const source = path.join(folder, `${name}.html`);
  await writeFile(source, page);
  const tab = await browser.newPage({ colorScheme: scheme, viewport: { width, height: height ?? 200 } });
  await tab.goto(pathToFileURL(source).href, { waitUntil: 'load' });
  await tab.evaluate(READY);
  await tab.screenshot({ path: path.join(folder, `${name}.png`), fullPage: height === undefined });
  await tab.close();
  await rm(source);
}

/** The page and the summary of many files, as large as a screen, and on paper. */
async function shootManyFiles(browser: Browser, files: number): Promise<void> {
  const report = manyFiles(files);
  const page = renderPage(report, sampleMedia(mediaToEmbed(report.assets)));
  const summary = await githubPage(renderSummary(report));
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
    [390, 844],
  ] as const) {
    await shoot(browser, { folder: REVIEW_FOLDER, name: `report-${files}-${width}`, page, width, height });
    await shoot(browser, { folder: REVIEW_FOLDER, name: `summary-${files}-${width}`, page: summary, width });
  }
  const source = path.join(REVIEW_FOLDER, 'print.html');
  await writeFile(source, page);
  const tab = await browser.newPage();
  await tab.goto(pathToFileURL(source).href, { waitUntil: 'load' });
  await tab.pdf({ path: path.join(REVIEW_FOLDER, `report-${files}.pdf`), format: 'A4', pageRanges: '1-10' });
  await tab.close();
  await rm(source);
}

const { summary, page } = await showFailedRun();
const browser = await openBrowser();
try {
  await shoot(browser, { name: 'summary-fail', page: await githubPage(summary), width: 900, height: 640 });
  await shoot(browser, { name: 'report', page, width: 1_280, height: 900 });
  if (process.argv.includes('--review')) {
    await mkdir(REVIEW_FOLDER, { recursive: true });
    for (const files of [20, 2_000]) await shootManyFiles(browser, files);
  }
} finally {
  await browser.close();
}
