import { closeSync, openSync, readSync } from 'node:fs';
import { concurrently } from '../lib/async.ts';
import { GateError } from '../lib/cause.ts';
import { type FoundFile, OPEN_FLAGS, withFile } from './file.ts';
import { parsePointer } from './lfs.ts';
import { extensionOf, isPublished, type MediaType } from './media-types.ts';
import { sniff, typeOfText } from './sniff.ts';

/** Extensions that also mean something else, such as TypeScript, a private key or a translation. The bytes decide. */
const AMBIGUOUS: ReadonlySet<string> = new Set(
  'ts mts key pages numbers pub vsd dot pot xlt ps raw au dv dts ra fig xd'.split(' '),
);

const CONCURRENCY = 8;
/** Enough to tell text from other bytes. Detection reads more if it needs to. */
const HEAD_BYTES = 4096;

/**
 * Of files that are not selected, the paths of those that somebody may publish as media.
 *
 * @param isMatched whether a pattern matches the files: then the bytes decide, whatever the extension
 */
export async function findUnchecked(
  files: readonly FoundFile[],
  { isMatched }: Readonly<{ isMatched: boolean }>,
): Promise<readonly string[]> {
  const suspects = files.filter(({ path }) => isMatched || isPublished(path) || isAmbiguous(path));
  const paths = await concurrently(suspects, CONCURRENCY, async (file) => ((await isMedia(file)) ? [file.path] : []));
  return paths.flat();
}

function isAmbiguous(path: string): boolean {
  return AMBIGUOUS.has(extensionOf(path));
}

async function isMedia(file: FoundFile): Promise<boolean> {
  if (isPublished(file.path)) return true;
  const isListed = isAmbiguous(file.path);
  const head = readHead(file);
  // A file that cannot be read may be media. It does not end the run, because it is not checked anyway.
  if (!head || (isListed && parsePointer(file.path, head))) return isListed;
  const type = typeOfText(head) ?? (await typeOfFile(file, head));
  // Detection does not know every application that keeps its documents in one of these containers.
  const isContainer = isListed && ['zip', 'cfb'].includes(type?.family ?? '');
  return type !== undefined && type.family !== 'text' && (type.category !== undefined || isContainer);
}

/** Reads the start of a file. Most files are source code, and reading without a wait is several times as fast. */
function readHead({ absolutePath }: FoundFile): Uint8Array | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(absolutePath, OPEN_FLAGS);
    const head = new Uint8Array(HEAD_BYTES);
    return head.subarray(0, readSync(descriptor, head));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

async function typeOfFile(file: FoundFile, head: Uint8Array): Promise<MediaType | undefined> {
  try {
    return await withFile(file, async (handle, { size }) => (await sniff(handle, size, head))[0]);
  } catch (error) {
    if (error instanceof GateError) return undefined;
    throw error;
  }
}
