import { type Cause, GateError } from '../lib/cause.ts';
import { concurrently } from '../lib/concurrently.ts';
import { formatBytes } from '../lib/format.ts';
import { type Classified, classify } from './classify.ts';
import type { Category, Discovery, FileStamp, FoundFile, MediaFile, MediaType } from './file.ts';
import { hashFile, makeHashBuffers } from './hash.ts';
import { kindProblems } from './kinds.ts';
import { extendedProblem, type LfsPointer, parsePointer } from './lfs.ts';
import { extensionOf } from './media-types.ts';
import { withFile } from './open.ts';
import { readHead, sniff } from './sniff.ts';
import { changedProblem, isSameStamp, stampOf } from './stamp.ts';

/** inspect → plan. Each list is in the order of the files found. */
export interface Inspection {
  readonly files: readonly MediaFile[];
  /** Git LFS pointers. One whose content is known needs no file; each other one is a `pointerProblem`. */
  readonly pointers: readonly LfsPointer[];
  readonly problems: readonly Cause[];
  readonly warnings: readonly string[];
}

export interface InspectOptions {
  readonly signal?: AbortSignal;
  /** Most files open at a time. */
  readonly concurrency?: number;
}

/** What one file came to. */
type Outcome =
  | { readonly file: MediaFile; readonly warning: string | undefined }
  | { readonly pointer: LfsPointer }
  | { readonly problems: readonly Cause[] };

/** What the bytes of a file say, short of reading all of them. */
type Examined =
  | { readonly type: MediaType; readonly warning: string | undefined; readonly stamp: FileStamp }
  | Exclude<Outcome, { readonly file: MediaFile }>;

/** Hashing keeps one core busy; a few files at a time keep the disk busy too. */
const CONCURRENCY = 4;

const MIB = 1024 * 1024;
/** The service's limits, in its words and in the larger reading of them: in between, the service itself decides. */
const LIMITS: Readonly<Record<Category, { readonly text: string; readonly bytes: number }>> = {
  video: { text: '5 GB', bytes: 5 * 1024 * MIB },
  audio: { text: '500 MB', bytes: 500 * MIB },
  image: { text: '50 MB', bytes: 50 * MIB },
  document: { text: '100 MB', bytes: 100 * MIB },
};

/** Looks at every file before anything is sent, and tells all problems at once. */
export async function inspect(discovery: Discovery, options: InspectOptions = {}): Promise<Inspection> {
  const lanes = options.concurrency ?? CONCURRENCY;
  const buffers = Array.from({ length: Math.min(lanes, discovery.files.length) }, makeHashBuffers);
  const outcomes = await concurrently(discovery.files, lanes, async (file, _stop, lane): Promise<Outcome> => {
    options.signal?.throwIfAborted();
    try {
      const examined = await examine(file);
      if (!('type' in examined)) return examined;
      const { type, warning, stamp } = examined;
      const own = buffers[lane];
      const hashed = await hashFile(file, {
        ...(options.signal && { signal: options.signal }),
        ...(own && { buffers: own }),
      });
      if (!isSameStamp(stamp, hashed.stamp)) return { problems: [changedProblem(file.path)] };
      return { file: { ...file, ...hashed, type }, warning };
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
      ...kindProblems(files),
    ],
    warnings: outcomes.flatMap((outcome) => ('warning' in outcome && outcome.warning ? [outcome.warning] : [])),
  };
}

async function examine(file: FoundFile): Promise<Examined> {
  return withFile(file, async (handle, stats) => {
    const { path } = file;
    if (stats.size === 0) return { problems: [emptyProblem(path)] };
    const head = await readHead(handle, stats.size);
    const pointer = parsePointer(path, head);
    if (pointer) return pointer === 'extended' ? { problems: [extendedProblem(path)] } : { pointer };
    const found = classify(path, await sniff(handle, stats.size, head, extensionOf(path)));
    if (found.kind === 'contradiction') return { problems: [contradictionProblem(path, found)] };
    const tooLarge = sizeProblem(path, stats.size, found.type);
    if (tooLarge) return { problems: [tooLarge] };
    const warning = found.kind === 'renamed' ? renamedWarning(path, found) : undefined;
    return { type: found.type, warning, stamp: stampOf(stats) };
  });
}

function emptyProblem(path: string): Cause {
  const message = 'The file is empty.';
  return { reason: 'pre-flight', path, message, fix: 'Add its content, or take it out of the repository.' };
}

function contradictionProblem(path: string, found: Extract<Classified, { kind: 'contradiction' }>): Cause {
  return {
    reason: 'pre-flight',
    path,
    message: `Its name says ${found.claimed}, but its bytes are ${found.actual}.`,
    fix: 'Replace the file if it is damaged, give it the extension of what it is, or exclude it in the input `files`.',
  };
}

/** Exported for its limits, which no test should need real files for. */
export function sizeProblem(path: string, size: number, { category }: MediaType): Cause | undefined {
  if (category === undefined || size <= LIMITS[category].bytes) return undefined;
  return {
    reason: 'pre-flight',
    path,
    message: `The file has ${formatBytes(size)}: the service takes at most ${LIMITS[category].text} for this category (${category}).`,
    fix: 'Make it smaller, or exclude it with a line that starts with `!` in the input `files`.',
  };
}

function renamedWarning(path: string, found: Extract<Classified, { kind: 'renamed' }>): string {
  const { mime, extension } = found.type;
  return `${path}: its name says ${found.claimed}, but its bytes are ${mime}; it is sent as .${extension}.`;
}
