import { concurrently } from '../lib/async.ts';
import { GateError } from '../lib/cause.ts';
import { type FoundFile, readAt, withFile } from './file.ts';
import { parsePointer } from './lfs.ts';
import { extensionOf, hasDefaultExtension, isMediaName, typeOfName } from './media-types.ts';
import { sniff } from './sniff.ts';

/** Extensions that also mean something else, such as TypeScript, a private key or a translation. The bytes decide. */
const AMBIGUOUS: ReadonlySet<string> = new Set(
  'ts mts key pages numbers pub vsd dot pot xlt ps raw au dv dts ra fig xd'.split(' '),
);

const CONCURRENCY = 8;
/** Enough to tell text from other bytes. Most of these files are source code, of which there may be thousands. */
const TEXT_SAMPLE_BYTES = 4096;

/** Whether people may publish files of this name as media, although they are not checked by default. */
export function mayBePublished(path: string): boolean {
  if (hasDefaultExtension(path) || typeOfName(path)?.family === 'text') return false;
  return isMediaName(path) || AMBIGUOUS.has(extensionOf(path));
}

/** Of files that are not selected, those that somebody may publish as media. */
export async function findUnchecked(files: readonly FoundFile[]): Promise<readonly FoundFile[]> {
  const media = await concurrently(files, CONCURRENCY, async (file) => ((await isMedia(file)) ? [file] : []));
  return media.flat();
}

async function isMedia(file: FoundFile): Promise<boolean> {
  const isAmbiguous = AMBIGUOUS.has(extensionOf(file.path));
  if (mayBePublished(file.path) && !isAmbiguous) return true;
  try {
    return await withFile(file, async (handle, { size }) => {
      const head = await readAt(handle, 0, Math.min(size, TEXT_SAMPLE_BYTES));
      // A pointer with an ambiguous extension is media: people keep films in Git LFS, but neither source code nor keys.
      if (parsePointer(file.path, head)) return isAmbiguous;
      const [type] = await sniff(handle, size, head);
      if (!type || type.family === 'text') return false;
      // With an ambiguous extension, even an archive is media: many applications keep their documents in an archive.
      return type.category !== undefined || isAmbiguous;
    });
  } catch (error) {
    // A file that cannot be read does not end the run, because it is not checked anyway. Its extension decides.
    if (error instanceof GateError) return isAmbiguous;
    throw error;
  }
}
