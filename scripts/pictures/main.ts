/** Pictures of the reports as their readers see them, each of a real run: `npm run pictures`. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { asGitHub } from './github-page.ts';
import { showVerdicts } from './runs.ts';

const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

interface Picture {
  readonly name: string;
  readonly page: string;
  readonly scheme?: 'light' | 'dark';
  readonly width: number;
  /** Cut off below, where the rest is more of the same. */
  readonly height?: number;
}

async function githubPage(markdown: string): Promise<string> {
  const require = createRequire(import.meta.url);
  const css = await readFile(require.resolve('github-markdown-css/github-markdown.css'), 'utf8');
  const emoji = pathToFileURL(require.resolve('twemoji-colr-font/twemoji.woff2')).href;
  // Under a name that GitHub's style asks for: a machine that takes pictures seldom has such a font.
  const font = `@font-face { font-family: 'Segoe UI Emoji'; src: url(${emoji}) }`;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><style>${font} ${css} body { margin: 0 } .markdown-body { padding: 32px; max-width: 1012px; margin: auto }</style>
<article class="markdown-body">${asGitHub(markdown)}</article></html>`;
}

async function shoot(browser: Browser, { name, page, scheme = 'light', width, height }: Picture): Promise<void> {
  const source = path.join(FOLDER, `${name}.html`);
  await writeFile(source, page);
  const tab = await browser.newPage({ colorScheme: scheme, viewport: { width, height: height ?? 200 } });
  await tab.goto(pathToFileURL(source).href, { waitUntil: 'networkidle' });
  await tab.evaluate('document.fonts.ready');
  await tab.screenshot({ path: path.join(FOLDER, `${name}.png`), fullPage: height === undefined });
  await tab.close();
  await rm(source);
}

await mkdir(FOLDER, { recursive: true });
const runs = await showVerdicts();
const browser = await openBrowser();
try {
  for (const [verdict, { summary }] of Object.entries(runs)) {
    await shoot(browser, { name: `summary-${verdict}`, page: await githubPage(summary), width: 1_000 });
  }
  await shoot(browser, { name: 'report', page: runs.fail.page, width: 1_280, height: 1_400 });
  await shoot(browser, { name: 'report-dark', page: runs.fail.page, scheme: 'dark', width: 1_280, height: 1_400 });
} finally {
  await browser.close();
}
