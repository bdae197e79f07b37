import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from '../find-program.ts';

/** Containers seldom allow a sandbox. The other flags keep the browser from making requests. */
const SILENT = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'].map((name) => `--disable-${name}`);
const FLAGS = ['--headless', '--no-sandbox', '--no-first-run', ...SILENT];

export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined)
    throw new Error('There is no Chromium here. Install it, or set CHROMIUM to its path.');
  return await chromium.launch({ executablePath, args: FLAGS });
}
