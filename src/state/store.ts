import type { StateDocument } from './document.ts';
import type { EarlierState } from './earlier-state.ts';
import type { Binding } from './seal.ts';

/** What a run needs of the earlier ones. Fewer needs mean fewer requests to GitHub. */
export interface StateNeeds {
  /** False for `reuse-days: 0` and dry runs. Otherwise the run ends if GitHub does not answer. */
  readonly canReuse: boolean;
  /** Whether the run is compared with its base. */
  readonly hasBaseline: boolean;
  /** Whether every file of this run is known and reusable, so that no other state need be read. */
  readonly isEnough: (known: EarlierState) => boolean;
}

/** What earlier runs left. */
export interface LoadedStates {
  /** All of it: what need not be sent again. */
  readonly earlierState: EarlierState;
  /** The state that this run is compared with. */
  readonly baseline: StateDocument | undefined;
  /** What was not found and why, with what to do. */
  readonly notices: readonly string[];
}

/** `open` right after a submission was created, `state` when the results are there. */
export type StateKind = Binding['kind'];

/** Where the state is kept between runs. Losing it costs money, but never changes a verdict. */
export interface StateStore {
  /** Why nothing is kept; undefined if state is kept. */
  readonly unsavedNotice?: string;
  load(needs: StateNeeds): Promise<LoadedStates>;
  /**
   * @param document all that is known; of an `open` one a store may keep only what is open
   * @returns the file that holds it on this machine; empty if it was not kept
   */
  save(kind: StateKind, document: StateDocument): Promise<string>;
}
