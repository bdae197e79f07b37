/** The pictures of the docs, of a real run: `npm run pictures`. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { showFailedRun } from './failed-run.ts';
import { asGitHub } from './github-page.ts';

const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

/** Signs that every font has, because a machine that takes pictures seldom has one with emoji. */
const SIGNS: readonly (readonly [emoji: RegExp, sign: string, colour: string])[] = [
  [/❌/g, '✖', '#d1242f'],
  [/✅/g, '✔', '#1a7f37'],
  [/☑\ufe0f/g, '✔', '#57606a'],
  [/⚠\ufe0f/g, '⚠', '#bf8700'],
  [/🔴/gu, '●', '#d1242f'],
  [/🟠/gu, '●', '#e16f24'],
  [/🟡/gu, '●', '#eac54f'],
  [/🔵/gu, '●', '#218bff'],
  [/🟥/gu, '■', '#d1242f'],
  [/🟧/gu, '■', '#e16f24'],
  [/🟨/gu, '■', '#eac54f'],
  [/🟦/gu, '■', '#218bff'],
];

async function githubPage(markdown: string): Promise<string> {
  const require = createRequire(import.meta.url);
  const css = await readFile(require.resolve('github-markdown-css/github-markdown.css'), 'utf8');
  const html = SIGNS.reduce(
    (text, [emoji, sign, colour]) => text.replace(emoji, `<span style="color: ${colour}">${sign}</span>`),
    asGitHub(markdown),
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><style>${css} body { margin: 0 } .markdown-body { padding: 32px }</style>
<article class="markdown-body">${html}</article></html>`;
}

/** In the page: a film shows its second scene, and no sign that it is loading. */
const SEEK = "document.querySelectorAll('video').forEach((film) => { film.preload = 'auto'; film.currentTime = 1.4; })";
const IS_LOADED = "[...document.querySelectorAll('video')].every((film) => film.readyState === 4 && !film.seeking)";

/** What is below the screen is cut off. */
async function shoot(browser: Browser, name: string, html: string, width: number, height: number): Promise<void> {
  const source = path.join(FOLDER, `${name}.html`);
  await writeFile(source, html);
  const tab = await browser.newPage({ colorScheme: 'light', viewport: { width, height } });
  await tab.goto(pathToFileURL(source).href, { waitUntil: 'load' });
  await tab.evaluate(SEEK);
  await tab.waitForFunction(IS_LOADED);
  await tab.screenshot({ path: path.join(FOLDER, `${name}.png`) });
  await tab.close();
  await rm(source);
}

const { summary, page } = await showFailedRun();
const browser = await openBrowser();
try {
  await shoot(browser, 'summary-fail', await githubPage(summary), 900, 640);
  await shoot(browser, 'report', page, 1_280, 900);
} finally {
  await browser.close();
}
