import type { KnownContent, KnownPath, OpenRecord, StateDocument } from './document.ts';

/** What gates of one name have saved in one run, as one document. Of a path, what was seen last counts. */
export function joined(documents: readonly StateDocument[]): StateDocument {
  const { contents, open } = new EarlierState(documents);
  const paths = new Map<string, KnownPath>();
  for (const path of documents.flatMap((document) => document.paths)) {
    const known = paths.get(path.path);
    if (!known || known.seenAt < path.seenAt) paths.set(path.path, path);
  }
  return { contents: [...contents], paths: [...paths.values()], open: [...open] };
}

/** Whether one document has all that another one has, as new or newer. */
export function contains(outer: StateDocument, inner: StateDocument): boolean {
  const contents = new Map(outer.contents.map((content) => [`${content.sha256} ${content.sidekicks}`, content]));
  const paths = new Map(outer.paths.map((path) => [path.path, path]));
  const open = new Set(outer.open.map(({ submissionId }) => submissionId));
  return (
    inner.contents.every(({ sha256, sidekicks, analysedAt }) => {
      const same = contents.get(`${sha256} ${sidekicks}`);
      return same !== undefined && same.analysedAt >= analysedAt;
    }) &&
    inner.paths.every(({ path, seenAt }) => (paths.get(path)?.seenAt ?? '') >= seenAt) &&
    inner.open.every(({ submissionId }) => open.has(submissionId))
  );
}

/** What all states together know, by content, path and submission. */
export class EarlierState {
  /** By sha256, then by sidekicks: other sidekicks make another analysis of the same bytes. */
  readonly #contents = new Map<string, Map<string, KnownContent>>();
  readonly #paths = new Map<string, KnownPath>();
  readonly #open = new Map<string, OpenRecord>();

  /** @param documents nearest first: this run's, this branch's, then the others */
  constructor(documents: readonly StateDocument[]) {
    for (const document of documents) {
      for (const content of document.contents) this.#learn(content);
      // The nearest state has the history of a path or submission here, however old it is.
      for (const path of document.paths) if (!this.#paths.has(path.path)) this.#paths.set(path.path, path);
      for (const open of document.open) {
        if (!this.#open.has(open.submissionId)) this.#open.set(open.submissionId, open);
      }
    }
  }

  /** Whether there is no analysis to lose. */
  get isEmpty(): boolean {
    return this.#contents.size === 0;
  }

  #learn(content: KnownContent): void {
    const analyses = this.#contents.get(content.sha256) ?? new Map<string, KnownContent>();
    const known = analyses.get(content.sidekicks);
    if (!known || known.analysedAt < content.analysedAt) analyses.set(content.sidekicks, content);
    this.#contents.set(content.sha256, analyses);
  }

  /** The latest analysis of a content with these sidekicks. */
  analysis(sha256: string, sidekicks: string): KnownContent | undefined {
    return this.#contents.get(sha256)?.get(sidekicks);
  }

  /** The latest analysis of a content, with any sidekicks. */
  content(sha256: string): KnownContent | undefined {
    const analyses = [...(this.#contents.get(sha256)?.values() ?? [])];
    return analyses.toSorted((a, b) => (a.analysedAt < b.analysedAt ? 1 : -1))[0];
  }

  path(path: string): KnownPath | undefined {
    return this.#paths.get(path);
  }

  get contents(): readonly KnownContent[] {
    return [...this.#contents.values()].flatMap((analyses) => [...analyses.values()]);
  }

  get paths(): readonly KnownPath[] {
    return [...this.#paths.values()];
  }

  get open(): readonly OpenRecord[] {
    return [...this.#open.values()];
  }
}
