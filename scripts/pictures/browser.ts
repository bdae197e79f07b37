import { type Browser, chromium } from 'playwright-core';

/** No sandbox, since containers seldom allow one; nothing that calls home. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser that CHROMIUM names, or Debian's. */
export function browserPath(): string {
  return process.env['CHROMIUM'] ?? '/usr/bin/chromium';
}

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath(), args: FLAGS });
}
