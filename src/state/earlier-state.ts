import { extensionOf } from '../media/media-types.ts';
import type { ContentRecord, PathRecord, StateDocument } from './document.ts';

/** The merged records of all loaded states. */
export class EarlierState {
  /** Latest first. The same bytes may have been sent more than once, and the service may have deleted any analysis. */
  readonly records: readonly ContentRecord[];
  readonly paths: ReadonlyMap<string, PathRecord>;
  readonly #records: ReadonlyMap<string, readonly ContentRecord[]>;

  /** @param documents nearest first: the first document that contains a path decides, however old its record is */
  constructor(documents: readonly StateDocument[]) {
    const records = documents.flatMap((document) => document.contents);
    const farthestFirst = documents.toReversed().flatMap(({ paths }) => paths);
    this.records = firstOfEach(latestFirst(records), analysisId);
    this.paths = new Map(farthestFirst.map((record) => [record.path, record]));
    this.#records = Map.groupBy(this.records, ({ sha256 }) => sha256);
  }

  /** Latest first. */
  recordsOf(sha256: string): readonly ContentRecord[] {
    return this.#records.get(sha256) ?? [];
  }
}

export function latestFirst(records: readonly ContentRecord[]): readonly ContentRecord[] {
  return records.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** Identifies what is analysed: other sidekicks, or another category, make another analysis of the same bytes. */
export function analysisKey({ sha256, category, sidekicks, name }: ContentRecord): string {
  return [sha256, category, sidekicks, ...(category === 'document' ? [extensionOf(name)] : [])].join(' ');
}

/** Identifies one analysis: a submission has one asset for each content. */
export function analysisId({ sha256, submissionId }: Pick<ContentRecord, 'sha256' | 'submissionId'>): string {
  return `${sha256} ${submissionId}`;
}

export function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return [...Map.groupBy(items, keyOf).values()].flatMap((group) => group.slice(0, 1));
}

/** The results of earlier runs. */
export interface History {
  readonly earlierState: EarlierState;
  /** The state that this run is compared with. Undefined if the run has no baseline. */
  readonly baseline: StateDocument | undefined;
  /** Which states could not be found or used, why, and what to do. */
  readonly notices: readonly string[];
}

export const NO_HISTORY: History = { earlierState: new EarlierState([]), baseline: undefined, notices: [] };

/** Whether the states found so far contain a reusable analysis of every file, so that no other state has to be read. */
export type IsEnough = (found: EarlierState) => boolean;
