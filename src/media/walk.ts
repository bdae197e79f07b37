import { readdirSync } from 'node:fs';
import path from 'node:path';
import { join } from 'node:path/posix';
import { create } from '@actions/glob';
import { relativeTo } from '../lib/file-system.ts';

/**
 * Lists a folder and everything below it. Follows no link. A pipe counts as a file: opening it fails.
 *
 * @param top relative to the root, which is a path without links; so are the results, with forward slashes
 * @returns files and links, and the folders that could not be opened, each with the error
 */
export async function listBelow(root: string, top: string, shouldOpen: (folder: string) => boolean) {
  const [files, links]: [string[], string[]] = [[], []];
  const unreadable = new Map<string, unknown>();
  const visit = async (start: string): Promise<void> => {
    if (!shouldOpen(start)) return;
    // The root has `.git` and often `node_modules`, so not all folders in it are opened.
    const all = start === '' ? undefined : await foldersAtOnce(root, start, shouldOpen);
    for (const folder of all ?? [start])
      try {
        if (hasInvalidName(folder)) throw INVALID_NAME;
        for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
          const place = join(folder, entry.name);
          if (!entry.isDirectory()) (entry.isSymbolicLink() ? links : files).push(place);
          else if (!all) await visit(place);
        }
      } catch (error) {
        unreadable.set(folder, error);
      }
  };
  await visit(top);
  return { files, links, unreadable };
}

/**
 * The folder and all folders below it. Undefined if one of them is not to be opened or cannot be opened: `@actions/glob`
 * returns a folder before it opens it, but cannot leave it out.
 */
async function foldersAtOnce(root: string, top: string, shouldOpen: (folder: string) => boolean) {
  const place = path.join(root, top);
  // In a glob, other characters may have a meaning.
  if (!/^[\w./: -]+$/.test(place.replaceAll(path.sep, '/'))) return undefined;
  const found: string[] = [];
  try {
    const globber = await create(`${place}${path.sep}**${path.sep}`, GLOB_OPTIONS);
    for await (const each of globber.globGenerator()) {
      const folder = relativeTo(root, each) ?? '';
      if (!shouldOpen(folder)) return undefined;
      found.push(folder);
    }
  } catch {
    return undefined;
  }
  return found.length > 0 ? found : undefined;
}

const GLOB_OPTIONS = { followSymbolicLinks: false, implicitDescendants: false, matchDirectories: true };

export const INVALID_NAME = new Error('its name is not valid UTF-8');

/** Node replaces bytes that are not UTF-8 with this character. Opening the changed name fails or opens another file. */
export function hasInvalidName(file: string): boolean {
  return file.includes('\ufffd');
}
