import type { Pull } from '../github/api.ts';
import type { Artifact } from '../github/artifacts.ts';
import type { RunContext } from '../github/context.ts';
import { type Base, newestRunFirst } from './baseline.ts';
import type { Binding, SavedState } from './seal.ts';

/** What GitHub lists, and what decides which of it is near. The lists only preselect; the signature decides. */
export interface Listing {
  readonly context: RunContext;
  /** The entries of the pages that were read, by artifact id: a page may repeat entries of the page before. */
  readonly listed: Map<number, Artifact>;
  /** The pull request that a push has merged, or the last one of a merge group. */
  merged?: Pull | undefined;
}

/** The places of a run: commits and branches whose states most likely know its files, nearest first. */
export function placesOf({ context, merged }: Listing): readonly string[] {
  const { event, branch, eventCommit, baseBranch, baseCommit, defaultBranch } = context;
  const groupBase = event === 'merge_group' ? baseCommit : undefined;
  // The push that follows a merge queue has the commit of the merge group, so `eventCommit` finds the group's state.
  const places = [eventCommit, branch, groupBase, merged?.branch, baseBranch, defaultBranch];
  return [...new Set(places.filter((place) => place !== undefined))];
}

/** The index of the first place that is the branch or the commit; after the last one, if none is. */
function placeOf({ branch, commit }: Pick<Artifact | Binding, 'branch' | 'commit'>, places: readonly string[]): number {
  const index = places.findIndex((place) => place === branch || place === commit);
  return index === -1 ? places.length : index;
}

/** Sorts states by their signed commit or branch: nearest first, then newest run first. */
export function nearestFirst(states: readonly SavedState[], places: readonly string[]): readonly SavedState[] {
  return states.toSorted(
    ({ binding: a }, { binding: b }) => placeOf(a, places) - placeOf(b, places) || newestRunFirst(a, b),
  );
}

/**
 * The artifacts that may hold a state of this gate, last saved first: those of this repository, of this run, and of the
 * head branch of the pull request that is checked or was merged. GitHub lists runs of `pull_request_target` under the
 * fork. Other artifacts of forks are never downloaded.
 */
export function ownArtifacts({ listed, merged, context }: Listing): readonly Artifact[] {
  const { runId, branch, pullRequest } = context;
  const heads = [...(pullRequest ? [{ ...pullRequest, branch }] : []), ...(merged ? [merged] : [])];
  const present = [...listed.values()].filter(({ isExpired }) => !isExpired);
  return present.toSorted(lastSavedFirst).flatMap((artifact) => {
    const { isOwn, headRepositoryId, branch: headRef } = artifact;
    if (isOwn) return artifact;
    if (artifact.runId === runId) return { ...artifact, branch };
    const head = heads.find((each) => each.headRepositoryId === headRepositoryId && each.headRef === headRef);
    return head ? { ...artifact, branch: head.branch } : [];
  });
}

export function lastSavedFirst(a: Artifact, b: Artifact): number {
  return b.id - a.id;
}

/** Of each run, what it saved last; after all of these, what runs saved before. @param artifacts last saved first */
export function readingOrder(artifacts: readonly Artifact[], places: readonly string[]): readonly Artifact[] {
  const lastOf = new Map(artifacts.toReversed().map(({ runId, id }) => [runId, id]));
  const isLast = ({ runId, id }: Artifact): boolean => lastOf.get(runId) === id;
  const before = artifacts.filter((artifact) => !isLast(artifact));
  return [...inTurns(artifacts.filter(isLast), places), ...inTurns(before, places)];
}

/** How many turns the named places have before the first turn of any other branch. */
const HEAD_START = 2;

/** After the head start of the named places, each place has one turn after the other. */
function inTurns(lastSaved: readonly Artifact[], places: readonly string[]): readonly Artifact[] {
  const byPlace = Map.groupBy(lastSaved, (artifact) => places[placeOf(artifact, places)] ?? artifact.branch ?? '');
  // A map keeps the order of insertion, so of the other branches the one that saved last comes first.
  const others = [...byPlace.keys()].filter((place) => !places.includes(place));
  const turns = [...others, ...places].flatMap((place) => {
    const firstTurn = places.includes(place) ? 0 : HEAD_START;
    return inPlace(byPlace.get(place) ?? []).map((artifact, index) => ({ artifact, turn: firstTurn + index }));
  });
  return turns.toSorted((a, b) => a.turn - b.turn).map(({ artifact }) => artifact);
}

/** What the newest run of a place saved, then what was saved last there, then the rest by run. */
function inPlace(lastSaved: readonly Artifact[]): readonly Artifact[] {
  const newest = lastSaved.toSorted(newestRunFirst);
  return [...new Set([...newest.slice(0, 1), ...lastSaved.slice(0, 1), ...newest])];
}

/**
 * The artifacts in which the baseline may be: those of the base commit, then those of the base branch; newest run first,
 * and of each run what it saved last. @param artifacts last saved first
 */
export function baselineOrder(artifacts: readonly Artifact[], base: Base): readonly Artifact[] {
  const { run } = base;
  const newest = artifacts
    .filter(({ isOwn, runId }) => isOwn && (!run || Number(runId) <= Number(run.runId)))
    .toSorted(newestRunFirst);
  const places = (['commit', 'branch'] as const).filter((place) => base[place] !== undefined);
  return places.flatMap((place) => newest.filter((artifact) => artifact[place] === base[place]));
}
