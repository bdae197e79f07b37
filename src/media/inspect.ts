import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { type Cause, FILE, GateError, preFlight } from '../causes/cause.ts';
import { concurrently } from '../lib/async.ts';
import { formatBytes } from '../lib/format.ts';
import { changedProblem, type FoundFile, type MediaFile, stampOf, withFile } from './file.ts';
import { type Category, extensionOf, type MediaType, typeOfBytes, typeOfName } from './media-types.ts';
import { type LfsPointer, sniff } from './sniff.ts';

/** The result of `inspect`, and the input of the plan. */
export interface Inspection {
  readonly files: readonly MediaFile[];
  /** A Git LFS pointer becomes a `pointerProblem` if no earlier run has analysed its content. */
  readonly pointers: readonly LfsPointer[];
  readonly problems: readonly Cause[];
  readonly warnings: readonly string[];
}

/** Hashing uses one core. Reading a few files at a time keeps the disk busy meanwhile. */
const CONCURRENCY = 4;

const MIB = 1024 * 1024;
/** `text` is the documented limit. `bytes` takes its units as binary: the service decides on sizes in between. */
const LIMITS: Readonly<Record<Category, { readonly text: string; readonly bytes: number }>> = {
  video: { text: 'videos may have 5 GB', bytes: 5 * 1024 * MIB },
  audio: { text: 'audio files may have 500 MB', bytes: 500 * MIB },
  image: { text: 'images may have 50 MB', bytes: 50 * MIB },
  document: { text: 'documents may have 100 MB', bytes: 100 * MIB },
};

/** Inspects every file before anything is sent, and returns all problems at once. */
export async function inspect(found: readonly FoundFile[], signal?: AbortSignal): Promise<Inspection> {
  const each = await concurrently(found, CONCURRENCY, async (file): Promise<Partial<Inspection>> => {
    signal?.throwIfAborted();
    try {
      return await withFile(file, async (handle, stats) => await inspectFile(file, handle, stats));
    } catch (error) {
      if (error instanceof GateError) return { problems: error.causes };
      throw error;
    }
  });
  const files = each.flatMap((one) => one.files ?? []);
  const pointers = each.flatMap((one) => one.pointers ?? []);
  return {
    files,
    pointers,
    problems: [...each.flatMap((one) => one.problems ?? []), ...conflictingTypes([...files, ...pointers])],
    warnings: each.flatMap((one) => one.warnings ?? []),
  };
}

async function inspectFile(file: FoundFile, handle: FileHandle, stats: Stats): Promise<Partial<Inspection>> {
  const { path } = file;
  const { size } = stats;
  const refuse = (message: string, fix: string): GateError => new GateError(preFlight(path, message, fix));
  if (size === 0) throw refuse('The file is empty.', `Add the content of ${FILE}, or remove it`);
  const { pointer, type: detected } = await sniff(file, handle);
  if (pointer) return { pointers: [pointer] };
  const named = typeOfName(path);
  const type = decideType(path, named, detected);
  const isMismatch = named && !isSameFamily(named, type);
  const mismatch = `The name says ${named?.mime}, but the content is ${type.mime}.`;
  // Office saves a document that has a password in the container of its old formats.
  if (isMismatch && type.family === 'cfb' && named.family.startsWith('zip/')) {
    const fix = `Save ${FILE} without a password, or in the format of .${named.extension}`;
    throw refuse('The file has a password, or is of an old version of Office.', fix);
  }
  // A video, audio file or image in another format of its category is sent as what its bytes are, with a warning. Any
  // other mismatch is refused.
  const isDocument = (type.category ?? 'document') === 'document';
  if (isMismatch && (named.category !== type.category || isDocument))
    throw refuse(mismatch, `Give ${FILE} the extension of its content (\`.${type.extension}\`), or replace it`);
  const limit = type.category && LIMITS[type.category];
  if (limit && size > limit.bytes)
    throw refuse(`The file has ${formatBytes(size)}, but ${limit.text}.`, `Make ${FILE} smaller`);
  const sha256 = await hashBytes(handle, size);
  if (stampOf(stats) !== stampOf(await handle.stat())) throw new GateError(changedProblem(path));
  const warnings = isMismatch ? [`${path}: ${mismatch} It is treated as a .${type.extension} file.`] : [];
  return { files: [{ ...file, type, sha256, size, stamp: stampOf(stats) }], warnings };
}

/**
 * The bytes of a file decide its type. The name decides inside one family, and if the bytes show nothing. But a video
 * with the extension of an audio file stays a video: the analysis of a video includes its sound.
 */
function decideType(path: string, named: MediaType | undefined, detected: MediaType | undefined): MediaType {
  if (!detected) return named ?? { ...typeOfBytes('bin', 'application/octet-stream'), extension: extensionOf(path) };
  if (!named || !isSameFamily(named, detected)) return detected;
  return named.category === 'audio' && detected.category === 'video' ? detected : named;
}

/** Detection may recognise an Office document, such as `zip/spreadsheetml`, only as an archive, `zip`. */
function isSameFamily(named: MediaType, detected: MediaType): boolean {
  return `${named.family}/`.startsWith(`${detected.family}/`);
}

/** @param size how many bytes to hash: the file may be growing */
async function hashBytes(handle: FileHandle, size: number): Promise<string> {
  const hash = createHash('sha256');
  const options = { start: 0, end: size - 1, highWaterMark: MIB, autoClose: false };
  for await (const chunk of handle.createReadStream(options)) hash.update(chunk);
  return hash.digest('hex');
}

/** The same bytes are sent once, under one type. */
function conflictingTypes(files: readonly (MediaFile | LfsPointer)[]): readonly Cause[] {
  const typed = files.flatMap(({ path, sha256, type }) => (type ? { path, sha256, mime: type.mime } : []));
  return [...Map.groupBy(typed, ({ sha256 }) => sha256).values()].flatMap(([first, ...others]) => {
    const other = others.find(({ mime }) => mime !== first?.mime);
    if (!first || !other) return [];
    const message = `The same bytes are in ${first.path}, as another type (${first.mime}; here ${other.mime}).`;
    return [preFlight(other.path, message, `Give ${FILE} and \`${first.path}\` the same extension`)];
  });
}
