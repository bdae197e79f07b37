import type { Artifact, Pull } from '../github/api-schemas.ts';
import type { RunContext } from '../github/context.ts';
import type { StateDocument } from './document.ts';
import { endSlot } from './gate-id.ts';
import { type EarlierState, firstOfEach, joinStates } from './merge.ts';
import type { Binding, SavedState } from './seal.ts';

/** This module decides which states of earlier runs are read, in which order, and which state is the baseline. */

/** At most this many runs are read for each commit or branch, and at most this many artifacts of forks. */
const MAX_RUNS = 3;

/**
 * The artifacts that may hold a state of this gate: all artifacts of this repository, and up to three that GitHub lists
 * under a fork. GitHub lists a run of `pull_request_target` under the fork, although this gate saved its state. So an
 * artifact of the pull request's branch, or of this run, is downloaded, and its signature decides whether it is used.
 * Other artifacts of forks are never downloaded.
 *
 * @param lists the most important list first
 *
 * @param merged the pull request that was merged or is queued
 */
export function candidates(
  lists: readonly (readonly Artifact[])[],
  { runId, branch, pullRequest }: RunContext,
  merged: Pull | undefined,
): readonly Artifact[] {
  const branchAtFork = (artifact: Artifact): string | undefined => {
    if (artifact.runId === runId || isOfHead(artifact, pullRequest)) return branch;
    return isOfHead(artifact, merged) ? merged?.branch : undefined;
  };
  const ofForks = lists
    .flatMap(newestFirst)
    .filter(({ isOwn }) => !isOwn)
    .map((artifact) => ({ ...artifact, branch: branchAtFork(artifact) }))
    .filter((artifact) => artifact.branch !== undefined);
  return [...lists.flat().filter(({ isOwn }) => isOwn), ...ofForks.slice(0, MAX_RUNS)];
}

function isOfHead(
  { headRepositoryId, branch }: Artifact,
  pull: Partial<Pick<Pull, 'headRepositoryId' | 'headRef'>> | undefined,
): boolean {
  return pull !== undefined && headRepositoryId === pull.headRepositoryId && branch === pull.headRef;
}

/** The commits and branches whose states are preferred, nearest first. States of other branches are used as well. */
export function nearestPlaces(context: RunContext, merged: Pull | undefined): readonly string[] {
  const { event, branch, eventCommit, baseBranch, baseCommit, defaultBranch } = context;
  const groupBase = event === 'merge_group' ? baseCommit : undefined;
  // The push that follows a merge queue has the commit of the merge group, so `eventCommit` finds the group's state.
  const places = [eventCommit, branch, groupBase, merged?.branch, baseBranch, defaultBranch];
  return places.filter((place) => place !== undefined);
}

function distance(
  { branch, commit }: Pick<Artifact | Binding, 'branch' | 'commit'>,
  places: readonly string[],
): number {
  const index = places.findIndex((place) => place === branch || place === commit);
  return index === -1 ? places.length : index;
}

/** The newest run of each place, nearest place first; then the second newest run of each place, then the third. */
export function readingOrder(artifacts: readonly Artifact[], places: readonly string[]): readonly Artifact[] {
  // The last state of a run contains the earlier states of the same run.
  const runs = firstOfEach(newestFirst(artifacts), ({ runId }) => runId);
  const byPlace = Map.groupBy(runs, (artifact) => distance(artifact, places));
  return [...byPlace]
    .flatMap(([far, found]) => found.slice(0, MAX_RUNS).map((artifact, round) => ({ artifact, round, far })))
    .toSorted((a, b) => a.round - b.round || a.far - b.far)
    .map(({ artifact }) => artifact);
}

/** Sorts by run id, which rises with time: a later run has checked a later commit, even if it ended earlier. */
function newestFirst(artifacts: readonly Artifact[]): readonly Artifact[] {
  return artifacts.toSorted((a, b) => Number(b.runId) - Number(a.runId) || b.id - a.id);
}

/** Sorts states by how near their signed commit or branch is. States of one commit or branch keep their order. */
export function nearestFirst(states: readonly SavedState[], places: readonly string[]): readonly SavedState[] {
  return states.toSorted((a, b) => distance(a.binding, places) - distance(b.binding, places));
}

/** The results of earlier runs. */
export interface History {
  readonly earlierState: EarlierState;
  /** The state that this run is compared with. Undefined if the run has no baseline. */
  readonly baseline: StateDocument | undefined;
  /** Which states could not be found or used, why, and what to do. */
  readonly notices: readonly string[];
}

export const NO_HISTORY: History = { earlierState: joinStates([]), baseline: undefined, notices: [] };

/** The usable states, nearest first, and notices about the states that could not be used. */
export interface FoundStates {
  readonly states: readonly SavedState[];
  readonly notices: readonly string[];
}

/** The commit and branch whose analysis is the baseline. Empty if the run has no baseline. */
export type Base = Partial<Record<'commit' | 'branch', string | undefined>>;

/**
 * The newest artifact may come from a cancelled run, which is no baseline. Then the next one is read, up to this many.
 */
const MAX_BASELINES = 10;

/** The artifacts that may hold the baseline, in the order in which `chooseBaseline` prefers them. */
export function baselineOrder(artifacts: readonly Artifact[], base: Base): readonly Artifact[] {
  const own = newestFirst(artifacts.filter(({ isOwn }) => isOwn));
  return (['commit', 'branch'] as const).flatMap((place) =>
    own.filter((artifact) => artifact[place] === base[place]).slice(0, MAX_BASELINES),
  );
}

/**
 * Chooses the state of the base commit or, if there is none, the state of the newest run of the base branch. The newest
 * run has the highest run id: the run of an older commit may end later, or be re-run. A state that no branch run saved
 * is ignored, even if its artifact has the name of a branch run.
 */
export function chooseBaseline(states: readonly SavedState[], { commit, branch }: Base): SavedState | undefined {
  const newest = states
    .filter(({ binding }) => binding.kind === 'state' && endSlot(binding) === 'state')
    .toSorted(({ binding: a }, { binding: b }) => Number(b.runId) - Number(a.runId) || b.runAttempt - a.runAttempt);
  return (
    newest.find(({ binding }) => binding.commit === commit) ?? newest.find(({ binding }) => binding.branch === branch)
  );
}
