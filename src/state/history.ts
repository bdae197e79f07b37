import type { Artifact, Pull } from '../github/api-schemas.ts';
import type { RunContext } from '../github/context.ts';
import type { StateDocument } from './document.ts';
import { endSlot } from './gate-id.ts';
import { type EarlierState, firstOfEach, joinStates } from './merge.ts';
import type { Binding, SavedState } from './seal.ts';

/** This module decides which states of earlier runs are read, in which order, and which state is the baseline. */

/** At most this many states of each commit or branch are read. */
const MAX_OF_PLACE = 3;
/** At most this many states are read besides those for the baseline. What cannot be used is not counted. */
const MAX_STATES = 4;
/** At most this many artifacts are downloaded. A stranger can upload any number under the names of a gate. */
export const MAX_ARCHIVES = 20;

/**
 * The artifacts that may hold a state of this gate: all artifacts of this repository, and those of a fork that may be
 * ours. GitHub lists a run of `pull_request_target` under the fork, although this gate saved its state. So an artifact
 * of the pull request's branch, or of this run, is downloaded, and its signature decides whether it is used. Other
 * artifacts of forks are never downloaded.
 *
 * @param merged the pull request that was merged or is queued
 */
export function candidates(
  listed: readonly Artifact[],
  { runId, branch, pullRequest }: RunContext,
  merged: Pull | undefined,
): readonly Artifact[] {
  const branchAtFork = (artifact: Artifact): string | undefined => {
    if (artifact.runId === runId || isOfHead(artifact, pullRequest)) return branch;
    return isOfHead(artifact, merged) ? merged?.branch : undefined;
  };
  return listed
    .map((artifact) => (artifact.isOwn ? artifact : { ...artifact, branch: branchAtFork(artifact) }))
    .filter(({ isOwn, branch: place }) => isOwn || place !== undefined);
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

/** What was saved last for each place, nearest place first; then the second last of each place, then the third last. */
export function readingOrder(artifacts: readonly Artifact[], places: readonly string[]): readonly Artifact[] {
  // An artifact replaces those of the same run and name. Two jobs of a run may have saved under different names.
  const saved = firstOfEach(lastSavedFirst(artifacts), ({ runId, name }) => `${runId} ${name}`);
  const byPlace = Map.groupBy(saved, (artifact) => distance(artifact, places));
  return [...byPlace]
    .flatMap(([far, found]) => found.slice(0, MAX_OF_PLACE).map((artifact, round) => ({ artifact, round, far })))
    .toSorted((a, b) => a.round - b.round || a.far - b.far)
    .map(({ artifact }) => artifact);
}

/** Sorts by artifact id, which rises with time. An old run that is started again saves its state last. */
function lastSavedFirst(artifacts: readonly Artifact[]): readonly Artifact[] {
  return artifacts.toSorted((a, b) => b.id - a.id);
}

/** The states that were read, by artifact id. Undefined if the state cannot be used. */
export type ReadStates = ReadonlyMap<number, SavedState | undefined>;

/** The artifacts in which a run looks for states. */
export interface SearchedArtifacts {
  readonly listed: readonly Artifact[];
  /** The artifacts of branch runs of the base branch, then of the default branch, each last saved first. */
  readonly trunk: readonly Artifact[];
  readonly places: readonly string[];
  /** How many usable states were read for the baseline. */
  readonly ofBaseline: number;
}

/** @param listed the artifacts with the name of branch runs */
export function trunkStates(
  listed: readonly Artifact[],
  { baseBranch, defaultBranch }: Pick<RunContext, 'baseBranch' | 'defaultBranch'>,
): readonly Artifact[] {
  const own = lastSavedFirst(listed.filter(({ isOwn }) => isOwn));
  const branches = [baseBranch, defaultBranch].filter((branch) => branch !== undefined);
  return branches.flatMap((branch) => own.filter((artifact) => artifact.branch === branch));
}

/**
 * The artifact to read next. The second one is the last state of the base or default branch: others may crowd it out.
 *
 * @returns undefined if no other may be read
 */
export function nextToRead(searched: SearchedArtifacts, read: ReadStates): Artifact | undefined {
  const { listed, trunk, places, ofBaseline } = searched;
  const usable = [...read.values()].filter((state) => state !== undefined);
  if (usable.length - ofBaseline >= MAX_STATES || read.size >= MAX_ARCHIVES) return undefined;
  const isUnread = ({ id }: Artifact): boolean => !read.has(id);
  const hasTrunk = read.size === 0 || trunk.some(({ id }) => read.get(id));
  const open = listed.filter((artifact) => isUnread(artifact) || read.get(artifact.id));
  return (hasTrunk ? undefined : trunk.find(isUnread)) ?? readingOrder(open, places).find(isUnread);
}

/** Sorts states by how near their signed commit or branch is. States of one commit or branch keep their order. */
export function nearestFirst(states: readonly SavedState[], places: readonly string[]): readonly SavedState[] {
  return states.toSorted((a, b) => distance(a.binding, places) - distance(b.binding, places));
}

/** The results of earlier runs. */
export interface History extends Gaps {
  readonly earlierState: EarlierState;
  /** The state that this run is compared with. Undefined if the run has no baseline. */
  readonly baseline: StateDocument | undefined;
  /** Which states could not be found or used, why, and what to do. */
  readonly notices: readonly string[];
}

export const NO_HISTORY: History = { earlierState: joinStates([]), baseline: undefined, notices: [] };

/** The usable states, nearest first, and notices about the states that could not be used. */
export interface FoundStates extends Gaps {
  readonly states: readonly SavedState[];
  readonly notices: readonly string[];
}

/** Why an analysis may not have been found. This is reported only if the run sends a file. */
interface Gaps {
  /** A notice about a state that was deleted or has expired. */
  readonly lost?: string | undefined;
  /** A warning that other artifacts crowd out the states. */
  readonly crowded?: string | undefined;
}

/** The commit and branch whose analysis is the baseline. Empty if the run has no baseline. */
export type Base = Partial<Record<'commit' | 'branch', string | undefined>>;

/** The last artifact may come from a cancelled run, which is no baseline. Then the next one is read, up to this many. */
const MAX_BASELINES = 10;

/** The artifact to read next in search of the baseline. Undefined if it was found, or if no other may be read. */
export function nextBaseline(listed: readonly Artifact[], read: ReadStates, base: Base): Artifact | undefined {
  const usable = [...read.values()].filter((state) => state !== undefined);
  if (chooseBaseline(usable, base) || read.size >= MAX_BASELINES) return undefined;
  // By run: a later run has checked a later commit, even if it ended earlier.
  const newest = listed
    .filter(({ isOwn }) => isOwn)
    .toSorted((a, b) => Number(b.runId) - Number(a.runId) || b.id - a.id);
  const places = ['commit', 'branch'] as const;
  return places
    .flatMap((place) => newest.filter((artifact) => artifact[place] === base[place]))
    .find(({ id }) => !read.has(id));
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
