import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { renderComment } from '../../src/report/comment.ts';
import { renderHtml } from '../../src/report/html.ts';
import type { EmbeddedMedia } from '../../src/report/html-media.ts';
import { renderSummary } from '../../src/report/summary.ts';
import { openBrowser } from './browser.ts';
import { asGitHub } from './github-page.ts';
import * as samples from './samples.ts';

/** Pictures of the reports as their readers see them: `node scripts/pictures/main.ts <folder>`. */

const require = createRequire(import.meta.url);
const githubCss = await readFile(require.resolve('github-markdown-css/github-markdown.css'), 'utf8');
const emoji = pathToFileURL(require.resolve('twemoji-colr-font/twemoji.woff2')).href;
/** Under a name that GitHub's style asks for: a machine that takes pictures seldom has such a font. */
const emojiCss = `@font-face { font-family: 'Segoe UI Emoji'; src: url(${emoji}) }`;

function githubPage(markdown: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><style>${emojiCss} ${githubCss} body { margin: 0 } .markdown-body { padding: 32px; max-width: 1012px; margin: auto }</style>
<article class="markdown-body">${asGitHub(markdown)}</article></html>`;
}

interface Picture {
  readonly name: string;
  readonly page: string;
  readonly scheme?: 'light' | 'dark';
  readonly width: number;
}

async function shoot(
  browser: Browser,
  folder: string,
  { name, page, scheme = 'light', width }: Picture,
): Promise<void> {
  const source = resolve(folder, `${name}.html`);
  await writeFile(source, page);
  const tab = await browser.newPage({ colorScheme: scheme, viewport: { width, height: 800 } });
  await tab.goto(pathToFileURL(source).href, { waitUntil: 'networkidle' });
  await tab.evaluate('document.fonts.ready');
  await tab.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await tab.close();
}

/** Drawn here, so that the pictures need no media of anyone. */
function sampleMedia(): ReadonlyMap<string, EmbeddedMedia> {
  const poster =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 420"><rect width="320" height="420" fill="#f4d35e"/><circle cx="160" cy="170" r="90" fill="#ee964b"/><text x="160" y="340" font-family="sans-serif" font-size="34" font-weight="700" text-anchor="middle" fill="#0d3b66">Summer, bottled</text></svg>';
  return new Map([['print/poster.png', { mime: 'image/svg+xml', base64: Buffer.from(poster).toString('base64') }]]);
}

const folder = process.argv[2] ?? 'pictures';
await mkdir(folder, { recursive: true });
const report = renderHtml(samples.failed, sampleMedia());
const pictures: readonly Picture[] = [
  ...Object.entries(samples).map(([name, sample]) => ({
    name: `summary-${name}`,
    page: githubPage(renderSummary(sample)),
    width: 1_100,
  })),
  { name: 'summary-failed-dark', page: githubPage(renderSummary(samples.failed)), scheme: 'dark', width: 1_100 },
  { name: 'comment-failed', page: githubPage(renderComment(samples.failed, 'sample')), width: 860 },
  { name: 'report', page: report, width: 1_280 },
  { name: 'report-dark', page: report, scheme: 'dark', width: 1_280 },
  { name: 'report-narrow', page: report, width: 390 },
  { name: 'report-passed', page: renderHtml(samples.passed), width: 1_280 },
];
const browser = await openBrowser();
try {
  for (const picture of pictures) await shoot(browser, folder, picture);
} finally {
  await browser.close();
}
