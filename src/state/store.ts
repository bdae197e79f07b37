import type { StateDocument } from './document.ts';
import type { Binding, Unsealed } from './seal.ts';

/** A state that an earlier run left, proven to be ours. */
export type FoundState = Unsealed;

export interface Loaded {
  /** Nearest first. */
  readonly states: readonly FoundState[];
  /** What a person should know about what was not found, with what to do. */
  readonly notices: readonly string[];
}

/** `open` right after a submission was created, `state` when the run is judged. */
export type StateKind = Binding['kind'];

/** Where the state is kept between runs. Losing it costs money, but never changes a verdict. */
export interface StateStore {
  load(): Promise<Loaded>;
  /**
   * @param document all that is known; of an `open` one a store may keep only what is open
   * @returns the file that holds it on this machine; empty where it was not kept
   */
  save(kind: StateKind, document: StateDocument): Promise<string>;
}
