import { type Cause, EXCLUDE_IT, GateError, preFlight } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import { formatBytes } from '../lib/format.ts';
import { type Classification, classify } from './classify.ts';
import { conflictingNameProblems } from './content.ts';
import type { Discovery } from './discover.ts';
import { changedProblem, type FoundFile, hashFile, isSameStamp, type MediaFile, stampOf, withFile } from './file.ts';
import { type LfsPointer, parsePointer } from './lfs.ts';
import { type Category, extensionOf, type MediaType } from './media-types.ts';
import { readHead, sniff } from './sniff.ts';

/** inspect → plan. Each list is in the order of the files found. */
export interface Inspection {
  readonly files: readonly MediaFile[];
  /** Git LFS pointers. Those whose content no earlier run has analysed are a `pointerProblem`. */
  readonly pointers: readonly LfsPointer[];
  readonly problems: readonly Cause[];
  readonly warnings: readonly string[];
}

/** The result for one file. */
type FileOutcome =
  | { readonly file: MediaFile; readonly warning: string | undefined }
  | { readonly pointer: LfsPointer }
  | { readonly problems: readonly Cause[] };

/** What its first bytes show. */
type Examined = Omit<MediaFile, 'sha256'> & { readonly warning: string | undefined };

/** Hashing keeps one core busy, and a few files at a time keep the disk busy. */
const CONCURRENCY = 4;

const MIB = 1024 * 1024;
/** The service's limits as it states them, and in bytes by the larger reading: in between, the service decides. */
const LIMITS: Readonly<Record<Category, { readonly text: string; readonly bytes: number }>> = {
  video: { text: '5 GB', bytes: 5 * 1024 * MIB },
  audio: { text: '500 MB', bytes: 500 * MIB },
  image: { text: '50 MB', bytes: 50 * MIB },
  document: { text: '100 MB', bytes: 100 * MIB },
};

/** Looks at every file before anything is sent, and returns all problems at once. */
export async function inspect({ files: found }: Discovery, signal?: AbortSignal): Promise<Inspection> {
  const outcomes = await concurrently(found, CONCURRENCY, async (file): Promise<FileOutcome> => {
    signal?.throwIfAborted();
    try {
      const examined = await examine(file);
      if ('sha256' in examined) return { pointer: examined };
      const { warning, ...rest } = examined;
      const { sha256, stamp } = await hashFile(file, signal);
      if (!isSameStamp(stamp, examined.stamp)) throw new GateError(changedProblem(file.path));
      return { file: { ...rest, sha256 }, warning };
    } catch (error) {
      if (error instanceof GateError) return { problems: error.causes };
      throw error;
    }
  });
  const files = outcomes.flatMap((outcome) => ('file' in outcome ? [outcome.file] : []));
  return {
    files,
    pointers: outcomes.flatMap((outcome) => ('pointer' in outcome ? [outcome.pointer] : [])),
    problems: [
      ...outcomes.flatMap((outcome) => ('problems' in outcome ? outcome.problems : [])),
      ...conflictingNameProblems(files),
    ],
    warnings: outcomes.flatMap((outcome) => ('warning' in outcome && outcome.warning ? [outcome.warning] : [])),
  };
}

async function examine(file: FoundFile): Promise<Examined | LfsPointer> {
  return withFile(file, async (handle, stats) => {
    const { path } = file;
    const refuse = (message: string, fix: string): never => {
      throw new GateError(preFlight(path, message, `${fix}, or ${EXCLUDE_IT}`));
    };
    if (stats.size === 0) refuse('The file is empty.', 'Add its content, remove it');
    const head = await readHead(handle, stats.size);
    const pointer = parsePointer(path, head);
    if (pointer) return pointer;
    const sniffed = await sniff(handle, { size: stats.size, head, extension: extensionOf(path) });
    // A link can give any name to any file, and the file could be a secret that an earlier step wrote.
    if (file.realPath !== undefined && (sniffed === undefined || sniffed.extension === 'txt')) {
      const message = 'The path leads through a symbolic link to a file whose type its bytes do not show.';
      return refuse(message, 'Put the file itself there');
    }
    const found = classify(path, sniffed);
    if (found.kind === 'contradiction') {
      const { claimed, actual } = found;
      const message = `The name says ${claimed}, but the content is ${actual?.mime ?? 'of no known type'}.`;
      const rename =
        actual && `Rename it to end in \`.${actual.extension}\` if the content is right. Otherwise replace it`;
      return refuse(message, rename ?? 'Replace it');
    }
    const tooLarge = sizeProblem(path, stats.size, found.type);
    if (tooLarge) throw new GateError(tooLarge);
    const warning = found.kind === 'renamed' ? renamedWarning(path, found) : undefined;
    return { ...file, type: found.type, warning, stamp: stampOf(stats) };
  });
}

/** Exported so that tests need no files of this size. */
export function sizeProblem(path: string, size: number, { category }: MediaType): Cause | undefined {
  if (category === undefined || size <= LIMITS[category].bytes) return undefined;
  const message = `The file is ${formatBytes(size)}, but the service takes at most ${LIMITS[category].text} of ${category}.`;
  return preFlight(path, message, `Make it smaller, or ${EXCLUDE_IT}`);
}

function renamedWarning(path: string, found: Extract<Classification, { kind: 'renamed' }>): string {
  const { mime, extension } = found.type;
  return `${path}: the name says ${found.claimed}, but the content is ${mime}. It is treated as a .${extension} file.`;
}
