import type { StateDocument } from './document.ts';
import type { Binding } from './seal.ts';

/** A state that an earlier run left, proven to be ours. */
export interface FoundState {
  /** It continues the history of what is checked now, not of another branch. */
  readonly isOwnLine: boolean;
  readonly binding: Binding;
  readonly document: StateDocument;
}

export interface Loaded {
  /** Nearest first. */
  readonly states: readonly FoundState[];
  /** What a person should know about what was not found, with what to do. */
  readonly notices: readonly string[];
}

/** `open` right after a submission was created, `state` when the run is judged. */
export type StateKind = 'open' | 'state';

/** Where the state is kept between runs. Losing it costs money, but never changes a verdict. */
export interface StateStore {
  load(): Promise<Loaded>;
  /** @returns the file that holds it on this machine; empty where it was not kept */
  save(kind: StateKind, document: StateDocument): Promise<string>;
}
