import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** A package that is in the bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** The name of its licence. */
  readonly licence: string;
  readonly text: string;
}

/** The folders of the packages that the modules of a bundle are from. */
export function packageFolders(modules: readonly string[]): readonly string[] {
  const folders = modules.flatMap((module) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? []);
  return [...new Set(folders)].toSorted();
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

export async function readPackage(folder: string): Promise<BundledPackage> {
  const manifest: Manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const { name, version, license: licence = '' } = manifest;
  const text = (await licenceText(folder)) || standardText(manifest);
  if (text === '')
    throw new Error(`${name} ${version} has no licence text. Its licence is: ${licence || 'not named'}.`);
  return { name, version, licence, text };
}

/** For a package that names the MIT licence and brings no text. */
function standardText({ name, license, author }: Manifest): string {
  if (license !== 'MIT') return '';
  const holder = (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`;
  return MIT.replace('HOLDER', holder);
}

const MIT = `MIT License

Copyright (c) HOLDER

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** The notice that comes with the bundle: whose code is in it, and under which conditions. */
export function licenceFile(packages: readonly BundledPackage[]): string {
  const parts = packages.map(({ name, version, licence, text }) =>
    [`${name} ${version}`, `Licence: ${licence}`, '', text, ''].join('\n'),
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
  // Often the section is only the name.
  return section.includes('Permission is hereby granted') ? tidy(section) : '';
}

function tidy(text: string): string {
  return text.replaceAll('\r\n', '\n').trim();
}
