import { GateError, rerun, type Step, workflowOwner } from '../causes/cause.ts';
import type { Pull } from '../github/api.ts';
import type { Artifact } from '../github/artifacts.ts';
import { GitHubError } from '../github/connect.ts';
import type { RunContext } from '../github/context.ts';
import { findMerged } from '../github/pull-request.ts';
import type { Inputs } from '../inputs/parse.ts';
import { concurrently } from '../lib/async.ts';
import { formatList, plural } from '../lib/format.ts';
import { type Base, isBaseline, newestRunFirst } from './baseline.ts';
import { artifactName, endSlot, isOfBranchRun, SLOTS, type Slot } from './gate-id.ts';
import { type EarlierState, joinStates } from './merge.ts';
import { type Binding, type SavedState, StateProblem } from './seal.ts';
import { MAX_PAGES, readArtifact, type StateOptions } from './state-artifact.ts';

/** States of at most this many runs are read. */
const MAX_STATES = 12;
/** At most this many artifacts are read: a stranger can upload any number of them under the names of a gate. */
const MAX_ARCHIVES = 20;

/** Why a file that an earlier run has paid for may be billed again. It is reported only if the run sends a file. */
interface Gap {
  readonly level: 'warning' | 'info';
  readonly text: string;
}

/** The usable states, nearest first, and why others may be missing. */
export interface FoundStates {
  readonly states: readonly SavedState[];
  /** Whether another call may find more states. */
  readonly hasMore: boolean;
  /** Which states could not be found or used, why, and what to do. */
  readonly notices: readonly string[];
  readonly gaps: readonly Gap[];
}

export const NO_STATES: FoundStates = { states: [], hasMore: false, notices: [], gaps: [] };

/** Begins a search. Each call reads on until there are enough states, or none is left. */
export function openSearch(options: StateOptions) {
  const { context, canReuse } = options;
  const record: SearchRecord = { context, nextPages: new Map(), listed: new Map(), read: new Map(), notices: [] };
  const steps = search(record, options);
  return async (isEnough: (found: EarlierState) => boolean): Promise<FoundStates> => {
    let hasMore = true;
    try {
      do hasMore = !(await steps.next()).done;
      while (hasMore && !isEnough(joinStates(foundStates(record).map(({ document }) => document))));
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      if (canReuse) throw searchFailed(error, options.inputs);
      record.notices.push(`The state of earlier runs could not all be read. ${error.notice}`);
      hasMore = false;
    }
    if (canReuse) assertNotHidden(record);
    const notices = [...record.notices, ...describeProblems(record)];
    return { states: foundStates(record), hasMore, notices, gaps: describeGaps(record) };
  };
}

/** Everything that a search for states has seen so far. It only grows. */
interface SearchRecord extends Listing {
  /** The next page of each list that was begun. Undefined if the list was read to its end. */
  readonly nextPages: Map<Slot, number | undefined>;
  /** What the artifacts that were read hold, by artifact id. */
  readonly read: Map<number, SavedState | StateProblem>;
  /** About requests that failed, if the search went on without a response. */
  readonly notices: string[];
}

/**
 * The search for states, in the order of docs/state.md. It pauses at each `yield`, and goes on only if a file would be
 * sent or has failed.
 */
async function* search(record: SearchRecord, options: StateOptions): AsyncGenerator<void> {
  const { nextPages } = record;
  const { api, base, binding, context, inputs } = options;
  const listPage = async (slot: Slot, page: number): Promise<void> => {
    const { items, isCut } = await api.artifacts(artifactName(inputs.name, slot, binding), page);
    nextPages.set(slot, isCut ? page + 1 : undefined);
    for (const artifact of items) record.listed.set(artifact.id, artifact);
  };
  /** Reads the first page of each list, then further pages until `isListed`. No page is read twice. */
  const list = async (slots: readonly Slot[], isListed: (record: SearchRecord) => boolean): Promise<void> => {
    for (const slot of slots) if (!nextPages.has(slot)) await listPage(slot, 1);
    for (const slot of slots)
      for (let page = nextPages.get(slot); page !== undefined && page <= MAX_PAGES; page = nextPages.get(slot)) {
        if (isListed(record)) return;
        await listPage(slot, page);
      }
  };
  const readOne = async (artifact: Artifact) => [artifact.id, await readArtifact(artifact, options)] as const;
  const read = async (artifacts: readonly Artifact[]): Promise<void> => {
    for (const [id, found] of await concurrently(artifacts, artifacts.length, readOne)) record.read.set(id, found);
  };

  // 1. The nearest state. It is enough if no file is new.
  const own = endSlot(binding);
  await list([own], isOfBranchRun(binding) ? isBranchListed : () => true);
  await read(nextToRead(record, 1));

  // 2. The baseline. If it decides, in any slot: a re-run, whose own slot is taken, has used another one.
  if (base?.branch !== undefined) {
    await list(base.isDecisive ? SLOTS : [own], () => baselineOrder(ownArtifacts(record), base).length > 0);
    for (let next = nextForBaseline(record, base); next; next = nextForBaseline(record, base)) await read([next]);
  }
  yield;

  // 3. The branch that most likely knows the files, if it is not listed yet: that of a merged pull request, or this one.
  const merged = await findMerged(context, api).catch((error: unknown) => {
    if (!(error instanceof GitHubError) || error.trouble === 'outage') throw error;
    record.notices.push(`${error.notice} Until then, files of merged pull requests may be sent and billed again.`);
    return undefined;
  });
  record.merged = merged;
  const slot = merged ? 'pull' : own;
  if (!isBranchListed(record)) {
    await list([slot], isBranchListed);
    await read(nextToRead(record, 1));
    yield;
  }

  // 4. All other states.
  await list([slot, ...SLOTS], isListedFarEnough);
  for (let count = 2; ; count = 4) {
    const next = nextToRead(record, count);
    if (next.length === 0) return;
    await read(next);
    yield;
  }
}

/** Whether the merged branch is listed, or without one this branch: a run of it that is no newer than this run. */
function isBranchListed(record: SearchRecord): boolean {
  const { merged, context } = record;
  const branch = merged?.branch ?? context.branch;
  return ownArtifacts(record).some((each) => each.branch === branch && Number(each.runId) <= Number(context.runId));
}

/** Whether the merged branch, else this one, is listed, and as many artifacts as may be read, without those of forks. */
function isListedFarEnough(record: SearchRecord): boolean {
  const own = [...record.listed.values()].filter(({ isOwn }) => isOwn);
  return isBranchListed(record) && own.length >= MAX_ARCHIVES;
}

/** The next artifacts to read, at most `count`. None are left if all were read, or if the budget is used up. */
function nextToRead(record: SearchRecord, count: number): readonly Artifact[] {
  return unreadIn(record).slice(0, Math.min(count, budgetOf(record)));
}

/** The next artifact to read in search of the baseline. Undefined if it is found, or if the budget is used up. */
function nextForBaseline(record: SearchRecord, base: Base): Artifact | undefined {
  const best = baselineOrder(ownArtifacts(record), base).find(({ id }) => {
    const found = record.read.get(id);
    return !found || (!(found instanceof StateProblem) && isBaseline(found, base));
  });
  return best && !record.read.has(best.id) && budgetOf(record) > 0 ? best : undefined;
}

/** How many more artifacts may be read. A run counts once, even if several of its states were read for the baseline. */
function budgetOf(record: SearchRecord): number {
  const runs = new Set(foundStates(record).map(({ binding }) => binding.runId));
  return Math.max(0, Math.min(MAX_STATES - runs.size, MAX_ARCHIVES - record.read.size));
}

/**
 * The artifacts that were not read, in the order of reading. One that was read and cannot be used takes up no place:
 * what its run saved before takes its turn.
 */
function unreadIn(record: SearchRecord): readonly Artifact[] {
  const possible = ownArtifacts(record).filter(({ id }) => !(record.read.get(id) instanceof StateProblem));
  return readingOrder(possible, placesOf(record)).filter(({ id }) => !record.read.has(id));
}

/** The states that can be used, nearest first. */
function foundStates(record: SearchRecord): readonly SavedState[] {
  const states = [...record.read.values()].flatMap((found) => (found instanceof StateProblem ? [] : found));
  return nearestFirst(states, placesOf(record));
}

/** Why states cannot be used, and what to do; each reason once. Those that are missing are described as gaps. */
function describeProblems({ read }: SearchRecord): readonly string[] {
  const problems = [...read.values()].filter((found) => found instanceof StateProblem);
  const present = problems.filter(({ kind }) => kind !== 'missing');
  return [...new Map(present.map(({ kind, notice }) => [kind, notice])).values()];
}

function describeGaps(record: SearchRecord): readonly Gap[] {
  const listed = [...record.listed.values()].toSorted(lastSavedFirst);
  const found = listed.flatMap(({ id }) => record.read.get(id) ?? []);
  const isAnyUsable = foundStates(record).length > 0;
  const expired = isAnyUsable ? undefined : listed.find(({ isOwn, isExpired }) => isOwn && isExpired);
  const missing =
    found.find((each) => each instanceof StateProblem && each.kind === 'missing') ??
    (expired && new StateProblem('missing', expired));
  // A state of another key matters if no state that can be used was saved later.
  const last = found.find((each) => !(each instanceof StateProblem) || each.kind === 'other-key');
  const problems = [missing, last].filter((each) => each instanceof StateProblem);
  const warnings = [...problems.map(({ notice }) => notice), ...describeUsedUpLimits(record)];
  const unread = unreadIn(record).length;
  const left = `${plural(unread, 'saved state')} left unread: a run reads the states of at most ${MAX_STATES} runs, from at most ${MAX_ARCHIVES} archives. A file that only these states know is billed again.`;
  return [
    ...warnings.map((text) => ({ level: 'warning' as const, text })),
    ...(unread > 0 ? [{ level: 'info' as const, text: left }] : []),
  ];
}

/** One text, if artifacts that cannot be used, or those of forks, have used up what a run may read or list. */
function describeUsedUpLimits(record: SearchRecord): readonly string[] {
  const listed = [...record.listed.values()].toSorted(lastSavedFirst);
  const isUsedUp = record.read.size >= MAX_ARCHIVES && foundStates(record).length < MAX_STATES;
  const unusable = isUsedUp ? listed.filter(({ id }) => record.read.get(id) instanceof StateProblem) : [];
  const ofForks = isCut(record) ? listed.filter(({ isOwn }) => !isOwn) : [];
  const others = [...unusable, ...(ofForks.length > listed.length / 2 ? ofForks : [])];
  if (others.length === 0) return [];
  const runs = formatList([...new Set(others.map(({ runId }) => runId))]);
  return [
    `A run reads at most ${MAX_ARCHIVES} archives, and lists at most ${MAX_PAGES} pages of a name. The artifacts of the runs ${runs} have used that up. They are of forks, or no states of this gate, so files that were analysed before may be sent and billed again. Delete them, or change \`name\`.`,
  ];
}

/** Whether a list has more pages than may be read. */
function isCut({ nextPages }: SearchRecord): boolean {
  return [...nextPages.values()].some((page = 0) => page > MAX_PAGES);
}

/** Throws if artifacts of forks may hide every state, because none of our own is listed. */
function assertNotHidden(record: SearchRecord): void {
  const listed = [...record.listed.values()];
  if (!isCut(record) || listed.some(({ isOwn }) => isOwn) || foundStates(record).length > 0) return;
  const names = [...new Set(listed.map(({ name }) => `\`${name}\``))].join(', ');
  const problem = `${MAX_PAGES} pages of artifacts with a name of this gate were listed, and none is of this repository.`;
  const fix = `Delete the artifacts called ${names} that runs of forks have uploaded, or change \`name\`: under a new name, every file is sent and billed once.`;
  throw nothingSent(problem, workflowOwner(fix));
}

/** The last resort if an artifact stays unavailable: without it, every run would end in an error. */
const DELETE_ARTIFACT =
  'If an artifact cannot be read for good, delete it: what only its state knows is sent and billed again.';

function searchFailed(error: GitHubError, { comment }: Pick<Inputs, 'comment'>): GateError {
  const pulls = comment === 'never' ? 'read' : 'write';
  const grant = `Give the job \`permissions: { contents: read, actions: read, pull-requests: ${pulls} }\`, or set \`reuse-days: 0\` to send and pay for every file in every run. Then commit and push: a re-run alone is not enough.`;
  const step = error.trouble === 'outage' ? rerun(`${error.fix} ${DELETE_ARTIFACT}`) : workflowOwner(grant);
  return nothingSent(error.message, step, error);
}

/** Without the states it is unknown which files are paid for already, so the run ends before it sends a file. */
function nothingSent(problem: string, step: Step, cause?: unknown): GateError {
  const message = `The results of earlier runs could not be read, so it is unknown which files have to be sent. ${problem} Nothing was sent and nothing was billed.`;
  return new GateError({ reason: 'github', message, steps: [step] }, { cause });
}

/** What GitHub lists, and what decides which of it is near. The lists only preselect; the signature decides. */
interface Listing {
  readonly context: RunContext;
  /** The entries of the pages that were read, by artifact id: a page may repeat entries of the page before. */
  readonly listed: Map<number, Artifact>;
  /** The pull request that a push has merged, or the last one of a merge group. */
  merged?: Pull | undefined;
}

/** The places of a run: commits and branches whose states most likely know its files, nearest first. */
function placesOf({ context, merged }: Listing): readonly string[] {
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
function nearestFirst(states: readonly SavedState[], places: readonly string[]): readonly SavedState[] {
  return states.toSorted(
    ({ binding: a }, { binding: b }) => placeOf(a, places) - placeOf(b, places) || newestRunFirst(a, b),
  );
}

/**
 * The artifacts that may hold a state of this gate, last saved first: those of this repository, of this run, and of the
 * head branch of the pull request that is checked or was merged. GitHub lists runs of `pull_request_target` under the
 * fork. Other artifacts of forks are never downloaded.
 */
function ownArtifacts({ listed, merged, context }: Listing): readonly Artifact[] {
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

function lastSavedFirst(a: Artifact, b: Artifact): number {
  return b.id - a.id;
}

/** Of each run, what it saved last; after all of these, what runs saved before. @param artifacts last saved first */
function readingOrder(artifacts: readonly Artifact[], places: readonly string[]): readonly Artifact[] {
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
function baselineOrder(artifacts: readonly Artifact[], base: Base): readonly Artifact[] {
  const { run } = base;
  const newest = artifacts
    .filter(({ isOwn, runId }) => isOwn && (!run || Number(runId) <= Number(run.runId)))
    .toSorted(newestRunFirst);
  const places = (['commit', 'branch'] as const).filter((place) => base[place] !== undefined);
  return places.flatMap((place) => newest.filter((artifact) => artifact[place] === base[place]));
}
