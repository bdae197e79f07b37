import type { Artifact } from '../github/api-schemas.ts';
import type { RunContext } from '../github/context.ts';
import { firstOfEach } from './earlier-state.ts';
import type { Slot } from './gate-id.ts';
import type { Binding, RunBinding, SavedState } from './seal.ts';

/** Which of the states that earlier runs left are read, in which order, and which of them is the baseline. */

/**
 * The commits and branches of earlier runs, nearest first. Behind them comes anywhere: an analysis is valid in every branch.
 *
 * @param mergedBranch the branch of the pull request that was merged or is queued
 */
export function nearestPlaces(context: RunContext, mergedBranch?: string): readonly string[] {
  const { event, branch, eventCommit, baseBranch, baseCommit, defaultBranch } = context;
  const groupBase = event === 'merge_group' ? baseCommit : undefined;
  // A push after a merge queue has the commit of the group.
  const places = [eventCommit, branch, groupBase, mergedBranch, baseBranch, defaultBranch];
  return places.filter((place) => place !== undefined);
}

function distance(
  { branch, commit }: Pick<Artifact | Binding, 'branch' | 'commit'>,
  places: readonly string[],
): number {
  const index = places.findIndex((place) => place === branch || place === commit);
  return index === -1 ? places.length : index;
}

/** How much of one place is looked at, newest first. */
const MAX_RUNS = 3;

/** The newest run of each place, nearest first; then the second of each, then the third. */
export function readingOrder(artifacts: readonly Artifact[], places: readonly string[]): readonly Artifact[] {
  // What a run saved last holds what it saved before.
  const runs = firstOfEach(newestFirst(artifacts), ({ runId }) => runId);
  const byPlace = Map.groupBy(runs, (artifact) => distance(artifact, places));
  return [...byPlace]
    .flatMap(([far, found]) => found.slice(0, MAX_RUNS).map((artifact, round) => ({ artifact, round, far })))
    .toSorted((a, b) => a.round - b.round || a.far - b.far)
    .map(({ artifact }) => artifact);
}

/** Run ids rise with time, and so do those of artifacts: a later run has checked a later commit, however early it ended. */
export function newestFirst(artifacts: readonly Artifact[]): readonly Artifact[] {
  return artifacts.toSorted((a, b) => Number(b.runId) - Number(a.runId) || b.id - a.id);
}

/** By what their signed bindings say. Those of one place stay in their order. */
export function nearestFirst(states: readonly SavedState[], places: readonly string[]): readonly SavedState[] {
  return states.toSorted((a, b) => distance(a.binding, places) - distance(b.binding, places));
}

/** Events whose runs check what their branch holds. */
const BRANCH_EVENTS: ReadonlySet<string> = new Set(['push', 'schedule', 'workflow_dispatch', 'workflow_run push']);

/** Where a run saves its state at the end. Only the state of a run that stands for its branch can be a baseline. */
export function endSlot({ event, branch }: RunBinding): Slot {
  return BRANCH_EVENTS.has(event) && branch !== '' ? 'state' : 'pull';
}

/** States that were found, nearest first, and what was not found and why. */
export interface FoundStates {
  readonly states: readonly SavedState[];
  readonly notices: readonly string[];
}

/** What a run is compared with; empty if it is compared with nothing. */
export type Base = Partial<Record<'commit' | 'branch', string | undefined>>;

/**
 * The state of exactly the base commit, otherwise that of the newest run of the base branch: by run, because a run of an
 * older commit may end, or be re-run, at any time. Only one that stands for its branch, whatever name it was found under.
 */
export function chooseBaseline(states: readonly SavedState[], { commit, branch }: Base): SavedState | undefined {
  const newest = states
    .filter(({ binding }) => binding.kind === 'state' && endSlot(binding) === 'state')
    .toSorted(({ binding: a }, { binding: b }) => Number(b.runId) - Number(a.runId) || b.runAttempt - a.runAttempt);
  return (
    newest.find(({ binding }) => binding.commit === commit) ?? newest.find(({ binding }) => binding.branch === branch)
  );
}
