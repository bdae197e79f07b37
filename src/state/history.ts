import type { Artifact } from '../github/api-schemas.ts';
import type { RunContext } from '../github/context.ts';
import type { Slot } from './gate-id.ts';
import type { RunBinding, SavedState } from './seal.ts';

/** Which of the states that earlier runs left are read, in which order, and which of them is the baseline. */

/** The commit that the event is about. GitHub's list names the head of a pull request, not its merge commit. */
export function commitOf({ pullRequest, followedCommit, commit }: RunContext): string {
  return pullRequest?.headSha ?? followedCommit ?? commit;
}

/**
 * The commits and branches of earlier runs, nearest first. Behind them comes anywhere: an analysis is valid in every branch.
 *
 * @param mergedBranch the branch of the pull request that was merged or is queued
 */
export function nearestPlaces(context: RunContext, mergedBranch?: string): readonly string[] {
  const { event, branch, baseBranch, baseCommit, defaultBranch } = context;
  const groupBase = event === 'merge_group' ? baseCommit : undefined;
  // A push after a merge queue has the commit of the group.
  const places = [commitOf(context), branch, groupBase, mergedBranch, baseBranch, defaultBranch];
  return places.filter((place) => place !== undefined);
}

function distance(branch: string | undefined, commit: string | undefined, places: readonly string[]): number {
  const index = places.findIndex((place) => place === branch || place === commit);
  return index === -1 ? places.length : index;
}

/** How much of one place is looked at, newest first. */
export const MAX_RUNS = 3;

/** The newest run of each place, nearest first; then the second of each, then the third. */
export function readingOrder(artifacts: readonly Artifact[], places: readonly string[]): readonly Artifact[] {
  const byPlace = Map.groupBy(newestFirst(artifacts), ({ headBranch, headSha }) =>
    distance(headBranch, headSha, places),
  );
  const byDistance = [...byPlace].toSorted(([a], [b]) => a - b).map(([, found]) => found);
  return Array.from({ length: MAX_RUNS }, (_, round) =>
    byDistance.flatMap((found) => found.slice(round, round + 1)),
  ).flat();
}

/** Run ids rise with time: a later run has checked a later commit, however early it ended. */
export function newestFirst(artifacts: readonly Artifact[]): readonly Artifact[] {
  return artifacts.toSorted((a, b) => Number(b.runId) - Number(a.runId) || (a.createdAt < b.createdAt ? 1 : -1));
}

/** Without those whose run has saved a whole state after them: it lists what is still open. */
export function unsettled(artifacts: readonly Artifact[], states: readonly Artifact[]): readonly Artifact[] {
  return artifacts.filter(
    ({ runId, createdAt }) => !states.some((state) => state.runId === runId && state.createdAt > createdAt),
  );
}

/** By what their signed bindings say. */
export function nearestFirst(states: readonly SavedState[], places: readonly string[]): readonly SavedState[] {
  const distanceOf = ({ binding: { branch, commit } }: SavedState): number => distance(branch, commit, places);
  return states.toSorted((a, b) => distanceOf(a) - distanceOf(b) || byRun(a, b));
}

function byRun({ binding: a }: SavedState, { binding: b }: SavedState): number {
  return Number(b.runId) - Number(a.runId) || b.runAttempt - a.runAttempt || (a.savedAt < b.savedAt ? 1 : -1);
}

/** What a run is compared with. */
type Base = Pick<RunContext, 'baseBranch' | 'baseCommit'>;

/** Events whose runs check what their branch holds. */
const BRANCH_EVENTS: ReadonlySet<string> = new Set(['push', 'schedule', 'workflow_dispatch', 'workflow_run push']);

/** Where a run saves its state at the end. Only the state of a run that stands for its branch can be a baseline. */
export function endSlot({ event, branch }: RunBinding): Slot {
  return BRANCH_EVENTS.has(event) && branch !== '' ? 'state' : 'pull';
}

/** Whatever name it was found under. */
function isOfBranch(state: SavedState | undefined): state is SavedState {
  return state?.binding.kind === 'state' && endSlot(state.binding) === 'state';
}

export function isOfBaseCommit(state: SavedState | undefined, { baseCommit }: Base): boolean {
  return isOfBranch(state) && state.binding.commit === baseCommit;
}

export function isOfBaseBranch(state: SavedState | undefined, { baseBranch }: Base): boolean {
  return isOfBranch(state) && state.binding.branch === baseBranch;
}

/**
 * The state of exactly the base commit, otherwise that of the newest run of the base branch: by run, because a run of an
 * older commit may end, or be re-run, at any time.
 */
export function chooseBaseline(states: readonly SavedState[], base: Base): SavedState | undefined {
  const sorted = states.toSorted(byRun);
  return sorted.find((state) => isOfBaseCommit(state, base)) ?? sorted.find((state) => isOfBaseBranch(state, base));
}
