import type { KnownContent, KnownPath, OpenRecord, StateDocument } from './document.ts';

/** What all states together know, ready to be asked. */
export class Knowledge {
  readonly #contents = new Map<string, KnownContent>();
  readonly #paths = new Map<string, KnownPath>();
  readonly #open = new Map<string, OpenRecord>();

  /** @param documents nearest first: this run's, this branch's, then the others */
  constructor(documents: readonly StateDocument[]) {
    for (const document of documents) {
      for (const content of document.contents) {
        const known = this.#contents.get(content.sha256);
        if (!known || known.analysedAt < content.analysedAt) this.#contents.set(content.sha256, content);
      }
      // What the nearest state says of a path is its history here, however old it is.
      for (const path of document.paths) if (!this.#paths.has(path.path)) this.#paths.set(path.path, path);
      for (const open of document.open) this.#open.set(open.submissionId, open);
    }
  }

  content(sha256: string): KnownContent | undefined {
    return this.#contents.get(sha256);
  }

  path(path: string): KnownPath | undefined {
    return this.#paths.get(path);
  }

  get contents(): readonly KnownContent[] {
    return [...this.#contents.values()];
  }

  get paths(): readonly KnownPath[] {
    return [...this.#paths.values()];
  }

  get open(): readonly OpenRecord[] {
    return [...this.#open.values()];
  }
}
