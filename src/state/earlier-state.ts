import type { KnownContent, KnownPath, OpenRecord, StateDocument } from './document.ts';

/** What gates of one name have saved in one run, as one. Of a path, the one that has looked at it last knows more. */
export function joined(documents: readonly StateDocument[]): StateDocument {
  const { contents, open } = new EarlierState(documents);
  const paths = new Map<string, KnownPath>();
  for (const path of documents.flatMap((document) => document.paths)) {
    const known = paths.get(path.path);
    if (!known || known.seenAt < path.seenAt) paths.set(path.path, path);
  }
  return { contents: [...contents], paths: [...paths.values()], open: [...open] };
}

/** What all states together know, ready to be asked. */
export class EarlierState {
  /** By sha256, then by settings: other sidekicks make another analysis of the same bytes. */
  readonly #contents = new Map<string, Map<string, KnownContent>>();
  readonly #paths = new Map<string, KnownPath>();
  readonly #open = new Map<string, OpenRecord>();

  /** @param documents nearest first: this run's, this branch's, then the others */
  constructor(documents: readonly StateDocument[]) {
    for (const document of documents) {
      for (const content of document.contents) this.#learn(content);
      // What the nearest state says of a path or a submission is its history here, however old it is.
      for (const path of document.paths) if (!this.#paths.has(path.path)) this.#paths.set(path.path, path);
      for (const open of document.open) {
        if (!this.#open.has(open.submissionId)) this.#open.set(open.submissionId, open);
      }
    }
  }

  #learn(content: KnownContent): void {
    const analyses = this.#contents.get(content.sha256) ?? new Map<string, KnownContent>();
    const known = analyses.get(content.settings);
    if (!known || known.analysedAt < content.analysedAt) analyses.set(content.settings, content);
    this.#contents.set(content.sha256, analyses);
  }

  /** The latest analysis of a content with these settings. */
  analysis(sha256: string, settings: string): KnownContent | undefined {
    return this.#contents.get(sha256)?.get(settings);
  }

  /** The latest analysis of a content, whoever looked at it. */
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
