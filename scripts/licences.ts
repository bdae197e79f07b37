import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
  /** Only in packages with programs for one system, which are tools and never bundled. */
  readonly os?: readonly string[];
}

/** Separates the packages: no licence text contains such a line. */
export const SEPARATOR = `\n${'='.repeat(100)}\n\n`;

/** The notice that comes with dist/: the licence of every package that may be in the bundle. */
export async function licenceFile(root: string): Promise<string> {
  // By the lock file: node_modules may have packages that are no longer needed.
  const list = ['ls', '--package-lock-only', '--omit=dev', '--omit=optional', '--all', '--parseable'];
  const { stdout } = await promisify(execFile)('npm', list, { cwd: root, shell: process.platform === 'win32' });
  // Packages for other systems are not installed.
  const [, ...folders] = stdout
    .trim()
    .split('\n')
    .filter((folder) => existsSync(folder));
  const sections = await Promise.all(folders.map(async (folder) => await licenceSection(folder)));
  return [...new Set(sections.flat())].toSorted().join(SEPARATOR);
}

async function licenceSection(folder: string): Promise<readonly string[]> {
  const manifest: Manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const { name, version, license: licence = 'not named in the package', author, os } = manifest;
  if (os) return [];
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file)).toSorted();
  const texts = await Promise.all(files.map(async (file) => await readFile(path.join(folder, file), 'utf8')));
  const holder = typeof author === 'object' ? author.name : author;
  const text = texts.map((each) => each.replaceAll('\r\n', '\n').trim()).join('\n\n');
  return [
    `${name} ${version}\nLicence: ${licence}\n\n${text || `The package has no licence text. Author: ${holder ?? 'not named'}`}\n`,
  ];
}
