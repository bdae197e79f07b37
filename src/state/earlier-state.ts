import type { KnownContent, KnownPath, OpenRecord, StateDocument } from './document.ts';

/** What all states together know. */
export class EarlierState {
  /** Latest first. The same bytes may have been analysed more than once, and any of these analyses may be lost. */
  readonly contents: readonly KnownContent[];
  readonly paths: ReadonlyMap<string, KnownPath>;
  readonly open: readonly OpenRecord[];
  readonly #contents: ReadonlyMap<string, readonly KnownContent[]>;

  /** @param documents nearest first: the first one has the history of a path or submission here, however old it is */
  constructor(documents: readonly StateDocument[]) {
    const contents = documents.flatMap((document) => document.contents);
    const latestFirst = contents.toSorted((a, b) => Date.parse(b.analysedAt) - Date.parse(a.analysedAt));
    const farthestFirst = documents.toReversed().flatMap(({ paths }) => paths);
    const open = documents.flatMap((document) => document.open);
    this.contents = firstOfEach(latestFirst, analysisId);
    this.paths = new Map(farthestFirst.map((known) => [known.path, known]));
    this.open = firstOfEach(open, ({ submissionId }) => submissionId);
    this.#contents = Map.groupBy(this.contents, ({ sha256 }) => sha256);
  }

  /** Latest first. */
  analyses(sha256: string): readonly KnownContent[] {
    return this.#contents.get(sha256) ?? [];
  }
}

/** What is analysed: other sidekicks, or another category, make another analysis of the same bytes. */
export function analysisKey({
  sha256,
  category,
  sidekicks,
}: Pick<KnownContent, 'sha256' | 'category' | 'sidekicks'>): string {
  return [sha256, category, sidekicks].join(' ');
}

/** One analysis: a submission has one asset for each content. */
export function analysisId({ sha256, submissionId }: Pick<KnownContent, 'sha256' | 'submissionId'>): string {
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
export type IsEnough = (known: EarlierState) => boolean;
