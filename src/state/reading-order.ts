import type { Pull } from '../github/api.ts';
import type { Artifact } from '../github/artifacts.ts';
import type { RunContext } from '../github/context.ts';
import { gateInName } from './gate-id.ts';

/** What decides which artifact is near. */
interface Places {
  readonly context: RunContext;
  /** The pull request that a push has merged, or the last one of a merge group. */
  readonly merged: Pull | undefined;
  readonly isOwnGate: (artifact: Artifact) => boolean;
}

function gateOf({ name }: Artifact): string {
  return gateInName(name) ?? name;
}

/**
 * The artifacts that may hold a usable state, in the order of reading: those of this gate, then the nearest of each other
 * gate, then the others. Of each run and gate, only what was saved last.
 */
export function nearestFirst(listed: readonly Artifact[], places: Places): readonly Artifact[] {
  const lastSavedFirst = readable(listed, places).toSorted((a, b) => b.id - a.id);
  const lastOfEach = Map.groupBy(lastSavedFirst, (artifact) => `${artifact.runId} ${gateOf(artifact)}`);
  const all = [...lastOfEach.values()].flatMap((group) => group.slice(0, 1));
  const own = inOrder(all.filter(places.isOwnGate), places);
  const others = inOrder(
    all.filter((artifact) => !places.isOwnGate(artifact)),
    places,
  );
  const nearestOfEach = [...Map.groupBy(others, gateOf).values()].flatMap((group) => group.slice(0, 1));
  return [...new Set([...own, ...nearestOfEach, ...others])];
}

/**
 * The artifacts of this repository, of this run, and of the fork whose pull request is checked or was merged, each with
 * the branch that it is of. Other artifacts of forks are never downloaded.
 */
function readable(listed: readonly Artifact[], { context, merged }: Places): readonly Artifact[] {
  const { runId, branch, pullRequest } = context;
  const heads = [...(pullRequest ? [{ ...pullRequest, branch }] : []), ...(merged ? [merged] : [])];
  return listed.flatMap((artifact) => {
    if (artifact.isExpired) return [];
    if (artifact.runId === runId) return { ...artifact, branch };
    if (artifact.isOwn) return artifact;
    const { headRepositoryId, branch: headRef } = artifact;
    const head = heads.find((each) => each.headRepositoryId === headRepositoryId && each.headRef === headRef);
    return head ? { ...artifact, branch: head.branch } : [];
  });
}

/** How many turns the named branches have before the first turn of any other branch. */
const HEAD_START = 2;

/** An earlier attempt of this run; then each branch has one turn after the other. @param artifacts last saved first */
function inOrder(artifacts: readonly Artifact[], { context, merged }: Places): readonly Artifact[] {
  const { runId, branch, baseBranch, defaultBranch } = context;
  const attempts = artifacts.filter((artifact) => artifact.runId === runId);
  const named = new Set([branch, merged?.branch, baseBranch, defaultBranch].filter((each) => each !== undefined));
  // A map keeps the order of insertion, so of the other branches the one that saved last comes first.
  const byBranch = Map.groupBy(artifacts, (artifact) => artifact.branch ?? '');
  const others = [...byBranch.keys()].filter((each) => !named.has(each));
  const turns = [...others, ...named].flatMap((each) => {
    const firstTurn = named.has(each) ? 0 : HEAD_START;
    return inBranch(byBranch.get(each) ?? []).map((artifact, index) => ({ artifact, turn: firstTurn + index }));
  });
  const inTurns = turns.toSorted((a, b) => a.turn - b.turn).map(({ artifact }) => artifact);
  return [...new Set([...attempts, ...inTurns])];
}

/** What the newest run of a branch saved, then what was saved last there (a re-run of an older run), then the rest by run. */
function inBranch(lastSavedFirst: readonly Artifact[]): readonly Artifact[] {
  const newestRunFirst = lastSavedFirst.toSorted((a, b) => Number(b.runId) - Number(a.runId));
  return [...new Set([...newestRunFirst.slice(0, 1), ...lastSavedFirst.slice(0, 1), ...newestRunFirst])];
}
