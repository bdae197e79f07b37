import type { KnownContent, KnownPath, OpenRecord, StateDocument } from './document.ts';

/** What all states together know, by content, path and submission. */
export class EarlierState {
  /** By sha256, then by sidekicks: other sidekicks make another analysis of the same bytes. */
  readonly #contents = new Map<string, Map<string, KnownContent>>();
  readonly #paths = new Map<string, KnownPath>();
  readonly #open = new Map<string, OpenRecord>();

  /** @param documents nearest first */
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
