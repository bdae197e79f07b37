import type { Artifact, Pull } from '../github/api-schemas.ts';
import type { RunContext } from '../github/context.ts';
import { isOfBranchRun } from './gate-id.ts';
import { firstOfEach } from './records.ts';
import type { Binding, SavedState } from './seal.ts';

/** The last, second last and third last state of each commit or branch may be read. */
const ROUNDS = [0, 1, 2];
/** Limits the downloads of artifacts: a stranger can upload any number of artifacts under the names of a gate. */
export const MAX_ARCHIVES = 20;

/** The base commit and base branch. Empty if the run needs no baseline. With `state-file`, `branch` is left out. */
export type Base = Partial<Record<'commit' | 'branch', string | undefined>>;

/** What a search for states has found so far. */
export interface SearchedArtifacts {
  readonly context: RunContext;
  readonly base: Base;
  /** The artifact name under which branch runs save their state. */
  readonly branchRunName: string;
  /** Sorted by artifact id, last saved first. Not by run id: a re-run of an old run saves its state last. */
  readonly listed: readonly Artifact[];
  /** The pull request that a push has merged, or the last one of a merge group. */
  readonly merged?: Pull | undefined;
  /** The downloaded states by artifact id. Undefined if an artifact holds no state that can be used. */
  readonly read: ReadonlyMap<number, SavedState | undefined>;
}

/** The states that can be used, in the order of `nearestPlaces`, by their signed commit or branch. */
export function foundStates(searched: SearchedArtifacts): readonly SavedState[] {
  const states = [...searched.read.values()].filter((state) => state !== undefined);
  const places = nearestPlaces(searched);
  return states.toSorted((a, b) => distance(a.binding, places) - distance(b.binding, places));
}

/**
 * The artifact to read next. After the first, states of the base and default branch come first until one can be used,
 * because the limits may end `readingOrder` before them. Undefined at `MAX_ARCHIVES`, or if no artifact is left.
 */
export function nextToRead(searched: SearchedArtifacts): Artifact | undefined {
  const { read } = searched;
  if (read.size >= MAX_ARCHIVES) return undefined;
  const isUnread = ({ id }: Artifact): boolean => !read.has(id);
  const trunk = trunkStates(searched);
  const needsTrunk = read.size > 0 && !trunk.some(({ id }) => read.get(id));
  // An artifact that was read and cannot be used must not take up one of the three `ROUNDS` of its commit or branch.
  const possible = candidates(searched).filter((artifact) => isUnread(artifact) || read.get(artifact.id));
  const nearest = readingOrder(possible, nearestPlaces(searched)).find(isUnread);
  return (needsTrunk ? trunk.find(isUnread) : undefined) ?? nearest;
}

/** The states of branch runs: those of the base branch, then those of the default branch; in each, newest first. */
function trunkStates({ listed, branchRunName, context: { baseBranch, defaultBranch } }: SearchedArtifacts) {
  const ofBranchRuns = listed.filter(({ isOwn, name }) => isOwn && name === branchRunName);
  const branches = [baseBranch, defaultBranch].filter((branch) => branch !== undefined);
  return branches.flatMap((branch) => ofBranchRuns.filter((artifact) => artifact.branch === branch));
}

/**
 * The artifacts of this repository, of this run, and of the head branch of the pull request that is checked or was
 * merged: GitHub lists runs of `pull_request_target` under the fork. Other artifacts of forks are never downloaded.
 */
function candidates({ listed, merged, context: { runId, branch, pullRequest } }: SearchedArtifacts) {
  const heads = [...(pullRequest ? [{ ...pullRequest, branch }] : []), ...(merged ? [merged] : [])];
  return listed.flatMap((artifact) => {
    const { isOwn, headRepositoryId, branch: headRef } = artifact;
    if (isOwn) return artifact;
    if (artifact.runId === runId) return { ...artifact, branch };
    const head = heads.find((each) => each.headRepositoryId === headRepositoryId && each.headRef === headRef);
    return head ? { ...artifact, branch: head.branch } : [];
  });
}

/** The commits and branches whose states are preferred, nearest first. States of other branches come last. */
function nearestPlaces({ context, merged }: SearchedArtifacts): readonly string[] {
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
function readingOrder(artifacts: readonly Artifact[], places: readonly string[]): readonly Artifact[] {
  // Of a run, only the last artifact of each name counts. Two jobs of a run may have saved under different names.
  const saved = firstOfEach(artifacts, ({ runId, name }) => `${runId} ${name}`);
  const byPlace = Map.groupBy(saved, (artifact) => distance(artifact, places));
  const groups = [...byPlace].toSorted(([a], [b]) => a - b).map(([, group]) => group);
  return ROUNDS.flatMap((round) => groups.flatMap((group) => group[round] ?? []));
}

/** Limits the search for the baseline. The last artifacts may come from cancelled runs, which are no baselines. */
const MAX_BASELINES = 10;

/** The artifact to read next in search of the baseline. Undefined if it is found or not needed, or none is left. */
export function nextBaseline(searched: SearchedArtifacts): Artifact | undefined {
  const { listed, read, base } = searched;
  if (base.branch === undefined || read.size >= MAX_BASELINES) return undefined;
  if (chooseBaseline(foundStates(searched), base)) return undefined;
  // Sorted by run id: a later run has checked a later commit, even if it ended earlier.
  const newest = listed.filter(({ isOwn }) => isOwn).toSorted((a, b) => Number(b.runId) - Number(a.runId));
  const places = ['commit', 'branch'] as const;
  return places
    .flatMap((place) => newest.filter((artifact) => artifact[place] === base[place]))
    .find(({ id }) => !read.has(id));
}

/**
 * The state of the base commit, otherwise of the newest run of the base branch, even if an older run has ended later.
 * Only a state that a branch run saved at its end counts, whatever the name of its artifact is.
 */
export function chooseBaseline(states: readonly SavedState[], { commit, branch }: Base): SavedState | undefined {
  const newest = states
    .filter(({ binding }) => binding.kind === 'state' && isOfBranchRun(binding))
    .toSorted(({ binding: a }, { binding: b }) => Number(b.runId) - Number(a.runId) || b.runAttempt - a.runAttempt);
  return (
    newest.find(({ binding }) => binding.commit === commit) ?? newest.find(({ binding }) => binding.branch === branch)
  );
}
