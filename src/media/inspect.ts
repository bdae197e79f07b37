import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { type Cause, FILE, GateError, preFlight } from '../causes/cause.ts';
import { concurrently } from '../lib/async.ts';
import { formatBytes } from '../lib/format.ts';
import { representativeFile } from './content.ts';
import { changedProblem, type FoundFile, type MediaFile, stampOf, withFile } from './file.ts';
import {
  analysedUnder,
  type Category,
  includesAnalysisOf,
  isPlainText,
  type MediaType,
  typeOfBytes,
  typeOfName,
} from './media-types.ts';
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

interface InspectOptions {
  /** Whether the input `files` selects a path: a new name that a fix suggests must still be selected. */
  readonly selects: (path: string) => boolean;
  readonly signal?: AbortSignal;
}

/** Inspects every file before anything is sent, and returns all problems at once. */
export async function inspect(found: readonly FoundFile[], options: InspectOptions): Promise<Inspection> {
  const each = await concurrently(found, CONCURRENCY, async (file): Promise<Partial<Inspection>> => {
    options.signal?.throwIfAborted();
    try {
      return await withFile(file, async (handle, stats) => await inspectFile(file, { handle, stats, ...options }));
    } catch (error) {
      if (error instanceof GateError) return { problems: error.causes };
      throw error;
    }
  });
  const files = each.flatMap((one) => one.files ?? []);
  return {
    files,
    pointers: each.flatMap((one) => one.pointers ?? []),
    problems: [...each.flatMap((one) => one.problems ?? []), ...conflictingNameProblems(files)],
    warnings: each.flatMap((one) => one.warnings ?? []),
  };
}

async function inspectFile(
  file: FoundFile,
  { handle, stats, selects, signal }: InspectOptions & Readonly<{ handle: FileHandle; stats: Stats }>,
): Promise<Partial<Inspection>> {
  const { path } = file;
  const { size } = stats;
  const refuse = (message: string, fix: string): GateError => new GateError(preFlight(path, message, fix));
  if (size === 0) throw refuse('The file is empty.', `Add the content of ${FILE}, or remove it`);
  const { pointer, types } = await sniff(path, handle, size);
  if (pointer) return { pointers: [pointer] };
  const [detected, second] = types;
  // A link can give a media file's name to any file, such as a secret that an earlier step wrote.
  if (file.realPath !== undefined && (!detected || isPlainText(detected))) {
    const message = 'The path leads through a symbolic link to a file whose type its bytes do not show.';
    throw refuse(message, `Put the file itself at ${FILE}`);
  }
  if (detected && second) {
    const message = `Some programs read the content as ${detected.mime}, others as ${second.mime}. One analysis does not fit both.`;
    throw refuse(message, `Save ${FILE} again in one of these formats`);
  }
  const { type, claimed } = decideType(path, detected);
  if (!type) throw refuse(`The name says ${claimed?.mime}, but the content is of no known type.`, `Replace ${FILE}`);
  const mismatch = claimed && `The name says ${claimed.mime}, but the content is ${type.mime}.`;
  // Office saves a document that has a password in the container of its old formats.
  if (mismatch && type.family === 'cfb' && claimed.family.startsWith('zip/')) {
    const fix = `Save ${FILE} without a password, or in the format of .${claimed.extension}`;
    throw refuse('The file has a password, or is of an old version of Office.', fix);
  }
  if (mismatch && (claimed.category !== type.category || type.category === 'document')) {
    const renamed = `Rename ${FILE} to end in \`.${type.extension}\` if its content is right. Otherwise replace it`;
    throw refuse(mismatch, selects(path.replace(/[^.]*$/, type.extension)) ? renamed : `Replace ${FILE}`);
  }
  const tooLarge = sizeProblem(path, size, type);
  if (tooLarge) throw new GateError(tooLarge);
  const sha256 = await hashBytes(handle, size, signal);
  if (stampOf(stats) !== stampOf(await handle.stat())) throw new GateError(changedProblem(path));
  const warnings = mismatch ? [`${path}: ${mismatch} It is treated as a .${type.extension} file.`] : [];
  return { files: [{ ...file, type, sha256, size, stamp: stampOf(stats) }], warnings };
}

const CHUNK_BYTES = 1024 * 1024;

/** @param size how many bytes to hash: the file may be growing */
async function hashBytes(handle: FileHandle, size: number, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const options = { start: 0, end: size - 1, highWaterMark: CHUNK_BYTES, autoClose: false };
  for await (const chunk of handle.createReadStream(options)) {
    signal?.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest('hex');
}

/** Families whose files may begin with any bytes. In other families, a file that detection does not know is damaged. */
const WITHOUT_SIGNATURE: ReadonlySet<string> = new Set(['mpeg', 'mxf', 'mp3', 'aac', 'wav', 'ac3', 'text']);

/**
 * The bytes of a file decide its type. The extension decides if the bytes fit several types of one family, or if
 * detection finds no type. But if detection should have recognised the type of the extension, the file is damaged and
 * `type` is undefined. `claimed` is the type of the extension, and is set only if the bytes do not fit it.
 */
function decideType(path: string, detected?: MediaType): { type: MediaType | undefined; claimed?: MediaType } {
  const claimed = typeOfName(path);
  if (!claimed) {
    const type = detected ?? typeOfBytes('bin', 'application/octet-stream');
    return { type: { ...type, ...analysedUnder(path, type) } };
  }
  // Detection may recognise an Office document, such as `zip/word`, only as an archive, `zip`.
  const isPossible = detected
    ? `${claimed.family}/`.startsWith(`${detected.family}/`)
    : WITHOUT_SIGNATURE.has(claimed.family);
  if (!isPossible) return { type: detected, claimed };
  // A video with the extension of an audio file stays a video: the analysis of a video includes its sound.
  return { type: claimed.category === 'audio' && detected?.category === 'video' ? detected : claimed };
}

/** Exported for tests, which then need no files of several gigabytes. */
export function sizeProblem(path: string, size: number, { category }: MediaType): Cause | undefined {
  if (category === undefined || size <= LIMITS[category].bytes) return undefined;
  const message = `The file has ${formatBytes(size)}, but ${LIMITS[category].text}.`;
  return preFlight(path, message, `Make ${FILE} smaller`);
}

/** Reports files that have the same bytes but need different analyses: the same bytes are sent only once. */
function conflictingNameProblems(files: readonly MediaFile[]): readonly Cause[] {
  return [...Map.groupBy(files, ({ sha256 }) => sha256).values()].flatMap((copies) => {
    const [first, ...others] = copies;
    const other = others.find(({ type }) => first && !includesAnalysisOf(first.type, type));
    if (!first || !other || representativeFile(copies)) return [];
    const message = `The same bytes are in ${first.path}, as another kind of file (${first.type.mime}; here ${other.type.mime}). One analysis does not fit both.`;
    return [preFlight(other.path, message, `Give ${FILE} and \`${first.path}\` the same extension`)];
  });
}
