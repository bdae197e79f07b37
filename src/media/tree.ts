import { readdirSync } from 'node:fs';
import path from 'node:path';
import { create } from '@actions/glob';
import { author, type Cause, FILE, GateError } from '../lib/cause.ts';

/** A file, folder or link. In this module, folders are relative to the root, with forward slashes; the root is `''`. */
export interface Entry {
  /** Relative to the folder that was listed. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
}

/** Lists the files, folders and links directly in a folder, without `.git`, pipes and other special files. */
export function entriesOf(root: string, folder: string): readonly Entry[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry): readonly Entry[] => {
    const { name } = entry;
    // Node replaces bytes that are not UTF-8 with this character. Opening the changed name fails or opens another file.
    if (name.includes('\ufffd')) throw new GateError(invalidName(joined(folder, name)));
    if (name === '.git') return [];
    if (entry.isDirectory()) return [{ path: name, kind: 'folder' }];
    if (entry.isSymbolicLink()) return [{ path: name, kind: 'link' }];
    return entry.isFile() ? [{ path: name, kind: 'file' }] : [];
  });
}

/** With `matchDirectories`, a folder comes before its entries, so that a name that is not UTF-8 is reported first. */
const GLOB_OPTIONS = { followSymbolicLinks: false, implicitDescendants: false, matchDirectories: true };

/** Lists the files and links in a folder and below it, and follows no link. */
export async function entriesBelow(root: string, folder: string): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  const folders = new Map([[path.join(root, folder), '']]);
  const globber = await create(patternForFolders(path.join(root, folder)), GLOB_OPTIONS);
  for await (const each of globber.globGenerator()) {
    const parent = folders.get(each);
    if (parent === undefined) continue;
    for (const entry of entriesOf(root, joined(folder, parent))) {
      const inside = joined(parent, entry.path);
      if (entry.kind === 'folder') folders.set(path.join(each, entry.path), inside);
      else found.push({ path: inside, kind: entry.kind });
    }
  }
  return found;
}

/** Joins two paths with a slash. The root is `''`. */
export function joined(folder: string, inside: string): string {
  return folder === '' || inside === '' ? folder + inside : `${folder}/${inside}`;
}

/** A glob for a folder and all folders below it. Special characters in the path of the folder are escaped. */
function patternForFolders(folder: string): string {
  const literal = path.sep === '\\' ? folder : folder.replaceAll('\\', '\\\\');
  // A glob cannot contain a line break, and the library logs the folder, so `?` matches every kind of line break.
  return `${literal.replaceAll(/[*?[]/g, '[$&]').replaceAll(/[\n\r\u2028\u2029]/g, '?')}${path.sep}**${path.sep}`;
}

function invalidName(file: string): Cause {
  const message = 'The name is not valid UTF-8, so the file or folder cannot be opened.';
  const fix = `Rename ${FILE}, commit and push. No pattern can exclude it.`;
  return { reason: 'pre-flight', path: file, message, steps: [author(fix)] };
}
