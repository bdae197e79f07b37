import type { KnownContent, KnownPath, OpenRecord, StateDocument } from './document.ts';
import type { SavedState } from './seal.ts';

/** What all states together know, by content, path and submission. */
export class EarlierState {
  /** Latest first. The same bytes may have been analysed more than once, and any of these analyses may be lost. */
  readonly contents: readonly KnownContent[];
  readonly paths: readonly KnownPath[];
  readonly open: readonly OpenRecord[];
  readonly #contents: ReadonlyMap<string, readonly KnownContent[]>;
  readonly #paths: ReadonlyMap<string, KnownPath>;

  /** @param documents nearest first: the first one has the history of a path or submission here, however old it is */
  constructor(documents: readonly StateDocument[]) {
    const latestFirst = documents
      .flatMap(({ contents }) => contents)
      .toSorted((a, b) => Date.parse(b.analysedAt) - Date.parse(a.analysedAt));
    this.contents = firstOfEach(latestFirst, (content) => `${analysisKey(content)} ${content.submissionId}`);
    this.paths = firstOfEach(
      documents.flatMap(({ paths }) => paths),
      ({ path }) => path,
    );
    this.open = firstOfEach(
      documents.flatMap(({ open }) => open),
      ({ submissionId }) => submissionId,
    );
    this.#contents = Map.groupBy(this.contents, ({ sha256 }) => sha256);
    this.#paths = new Map(this.paths.map((known) => [known.path, known]));
  }

  /** Latest first. */
  analyses(sha256: string): readonly KnownContent[] {
    return this.#contents.get(sha256) ?? [];
  }

  path(path: string): KnownPath | undefined {
    return this.#paths.get(path);
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

/** What a run needs of the earlier ones. Fewer needs mean fewer requests to GitHub. */
export interface StateNeeds {
  /** False for `reuse-days: 0` and dry runs. Otherwise the run ends if GitHub does not answer. */
  readonly canReuse: boolean;
  readonly hasBaseline: boolean;
  /** Whether every file of this run is known and reusable, so that no other state need be read. */
  readonly isEnough: (known: EarlierState) => boolean;
}

/** What earlier runs left. */
export type LoadedStates = Readonly<ReturnType<typeof loadedStates>>;

const FIRST_RUN =
  'No state of an earlier run was found, so no earlier analysis can be reused. Once a run has analysed the files, later ones send only new and changed files.';

/** @param states nearest first */
export function loadedStates(states: readonly SavedState[], notices: readonly string[], baseline?: SavedState) {
  const isFirst = states.length === 0 && notices.length === 0;
  return {
    earlierState: new EarlierState(states.map(({ document }) => document)),
    /** The state that this run is compared with. */
    baseline: baseline?.document,
    /** What was not found and why, with what to do. */
    notices: isFirst ? [FIRST_RUN] : notices,
  };
}
