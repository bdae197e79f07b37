import { GateError, rerun, type Step, workflowOwner } from '../causes/cause.ts';
import type { GitHubApi, PullRequest } from '../github/api.ts';
import type { Artifact, ArtifactId } from '../github/artifacts.ts';
import { GitHubError } from '../github/connect.ts';
import type { RunContext } from '../github/context.ts';
import { findMerged } from '../github/pull-request.ts';
import type { Runner } from '../github/runner.ts';
import type { Inputs } from '../inputs/parse.ts';
import { concurrently } from '../lib/async.ts';
import { type Base, isBaseline, isOfBase } from './baseline.ts';
import { artifactNames, gateInName } from './gate-id.ts';
import { firstOfEach } from './merge.ts';
import { isUsable, type SavedState, type SealOptions, type StateProblem, stateIn, unseal } from './seal.ts';

/** At most this many archives are read, without those that are read in search of a baseline. */
const MAX_ARCHIVES = 16;
/** At most this many of them are of this gate, and at most as many are read in search of a baseline. */
const MAX_OWN_ARCHIVES = 12;
/** At most this many pages are listed of each name, and of all artifacts of the repository. */
const MAX_PAGES = 10;
const MAX_PAGES_OF_ALL = 5;
/** Pages are listed until states of this many runs are found, and one of the merged branch, otherwise of this one. */
const ENOUGH_LISTED = 20;

/** The usable states, nearest first, and why others may be missing. */
export interface FoundStates {
  readonly states: readonly SavedState[];
  readonly baseline: SavedState | undefined;
  /** Which states could not be found or used, why, and what to do. */
  readonly notices: readonly string[];
  /** How many states were left unread. */
  readonly unread: number;
}

export const NO_STATES: FoundStates = { states: [], baseline: undefined, notices: [], unread: 0 };

/** What is needed to find the states of earlier runs, and to save that of this run. */
export interface StateOptions extends SealOptions {
  readonly inputs: Pick<Inputs, 'name' | 'reuseDays' | 'dryRun'>;
  readonly context: RunContext;
  readonly runner: Runner;
  readonly api: Pick<GitHubApi, 'artifacts' | 'artifactArchive' | 'pullRequest' | 'pullRequestsOf'>;
  /** Undefined if the run needs no baseline. */
  readonly base: Base | undefined;
}

type Read = SavedState | StateProblem | undefined;

/** The state in an artifact, or why it cannot be used. Undefined if the artifact was deleted. */
export async function readArtifact(artifact: ArtifactId, options: StateOptions): Promise<Read> {
  const { name, runId } = artifact;
  const archive = await options.api.artifactArchive(artifact);
  return archive && unseal(stateIn(archive), { where: `the artifact ${name} of run ${runId}`, runId }, options);
}

/**
 * Finds states in the order of docs/state.md, in two rounds: `nearest` reads what most runs need, and `rest` what may
 * know a file that would be sent otherwise.
 */
export function openSearch(options: StateOptions) {
  const { api, base, binding, context, inputs } = options;
  /** If false, the search goes on after a failed request: `reuse-days: 0` needs no analysis, and a dry run sends nothing. */
  const canReuse = inputs.reuseDays > 0 && !inputs.dryRun;
  const names = artifactNames(inputs.name, binding);
  const isOwnGate = ({ name }: Artifact): boolean => names.all.includes(name);
  /** By id, because a page may repeat entries of the page before. */
  const listed = new Map<number, Artifact>();
  /** The next page of each list, by name. Undefined if the list was read to its end. */
  const nextPages = new Map<string | undefined, number | undefined>();
  const read = new Map<number, Read>();
  const foundIn = (artifacts: readonly Artifact[]) => artifacts.flatMap(({ id }) => read.get(id) ?? []);
  /** About requests that failed, if the search went on without a response. */
  const notices: string[] = [];
  /** The pull request that a push has merged, or the last one of a merge group. */
  let merged: PullRequest | undefined;
  let baseline: SavedState | undefined;
  /** How many archives the first round has read, without those for the baseline. */
  let spent = 0;
  const inOrder = (): readonly Artifact[] => nearestFirst([...listed.values()], { context, merged, isOwnGate });

  /** Lists the pages that were not listed before, at least the first, until it is enough. */
  const list = async (name: string | undefined, maxPages: number, isEnough = (): boolean => false): Promise<void> => {
    let page = nextPages.has(name) ? nextPages.get(name) : 1;
    while (page !== undefined && page <= maxPages && (page === 1 || !isEnough())) {
      const { items, isCut } = await api.artifacts(name, page);
      for (const artifact of items) if (gateInName(artifact.name) !== undefined) listed.set(artifact.id, artifact);
      page = isCut ? page + 1 : undefined;
      nextPages.set(name, page);
    }
  };

  const download = async (artifacts: readonly Artifact[]): Promise<void> => {
    const unread = artifacts.filter(({ id }) => !read.has(id));
    await concurrently(unread, MAX_ARCHIVES, async (artifact) => {
      read.set(artifact.id, await readArtifact(artifact, options));
    });
  };

  /** Reads the nearest state, and of this branch that of the newest run and the one that was saved last. */
  const readNearest = async (): Promise<void> => {
    await list(names.end, 1);
    const all = inOrder();
    const ofBranch = all.filter(({ branch }) => branch === context.branch);
    const nearest = new Set([...all.slice(0, 1), ...newestAndLast(ofBranch)]);
    spent = nearest.size;
    await download([...nearest]);
  };

  /** Reads the states of the base, newest run first, until one is a baseline: what was saved last may be of an older run. */
  const readBaseline = async (wanted: Base): Promise<void> => {
    const isAtCommit = ({ commit }: Artifact): number => Number(commit === wanted.commit);
    const candidates = (): readonly Artifact[] =>
      [...listed.values()]
        .filter(({ name, isOfRepository, isExpired }) => name === names.state && isOfRepository && !isExpired)
        .filter((artifact) => isOfBase(artifact, wanted))
        .toSorted((a, b) => isAtCommit(b) - isAtCommit(a) || newestRunFirst(a, b));
    await list(names.state, MAX_PAGES, () => candidates().length > 0);
    for (const artifact of candidates().slice(0, MAX_OWN_ARCHIVES)) {
      await download([artifact]);
      const found = read.get(artifact.id);
      if (!isUsable(found) || !isBaseline(found, wanted)) continue;
      baseline = found;
      return;
    }
  };

  const readRest = async (): Promise<void> => {
    try {
      merged = await findMerged(context, api);
    } catch (error) {
      if (!(error instanceof GitHubError) || error.trouble === 'outage') throw error;
      notices.push(`${error.notice} Until then, files of merged pull requests may be sent and billed again.`);
    }
    const branch = merged?.branch ?? context.branch;
    const isListedFarEnough = (): boolean => {
      const own = inOrder().filter(isOwnGate);
      return own.length >= ENOUGH_LISTED && own.some((artifact) => artifact.branch === branch);
    };
    for (const name of names.all) await list(name, 1);
    for (const name of names.all) await list(name, MAX_PAGES, isListedFarEnough);
    assertNotHidden();
    await list(undefined, MAX_PAGES_OF_ALL);
    const unread = inOrder().filter(({ id }) => !read.has(id));
    const own = unread.filter(isOwnGate).slice(0, MAX_OWN_ARCHIVES - spent);
    const others = unread.filter((artifact) => !isOwnGate(artifact));
    await download([...own, ...others.slice(0, MAX_ARCHIVES - spent - own.length)]);
  };

  /** Artifacts of forks may hide every state, if all pages of a name hold none of this repository. */
  const assertNotHidden = (): void => {
    const shown = new Set([...listed.values()].flatMap(({ name, isOfRepository }) => (isOfRepository ? name : [])));
    const hidden = names.all.filter((name) => (nextPages.get(name) ?? 0) > MAX_PAGES && !shown.has(name));
    if (hidden.length === 0) return;
    const problem = `${MAX_PAGES} pages of artifacts called ${hidden.join(', ')} were listed, and none is of this repository.`;
    const fix = `Delete the artifacts called ${hidden.join(', ')} that runs of forks have uploaded, or change \`name\`.`;
    if (canReuse) throw nothingSent(problem, workflowOwner(fix));
    notices.push(`${problem} ${fix}`);
  };

  const play = async (round: () => Promise<void>): Promise<FoundStates> => {
    try {
      await round();
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      if (canReuse) throw searchFailed(error);
      notices.push(`The state of earlier runs could not all be read. ${error.notice}`);
    }
    const artifacts = inOrder();
    const problems = foundIn(artifacts.filter(isOwnGate)).flatMap((found) => (isUsable(found) ? [] : found));
    const reasons = firstOfEach(problems, ({ fix }) => fix).map(
      ({ message, fix }) => `${message}. Its files may be sent and billed again. ${fix}`,
    );
    return {
      states: foundIn(artifacts).filter(isUsable),
      baseline,
      notices: [...notices, ...reasons],
      unread: artifacts.filter(({ id }) => !read.has(id)).length,
    };
  };

  return {
    nearest: async (): Promise<FoundStates> =>
      await play(async () => {
        await readNearest();
        if (base) await readBaseline(base);
      }),
    rest: async (): Promise<FoundStates> => await play(readRest),
  };
}

function searchFailed(error: GitHubError): GateError {
  const isOutage = error.trouble === 'outage';
  return nothingSent(error.message, isOutage ? rerun(`${error.fix} ${DELETE_ARTIFACT}`) : workflowOwner(GRANT), error);
}

const GRANT =
  'Give the job the permissions `contents: read`, `actions: read` and `pull-requests: read`, or set `reuse-days: 0` to send and pay for every file in every run. Then commit and push: a re-run alone is not enough.';

/** The last resort if an artifact stays unavailable: without it, every run would end in an error. */
const DELETE_ARTIFACT =
  'If an artifact cannot be read for good, delete it: what only its state knows is sent and billed again.';

/** Without the states it is unknown which files are paid for already, so the run ends before it sends a file. */
function nothingSent(problem: string, step: Step, cause?: unknown): GateError {
  const message = `The results of earlier runs could not be read, so it is unknown which files have to be sent. ${problem} Nothing was sent and nothing was billed.`;
  return new GateError({ reason: 'github', message, steps: [step] }, { cause });
}

/** What decides which artifact is near. */
interface Places {
  readonly context: RunContext;
  readonly merged: PullRequest | undefined;
  readonly isOwnGate: (artifact: Artifact) => boolean;
}

/**
 * The artifacts that may hold a usable state, in the order of reading: those of this gate, then the nearest of each other
 * gate, then the others. Of each run and gate, only what was saved last.
 */
function nearestFirst(listed: readonly Artifact[], places: Places): readonly Artifact[] {
  const lastSavedFirst = readable(listed, places).toSorted((a, b) => b.id - a.id);
  const all = firstOfEach(lastSavedFirst, ({ runId, name }) => `${runId} ${gateInName(name)}`);
  const { own = [], other = [] } = Object.groupBy(all, (artifact) => (places.isOwnGate(artifact) ? 'own' : 'other'));
  const others = inTurns(other, places);
  const nearestOfEach = firstOfEach(others, ({ name }) => gateInName(name));
  return [...new Set([...inTurns(own, places), ...nearestOfEach, ...others])];
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
    if (artifact.isOfRepository) return artifact;
    const { headRepositoryId, branch: headRef } = artifact;
    const head = heads.find((each) => each.headRepositoryId === headRepositoryId && each.headRef === headRef);
    return head ? { ...artifact, branch: head.branch } : [];
  });
}

/** How many turns the named branches have before the first turn of any other branch. */
const HEAD_START = 2;

/** An earlier attempt of this run; then each branch has one turn after the other. @param artifacts last saved first */
function inTurns(artifacts: readonly Artifact[], { context, merged }: Places): readonly Artifact[] {
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
  const ordered = turns.toSorted((a, b) => a.turn - b.turn).map(({ artifact }) => artifact);
  return [...new Set([...attempts, ...ordered])];
}

/** What the newest run of a branch saved, then what was saved last there, then the rest by run. */
function inBranch(artifacts: readonly Artifact[]): readonly Artifact[] {
  return [...new Set([...newestAndLast(artifacts), ...artifacts.toSorted(newestRunFirst)])];
}

/** What the newest run saved, and what was saved last: by that run, or by a re-run of an older one. */
function newestAndLast(artifacts: readonly Artifact[]): readonly Artifact[] {
  const [newest] = artifacts.toSorted(newestRunFirst);
  const [last] = artifacts.toSorted((a, b) => b.id - a.id);
  return [newest, last].filter((each) => each !== undefined);
}

function newestRunFirst(a: Artifact, b: Artifact): number {
  return Number(b.runId) - Number(a.runId) || b.id - a.id;
}
