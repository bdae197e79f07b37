import { extensionOf } from '../media/media-types.ts';
import type { ContentRecord, PathRecord, StateDocument } from './document.ts';

/** What all states together know. */
export class EarlierState {
  /** Latest first. The same bytes may have been sent more than once, and any of their analyses may be missing at the service. */
  readonly records: readonly ContentRecord[];
  readonly paths: ReadonlyMap<string, PathRecord>;
  readonly #records: ReadonlyMap<string, readonly ContentRecord[]>;

  /** @param documents nearest first: the first one has the history of a path here, however old it is */
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

/** What is analysed: other sidekicks, or another category, make another analysis of the same bytes. */
export function analysisKey({ sha256, category, sidekicks, name }: ContentRecord): string {
  return [sha256, category, sidekicks, ...(category === 'document' ? [extensionOf(name)] : [])].join(' ');
}

/** One analysis: a submission has one asset for each content. */
export function analysisId({ sha256, submissionId }: Pick<ContentRecord, 'sha256' | 'submissionId'>): string {
  return `${sha256} ${submissionId}`;
}

export function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return [...Map.groupBy(items, keyOf).values()].flatMap((group) => group.slice(0, 1));
}

/** What earlier runs left. */
export interface History {
  readonly earlierState: EarlierState;
  /** The state that this run is compared with. */
  readonly baseline: StateDocument | undefined;
  /** What was not found and why, with what to do. */
  readonly notices: readonly string[];
}

export const NO_HISTORY: History = { earlierState: new EarlierState([]), baseline: undefined, notices: [] };

/** Whether a run knows every file and can reuse it, so that no other state need be read. */
export type IsEnough = (found: EarlierState) => boolean;
