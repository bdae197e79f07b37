import type { Artifact, Pull } from '../github/api.ts';
import type { RunContext } from '../github/context.ts';
import { type Base, isBaseline, newestRunFirst } from './baseline.ts';
import type { Slot } from './gate-id.ts';
import { type Binding, MAX_STATE_BYTES, type SavedState, StateProblem } from './seal.ts';

/** States of at most this many runs are read. */
export const MAX_STATES = 12;
/** At most this many archives are downloaded: a stranger can upload any number of artifacts under the names of a gate. */
export const MAX_ARCHIVES = 20;
/** At most this many pages of each list are read. */
export const MAX_PAGES = 10;

/** Everything that a search for states has seen so far. It only grows. */
export interface SearchRecord {
  readonly context: RunContext;
  readonly base: Base | undefined;
  /** How many pages of each list were read, and whether the list goes on. */
  readonly pages: Map<Slot, { readonly count: number; readonly hasMore: boolean }>;
  /** The entries of these pages, by artifact id: a page may repeat entries of the page before. */
  readonly listed: Map<number, Artifact>;
  /** The pull request that a push has merged, or the last one of a merge group. */
  merged?: Pull | undefined;
  /** What the downloaded artifacts hold, by artifact id. */
  readonly read: Map<number, SavedState | StateProblem>;
  /** About requests that failed, if the search went on without a response. */
  readonly notices: string[];
}

/** How many more artifacts may be read. A run counts once, even if several of its states were read for the baseline. */
function budgetOf(record: SearchRecord): number {
  const runs = new Set(foundStates(record).map(({ binding }) => binding.runId));
  return Math.max(0, Math.min(MAX_STATES - runs.size, MAX_ARCHIVES - record.read.size));
}

/** The next artifacts to read, at most `count`. None are left if all were read, or if the budget is used up. */
export function nextToRead(record: SearchRecord, count: number): readonly Artifact[] {
  return unreadIn(record).slice(0, Math.min(count, budgetOf(record)));
}

export function unreadIn(record: SearchRecord): readonly Artifact[] {
  return readingOrder(record).filter(({ id }) => !record.read.has(id));
}

/**
 * Of each run, what it saved last; after all of these, what runs saved before. An artifact that was read and cannot be
 * used takes up no place: what its run saved before takes its turn.
 */
export function readingOrder(record: SearchRecord): readonly Artifact[] {
  const possible = candidates(record).filter(({ id }) => !(record.read.get(id) instanceof StateProblem));
  const runs = [...Map.groupBy(possible, ({ runId }) => runId).values()];
  const savedLast = runs.flatMap((saved) => saved.slice(0, 1));
  const savedBefore = runs.flatMap((saved) => saved.slice(1));
  return [savedLast, savedBefore].flatMap((artifacts) => inTurns(artifacts, namedPlaces(record)));
}

/** The commits and branches whose states most likely know the files of this run, nearest first. */
function namedPlaces({ context, merged }: SearchRecord): readonly string[] {
  const { event, branch, eventCommit, baseBranch, baseCommit, defaultBranch } = context;
  const groupBase = event === 'merge_group' ? baseCommit : undefined;
  // The push that follows a merge queue has the commit of the merge group, so `eventCommit` finds the group's state.
  const places = [eventCommit, branch, groupBase, merged?.branch, baseBranch, defaultBranch];
  return [...new Set(places.filter((place) => place !== undefined))];
}

/** How many turns the named places have before the first turn of any other branch. */
const HEAD_START = 2;

/** After the head start of the named places, each place has one turn after the other. */
function inTurns(artifacts: readonly Artifact[], places: readonly string[]): readonly Artifact[] {
  const byPlace = Map.groupBy(
    artifacts.toSorted(lastSavedFirst),
    (artifact) => places[placeOf(artifact, places)] ?? artifact.branch ?? '',
  );
  const named = places.map((place) => inPlace(byPlace.get(place) ?? []));
  // A map keeps the order of insertion, so the branch that saved last comes first.
  const others = [...byPlace].filter(([place]) => !places.includes(place)).map(([, group]) => inPlace(group));
  const length = HEAD_START + Math.max(0, ...[...named, ...others].map((group) => group.length));
  return Array.from({ length }, (_, turn) => [
    ...others.flatMap((group) => group[turn - HEAD_START] ?? []),
    ...named.flatMap((group) => group[turn] ?? []),
  ]).flat();
}

/** What the newest run of a place saved, then what was saved last there, then the rest by run. */
function inPlace(lastSaved: readonly Artifact[]): readonly Artifact[] {
  const newest = lastSaved.toSorted(newestRunFirst);
  return [...new Set([...newest.slice(0, 1), ...lastSaved.slice(0, 1), ...newest])];
}

/** The index of the first place that is the branch or the commit; after the last one, if none is. */
function placeOf({ branch, commit }: Pick<Artifact | Binding, 'branch' | 'commit'>, places: readonly string[]): number {
  const index = places.findIndex((place) => place === branch || place === commit);
  return index === -1 ? places.length : index;
}

/** The states that can be used, by their signed commit or branch: nearest first, then newest run first. */
export function foundStates(record: SearchRecord): readonly SavedState[] {
  const places = namedPlaces(record);
  const states = [...record.read.values()].flatMap((found) => (found instanceof StateProblem ? [] : found));
  return states.toSorted(
    ({ binding: a }, { binding: b }) => placeOf(a, places) - placeOf(b, places) || newestRunFirst(a, b),
  );
}

/**
 * The artifacts that may hold a state of this gate, last saved first: those of this repository, of this run, and of the
 * head branch of the pull request that is checked or was merged. GitHub lists runs of `pull_request_target` under the
 * fork. Other artifacts of forks are never downloaded.
 */
function candidates({ listed, merged, context }: SearchRecord): readonly Artifact[] {
  const { runId, branch, pullRequest } = context;
  const heads = [...(pullRequest ? [{ ...pullRequest, branch }] : []), ...(merged ? [merged] : [])];
  const possible = [...listed.values()].filter(({ isExpired, size }) => !isExpired && size <= MAX_STATE_BYTES);
  return possible.toSorted(lastSavedFirst).flatMap((artifact) => {
    const { isOwn, headRepositoryId, branch: headRef } = artifact;
    if (isOwn) return artifact;
    if (artifact.runId === runId) return { ...artifact, branch };
    const head = heads.find((each) => each.headRepositoryId === headRepositoryId && each.headRef === headRef);
    return head ? { ...artifact, branch: head.branch } : [];
  });
}

/** Whether the merged branch is listed, or without one this branch: a run of it that is no newer than this run. */
export function isBranchListed(record: SearchRecord): boolean {
  const { merged, context } = record;
  const branch = merged?.branch ?? context.branch;
  return candidates(record).some((each) => each.branch === branch && Number(each.runId) <= Number(context.runId));
}

/** Whether that branch is listed, and as many artifacts as may be read. Those of forks do not count. */
export function isListedFarEnough(record: SearchRecord): boolean {
  const own = [...record.listed.values()].filter(({ isOwn }) => isOwn);
  return isBranchListed(record) && own.length >= MAX_ARCHIVES;
}

export function isBaseListed(record: SearchRecord): boolean {
  return baselineOrder(record).length > 0;
}

/** The next artifact to read in search of the baseline. None if it is found, or if the budget is used up. */
export function nextForBaseline(record: SearchRecord): readonly Artifact[] {
  const { read, base } = record;
  const best = baselineOrder(record).find(({ id }) => {
    const found = read.get(id);
    return !found || (base && !(found instanceof StateProblem) && isBaseline(found, base));
  });
  return best && !read.has(best.id) && budgetOf(record) > 0 ? [best] : [];
}

/** Those of the base commit, then those of the base branch; newest run first, and of each run what it saved last. */
function baselineOrder(record: SearchRecord): readonly Artifact[] {
  const { base } = record;
  const isNoNewer = ({ runId }: Artifact): boolean => !base?.run || Number(runId) <= Number(base.run.runId);
  const newest = candidates(record)
    .filter((artifact) => artifact.isOwn && isNoNewer(artifact))
    .toSorted(newestRunFirst);
  const places = (['commit', 'branch'] as const).filter((place) => base?.[place] !== undefined);
  return places.flatMap((place) => newest.filter((artifact) => artifact[place] === base?.[place]));
}

export function lastSavedFirst(a: Artifact, b: Artifact): number {
  return b.id - a.id;
}
