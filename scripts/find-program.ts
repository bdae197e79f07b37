import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * @param variable names the program's file. If it is set, no other place is searched
 * @param names to look for in the folders of PATH
 * @param places to look at afterwards
 * @returns the path of an installed program, or undefined
 */
export function findProgram(
  variable: string,
  names: readonly string[],
  places: readonly string[] = [],
): string | undefined {
  const named = process.env[variable];
  if (named) return existsSync(named) ? named : undefined;
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean);
  const onPath = folders.flatMap((folder) => names.map((name) => path.join(folder, `${name}${suffix}`)));
  return [...onPath, ...places].find((file) => existsSync(file));
}

/** Chromium or Chrome. */
export function findBrowser(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
  return findProgram('CHROMIUM', names, [
    '/usr/bin/chromium',
    '/snap/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  ]);
}
