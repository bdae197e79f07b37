import { type ContentRecord, isAnalysed, type StateDocument } from './document.ts';
import { firstOfEach } from './records.ts';

/** Below the limit for reading (64 MiB) by more than a zip archive adds, so that whatever is saved can be read. */
const MAX_BYTES = 64_000_000;

/** Applied one after another until a state is small enough. The second leaves out texts that the service still has. */
const REDUCTIONS: readonly ((state: StateDocument, found: ReadonlySet<string>) => StateDocument)[] = [
  (state) => state,
  (state) => ({ ...state, contents: state.contents.map(withoutTexts) }),
  (state, found) => ({ ...state, paths: state.paths.filter(({ path }) => found.has(path)) }),
  withoutUnusedAnalyses,
  ({ contents, paths }) => ({ contents, paths: [...firstOfEach(paths, ({ sha256 }) => sha256)] }),
];

/**
 * Seals as much of a state as later runs can read: a pull request must not fill the state with so many paths that no run
 * can save it. Throws if even one path for each content is too much.
 *
 * @param found the paths that this run found, also those that `only-changed` leaves out
 */
export function sealWithinLimits(
  state: StateDocument,
  found: readonly string[],
  seal: (state: StateDocument) => string,
): string {
  const present = new Set(found);
  let reduced = state;
  for (const reduce of REDUCTIONS) {
    reduced = reduce(reduced, present);
    const sealed = seal(reduced);
    if (Buffer.byteLength(sealed) <= MAX_BYTES) return sealed;
  }
  throw new Error('it is larger than 64 MB. Spread the files over several gates, each with its own `name`');
}

function withoutTexts(record: ContentRecord): ContentRecord {
  if (!isAnalysed(record)) return record;
  const issues = record.issues.map((issue) => ({ ...issue, summary: '', headline: undefined }));
  return { ...record, issues, topics: undefined };
}

/** Drops analyses only: open and failed records are never those of a path, and are given up after a few days. */
function withoutUnusedAnalyses(state: StateDocument): StateDocument {
  const inUse = new Set(state.paths.map(({ sha256 }) => sha256));
  const contents = state.contents.filter(({ kind, sha256 }) => kind !== 'analysed' || inUse.has(sha256));
  return { ...state, contents };
}
