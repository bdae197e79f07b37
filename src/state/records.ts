import { extensionOf, isDocument } from '../media/media-types.ts';
import { analysisId, type ContentRecord, isAnalysed, type PathRecord, type StateDocument } from './document.ts';

/** The merged records of all loaded states. */
export interface EarlierState {
  /** By content hash, latest first. The same bytes may have been sent more than once. */
  readonly records: ReadonlyMap<string, readonly ContentRecord[]>;
  readonly paths: ReadonlyMap<string, PathRecord>;
}

/** @param documents nearest first. Paths come from the nearest one: a pull request must not add paths to every state. */
export function joinStates(documents: readonly StateDocument[]): EarlierState {
  const all = documents.flatMap(({ contents }) => contents);
  const records = bestOfEach(latestFirst(all));
  const [{ paths } = { paths: [] }] = documents;
  return {
    records: Map.groupBy(latestFirst(records), ({ sha256 }) => sha256),
    paths: new Map(paths.map((record) => [record.path, record])),
  };
}

/** Most certain first. A paid analysis wins, even if the others seem newer: the clocks of machines differ. */
const BY_CERTAINTY: readonly ContentRecord['kind'][] = ['analysed', 'failed', 'open'];

/** For each analysis, the record of the most certain kind, and of several such records the first. */
export function bestOfEach(records: readonly ContentRecord[]): readonly ContentRecord[] {
  const certainFirst = BY_CERTAINTY.flatMap((kind) => records.filter((record) => record.kind === kind));
  return firstOfEach(certainFirst, analysisId);
}

function latestFirst(records: readonly ContentRecord[]): readonly ContentRecord[] {
  return records.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

export function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return [...Map.groupBy(items, keyOf).values()].flatMap((group) => group.slice(0, 1));
}

/** Whether the first state has every record that is needed of both, so that `other` can be deleted. */
export function holds({ contents }: StateDocument, other: StateDocument): boolean {
  const held = new Set(contents.map(outcomeId));
  const both = [...contents, ...other.contents];
  // Only the later of the two runs may know that the service no longer has an analysis.
  const lost = new Set(both.filter((record) => isAnalysed(record) && record.isLost).map(analysisId));
  return neededIn(bestOfEach(both), lost).every((record) => held.has(outcomeId(record)));
}

function outcomeId(record: ContentRecord): string {
  return `${record.kind} ${analysisId(record)}`;
}

export function neededIn(records: readonly ContentRecord[], lost: ReadonlySet<string>): ContentRecord[] {
  const groups = [...Map.groupBy(latestFirst(records), analysisKey).values()];
  return groups.flatMap((latest) => neededOf(latest, lost));
}

/** A newer analysis replaces older ones of the same bytes, category, sidekicks and, for documents, extension. */
function analysisKey(record: ContentRecord): string {
  const { sha256, category, sidekicks, name } = record;
  return [sha256, category, sidekicks, ...(isDocument(record) ? [extensionOf(name)] : [])].join(' ');
}

/**
 * The records that later runs need. If the service has none of them any more, none is marked as lost: the run that sends
 * the file again then reports it as paid for again.
 */
function neededOf(latest: readonly ContentRecord[], lost: ReadonlySet<string>): readonly ContentRecord[] {
  const notLost = latest.filter((record) => !lost.has(analysisId(record)) && !(isAnalysed(record) && record.isLost));
  const present = notLost.length > 0 ? notLost : latest;
  const [newest] = present;
  // Its issues are the last known ones, even if the service no longer has it.
  const lastKnown = latest.find(isAnalysed);
  const stillThere = present.find(isAnalysed);
  // Paid for and newer than that analysis, even if another submission has failed since.
  const newer = stillThere ? present.slice(0, present.indexOf(stillThere)) : present;
  const pending = newer.filter(({ kind }) => kind === 'open');
  const needed = new Set([newest, lastKnown, stillThere, ...pending]);
  return latest
    .filter((record) => needed.has(record))
    .map((record) => (isAnalysed(record) && !present.includes(record) ? { ...record, isLost: true } : record));
}
