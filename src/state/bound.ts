import type { Log } from '../lib/log.ts';
import type { KnownContent, StateDocument } from './document.ts';

/** Half of what a reader takes: sealing a text adds to it. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Told, because it costs money: what is forgotten is analysed again in the next run, and then something else is. */
export function boundedWithWarning(
  document: StateDocument,
  log: Pick<Log, 'warning'>,
  mostBytes?: number,
): StateDocument {
  const kept = bounded(document, mostBytes);
  const forgotten = document.contents.length - kept.contents.length;
  if (forgotten > 0)
    log.warning(
      `The state is too large to be kept whole: the oldest analyses (${forgotten} of ${document.contents.length}) are forgotten, and their files will be sent and paid for again. Spread the files over several gates, each with its own \`name\`.`,
    );
  return kept;
}

/** A state that no reader would take is worth nothing: what was analysed longest ago is forgotten first. */
export function bounded(document: StateDocument, mostBytes: number = MAX_BYTES): StateDocument {
  let kept = document;
  while (Buffer.byteLength(JSON.stringify(kept)) > mostBytes && kept.contents.length > 0) kept = withoutOldest(kept);
  return kept;
}

function withoutOldest(document: StateDocument): StateDocument {
  const newestFirst = document.contents.toSorted((a: KnownContent, b) => (a.analysedAt < b.analysedAt ? 1 : -1));
  const contents = newestFirst.slice(0, Math.floor((newestFirst.length * 3) / 4));
  const known = new Set(contents.map(({ sha256 }) => sha256));
  return { ...document, contents, paths: document.paths.filter(({ sha256 }) => known.has(sha256)) };
}
