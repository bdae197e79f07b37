import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A package that is in the bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As it says itself; some do not. */
  readonly licence: string;
  /** Of its licence; empty where it brings none. */
  readonly text: string;
}

/** The folders of the packages that modules of a bundle are from. A package in a package is one of its own. */
export function packageFolders(modules: readonly string[]): readonly string[] {
  const folders = modules.flatMap((module) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? []);
  return [...new Set(folders)].toSorted();
}

export async function readPackage(folder: string): Promise<BundledPackage> {
  const manifest: { name: string; version: string; license?: string } = JSON.parse(
    await readFile(path.join(folder, 'package.json'), 'utf8'),
  );
  const { name, version, license: licence = 'none named' } = manifest;
  return { name, version, licence, text: await licenceText(folder) };
}

/** Everything that has to be told with the bundle: whose code is in it, and under which conditions. */
export function licenceFile(packages: readonly BundledPackage[]): string {
  const parts = packages.map(({ name, version, licence, text }) =>
    [`${name} ${version}`, `Licence: ${licence}`, '', text || 'The package brings no text of it.', ''].join('\n'),
  );
  return [...new Set(parts)].toSorted().join(`\n${'-'.repeat(80)}\n\n`);
}

async function licenceText(folder: string): Promise<string> {
  const names = (await readdir(folder)).toSorted();
  const own = names.filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name));
  if (own.length > 0) {
    const texts = await Promise.all(own.map(async (name) => await readFile(path.join(folder, name), 'utf8')));
    return texts.map(tidy).join('\n\n');
  }
  const readme = names.find((name) => /^readme/i.test(name));
  if (readme === undefined) return '';
  const [, section = ''] = (await readFile(path.join(folder, readme), 'utf8')).split(/^#+ Licen[cs]e$/im);
  // Often it is no more than the name.
  return section.includes('Permission is hereby granted') ? tidy(section) : '';
}

function tidy(text: string): string {
  return text.replaceAll('\r\n', '\n').trim();
}
