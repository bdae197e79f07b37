import type { StateDocument } from './document.ts';
import type { EarlierState } from './earlier-state.ts';
import type { Binding, SavedState } from './seal.ts';

/** What a run needs of the earlier ones. Fewer needs mean fewer requests to GitHub. */
export interface StateNeeds {
  /** False for `reuse-days: 0` and dry runs: then a missing state costs nothing. */
  readonly canReuse: boolean;
  /** Whether the run is compared with its base branch. */
  readonly hasBaseline: boolean;
  /** Whether everything this run checks is known from these states, so that no other need be looked for. */
  readonly isEnough: (known: EarlierState) => boolean;
}

export interface LoadedStates {
  /** Nearest first. */
  readonly states: readonly SavedState[];
  /** True for `state-file`: anything that writes to the workspace can put an old state there. */
  readonly isFromFile: boolean;
  /** Earlier runs may have left a state, but none could be used. */
  readonly isLost: boolean;
  /** What was not found and why, with what to do. */
  readonly notices: readonly string[];
  /** The scopes that this run saves its state under; undefined if the store has only one. */
  readonly scopes?: readonly string[] | undefined;
}

/** `open` right after a submission was created, `state` when the run is judged. */
export type StateKind = Binding['kind'];

/** Where the state is kept between runs. Losing it costs money, but never changes a verdict. */
export interface StateStore {
  /** Why nothing is kept; undefined if state is kept. */
  readonly unsavedNotice?: string;
  load(needs: StateNeeds): Promise<LoadedStates>;
  /**
   * @param document all that is known; of an `open` one a store may keep only what is open
   * @param scopes what `load` returned; by default the scope of this run
   * @returns the file that holds it on this machine; empty if it was not kept
   */
  save(kind: StateKind, document: StateDocument, scopes?: readonly string[]): Promise<string>;
}
