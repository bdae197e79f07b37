import { join } from 'node:path';
import { concurrently } from '../lib/async.ts';
import { GateError } from '../lib/cause.ts';
import { type FoundFile, readAt, withFile } from './file.ts';
import { isAnnexPointer, parsePointer } from './lfs.ts';
import { hasDefaultExtension, isMediaName, typeOfName } from './media-types.ts';
import type { FilePatterns } from './patterns.ts';
import { sniff } from './sniff.ts';

const CONCURRENCY = 8;
/** Enough to tell text from other bytes. Most of these files are source code, of which there may be thousands. */
const TEXT_SAMPLE_BYTES = 4096;

/** Whether people may publish files of this name as media, although they are not checked by default. */
export function mayBePublished(path: string): boolean {
  return isMediaName(path) && !hasDefaultExtension(path) && typeOfName(path)?.family !== 'text';
}

/** Of files that are not selected, those that somebody may publish as media. */
export async function findUnchecked(files: readonly FoundFile[]): Promise<readonly FoundFile[]> {
  const media = await concurrently(files, CONCURRENCY, async (file) => ((await isMedia(file)) ? [file] : []));
  return media.flat();
}

async function isMedia(file: FoundFile): Promise<boolean> {
  const hasMediaName = mayBePublished(file.path);
  try {
    return await withFile(file, async (handle, { size }) => {
      const head = await readAt(handle, 0, Math.min(size, TEXT_SAMPLE_BYTES));
      // People keep films in Git LFS and git-annex, but neither source code nor keys.
      if (parsePointer(file.path, head) || isAnnexPointer(head)) return hasMediaName;
      const [type] = await sniff(handle, size, head);
      // Detection knows the bytes of documents, so a file called `.key` of other bytes is a private key.
      if (!type) return hasMediaName && typeOfName(file.path)?.category !== 'document';
      return type.family !== 'text' && (hasMediaName || type.category !== undefined);
    });
  } catch (error) {
    // A file that cannot be read does not end the run, because it is not checked anyway. Its extension decides.
    if (error instanceof GateError) return hasMediaName;
    throw error;
  }
}

const MAX_MODULES_BYTES = 1_000_000;

/**
 * The submodules in which the user selects files, and of which none was found: `actions/checkout` leaves submodules
 * empty by default. Their paths end in `/`.
 */
export async function findEmptySubmodules(
  root: string,
  patterns: FilePatterns,
  found: readonly string[],
): Promise<readonly FoundFile[]> {
  const list = { path: '.gitmodules', absolutePath: join(root, '.gitmodules') };
  const reading = withFile(list, async (handle) => Buffer.from(await readAt(handle, 0, MAX_MODULES_BYTES)));
  const text = String(await reading.catch(() => ''));
  return [...text.matchAll(/^[ \t]*path[ \t]*=(.+)$/gm)]
    .map(([, value = '']) => value.trim().replaceAll('"', ''))
    .filter((folder) => !folder.startsWith('..') && patterns.canUserSelectIn(folder))
    .map((folder) => ({ path: `${folder}/`, absolutePath: join(root, folder) }))
    .filter(({ path }) => !found.some((file) => file.startsWith(path)));
}
