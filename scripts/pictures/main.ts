/** Takes the pictures of the docs from a real run: `npm run pictures`. */
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { type Scenario, startEmulator } from '../../emulator/emulator.ts';
import { runStep } from '../../test/harness/run-step.ts';
import { openBrowser } from './browser.ts';
import { githubPage } from './github-page.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

/** What one run of the built action leaves for its readers. */
interface Shown {
  readonly summary: string;
  readonly page: string;
}

/** Runs the action for the second push of a branch: the hero film changed, every other file is reused. */
async function showFailedRun(): Promise<Shown> {
  const emulator = await startEmulator();
  const folder = await mkdtemp(path.join(tmpdir(), 'gate-pictures-'));
  try {
    const scenario: Scenario = JSON.parse(await readFile(path.join(EXAMPLES, 'demo-scenario.json'), 'utf8'));
    const files = [{ match: 'campaign-hero-*.mp4', issues: [FIRST_CUT] }, ...(scenario.files ?? [])];
    const service = emulator.workspace({ scenario: { ...scenario, files } });
    await cp(path.join(EXAMPLES, 'media'), folder, { recursive: true });
    await run(emulator.baseUrl, service.key, folder);
    await appendFile(path.join(folder, 'campaign/hero.mp4'), Buffer.from([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]));
    service.load(scenario);
    return await run(emulator.baseUrl, service.key, folder);
  } finally {
    await rm(folder, { recursive: true });
    await emulator.close();
  }
}

const FIRST_CUT = {
  severity: 'MAJOR',
  ruleCode: 'PRICE-01',
  referenceNumber: 1032,
  severityReasoningHeadline: 'Price without VAT',
  summary: 'The end card shows a net price.',
};

async function run(baseUrl: string, key: string, folder: string): Promise<Shown> {
  const shown = await runStep({
    workspace: folder,
    clockFactor: 30,
    inputs: {
      'api-key': key,
      'base-url': baseUrl,
      'state-file': 'state.json',
      'issue-url': 'https://compliance.example.com/issues/{referenceNumber}',
    },
    env: { GITHUB_REF: 'refs/heads/autumn-campaign' },
  });
  // The folder and the address of this machine are replaced by what a reader of the docs would see.
  const neutral = (text: string): string =>
    text.replaceAll(folder + path.sep, '').replaceAll(new URL(baseUrl).host, 'compliance.example.com');
  return { summary: neutral(shown.summary), page: neutral(shown.file('report.html')) };
}

/** Run in the page, so that no film shows that it is loading. */
const LOAD = "document.querySelectorAll('video').forEach((film) => { film.preload = 'auto'; })";
const IS_LOADED = "[...document.querySelectorAll('video')].every((film) => film.readyState === 4 && !film.seeking)";

/** Takes a picture of the first screen of a page. */
async function shoot(browser: Browser, name: string, html: string, width: number, height: number): Promise<void> {
  const source = path.join(FOLDER, `${name}.html`);
  await writeFile(source, html);
  // The page's policy would block the scripts of this program.
  const tab = await browser.newPage({ bypassCSP: true, colorScheme: 'light', viewport: { width, height } });
  await tab.goto(pathToFileURL(source).href, { waitUntil: 'load' });
  await tab.evaluate(LOAD);
  await tab.waitForFunction(IS_LOADED);
  // Chromium's loading sign takes a while to fade out.
  await tab.waitForTimeout(1_000);
  await tab.screenshot({ path: path.join(FOLDER, `${name}.png`) });
  await tab.close();
  await rm(source);
}

const { summary, page } = await showFailedRun();
const browser = await openBrowser();
try {
  await shoot(browser, 'summary-fail', await githubPage(summary), 900, 680);
  await shoot(browser, 'report', page, 1_280, 900);
} finally {
  await browser.close();
}
