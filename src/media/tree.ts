import { readdirSync } from 'node:fs';
import path from 'node:path';
import { create } from '@actions/glob';
import { author, type Cause, FILE, GateError, workflowOwner } from '../lib/cause.ts';
import { isIn, parentOf } from './patterns.ts';

export type Kind = 'file' | 'folder' | 'link';

interface Entry {
  readonly path: string;
  readonly kind: Kind;
}

/** Folders are yielded as well, so that one whose name is not UTF-8 is noticed even if it looks like another one. */
const GLOB_OPTIONS = { followSymbolicLinks: false, implicitDescendants: false, matchDirectories: true };

/** A folder as it is on the disk, without Git's own files. Paths are relative to it, with forward slashes. No link is followed. */
export class Tree {
  /** Absolute, without links. */
  readonly root: string;
  readonly #folders = new Map<string, ReadonlyMap<string, Kind>>();

  constructor(root: string) {
    this.root = root;
  }

  /** What is directly in a folder, by name. The root is `''`. */
  entries(folder: string): ReadonlyMap<string, Kind> {
    const known = this.#folders.get(folder);
    if (known) return known;
    const entries = new Map<string, Kind>();
    try {
      for (const entry of readdirSync(path.join(this.root, folder), { withFileTypes: true })) {
        const { name } = entry;
        if (name.includes('\ufffd')) throw new GateError(unreadable(path.posix.join(folder, name)));
        if (name === '.git') continue;
        if (entry.isDirectory()) entries.set(name, 'folder');
        else if (entry.isSymbolicLink()) entries.set(name, 'link');
        else if (entry.isFile()) entries.set(name, 'file');
      }
    } catch (error) {
      throw this.#explain(error);
    }
    this.#folders.set(folder, entries);
    return entries;
  }

  /**
   * The files and links at a path and below it.
   *
   * @param start in lower case; everything that is so in lower case is meant
   */
  async walk(start: string): Promise<readonly Entry[]> {
    const found = this.#at(start).map(async (entry) =>
      entry.kind === 'folder' ? await this.#below(entry.path) : [entry],
    );
    return (await Promise.all(found)).flat();
  }

  /** A link on the way stands for everything behind it. */
  #at(start: string): readonly Entry[] {
    let found: readonly Entry[] = [{ path: '', kind: 'folder' }];
    for (const part of start.split('/').filter((each) => each !== '')) {
      found = found.flatMap((entry) => {
        if (entry.kind !== 'folder') return entry.kind === 'link' ? [entry] : [];
        const names = [...this.entries(entry.path)].filter(([name]) => name.normalize('NFC').toLowerCase() === part);
        return names.map(([name, kind]) => ({ path: path.posix.join(entry.path, name), kind }));
      });
    }
    return found;
  }

  async #below(folder: string): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    try {
      const globber = await create(patternForAll(path.join(this.root, folder)), GLOB_OPTIONS);
      for await (const found of globber.globGenerator()) {
        const entry = this.#relative(found);
        if (entry === '' || isIn('.git', entry)) continue;
        const kind = this.entries(parentOf(entry)).get(path.posix.basename(entry));
        if (kind !== undefined) entries.push({ path: entry, kind });
      }
    } catch (error) {
      throw this.#explain(error);
    }
    return entries;
  }

  #relative(absolute: string): string {
    return absolute
      .slice(this.root.endsWith(path.sep) ? this.root.length : this.root.length + 1)
      .replaceAll(path.sep, '/');
  }

  /** Going on without what cannot be read would check fewer files than the workflow asks for. */
  #explain(error: unknown): unknown {
    if (!(error instanceof Error && 'path' in error && 'code' in error)) return error;
    return new GateError(unreadable(this.#relative(String(error.path)), String(error.code)), { cause: error });
  }
}

/** A pattern for everything in a folder, whatever characters its path has. */
function patternForAll(folder: string): string {
  const literal = path.sep === '\\' ? folder : folder.replaceAll('\\', '\\\\');
  // A pattern cannot hold a line break.
  return `${literal.replaceAll(/[*?[]/g, '[$&]').replaceAll(/[\n\r]/g, '?')}${path.sep}**`;
}

function unreadable(file: string, code = ''): Cause {
  // U+FFFD stands for bytes that are not UTF-8. Such a name cannot be opened, or another file is opened instead.
  if (file.includes('\ufffd')) {
    const message = 'The name is not valid UTF-8, so the file or folder cannot be opened.';
    const fix = `Rename ${FILE}, commit and push. No pattern can exclude it.`;
    return { reason: 'pre-flight', path: file, message, steps: [author(fix)] };
  }
  const message = `The file or folder cannot be read (${code}), so not all files can be found.`;
  const fix = `Give the job's user read access to ${FILE}, and run this step after every step that moves or writes files.`;
  return { reason: 'pre-flight', path: file, message, steps: [workflowOwner(fix)] };
}
