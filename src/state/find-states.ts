import { EarlierState } from './earlier-state.ts';
import { findMergedBranch, isMergeGroup, type UsefulScopes, usefulScopes } from './scopes.ts';
import type { Binding, SavedState } from './seal.ts';
import {
  type Candidate,
  type FinderOptions,
  listArtifacts,
  Notices,
  queryFor,
  readArtifact,
  type Slot,
} from './state-artifacts.ts';
import type { LoadedStates, StateNeeds } from './store.ts';

const FIRST_RUN =
  'This is the first run of this gate here, so all files are sent. Later runs send only new and changed files.';

/**
 * Finds what earlier runs left in artifacts. It asks in three rounds, nearest first, and stops as soon as everything that
 * the run checks is known: most runs need two requests.
 */
export async function findStates(options: FinderOptions, needs: StateNeeds): Promise<LoadedStates> {
  const { context, api } = options;
  const search = new StateSearch(options, needs);
  const findMerged = async (): Promise<string | undefined> =>
    await search.notices.guard(async () => await findMergedBranch(context, api));
  // Only a merge group has to know its pull request before it knows its scope.
  let scopes = usefulScopes(context, isMergeGroup(context) ? await findMerged() : undefined);
  const found = (): readonly SavedState[] => search.states.toSorted(byNearness(scopes));
  const isEnough = (): boolean => needs.isEnough(new EarlierState(found().map(({ document }) => document)));

  await search.look(firstRound(scopes, needs));
  if (!isEnough()) {
    if (needs.canReuse && !isMergeGroup(context)) scopes = usefulScopes(context, await findMerged());
    await search.look(secondRound(scopes, needs));
  }
  if (needs.canReuse && !isEnough()) await search.look(lastRound(scopes, search.hasListed(scopes.related)));

  const states = found();
  const notices = search.notices.all;
  const isFirst = states.length === 0 && notices.length === 0;
  return {
    states,
    isFromFile: false,
    isLost: states.length === 0 && !isFirst,
    notices: isFirst ? [FIRST_RUN] : notices,
    scopes: scopes.saved,
  };
}

const STATE: readonly Slot[] = ['state', 'state-2'];
const FIRST_NAMES: readonly Slot[] = ['state', 'open'];
const ALL: readonly Slot[] = ['state', 'state-2', 'open', 'open-2'];

/** What to ask for in a scope; nothing if there is no such scope. */
type Wanted = readonly [scope: string | undefined, slots: readonly Slot[]];

function firstRound({ own, groupBase, base }: UsefulScopes, { hasBaseline }: StateNeeds): readonly Wanted[] {
  return [
    [own, ['state']],
    [groupBase, ['state']],
    [hasBaseline ? base : undefined, STATE],
  ];
}

function secondRound({ own, groupBase, base, related }: UsefulScopes, { canReuse }: StateNeeds): readonly Wanted[] {
  if (!canReuse) return [[own, ALL]];
  return [
    [own, ALL],
    [groupBase, ALL],
    [base, ['state']],
    [related, FIRST_NAMES],
  ];
}

function lastRound(scopes: UsefulScopes, hasRelated: boolean): readonly Wanted[] {
  return [
    [scopes.base, STATE],
    [scopes.related, ALL],
    [hasRelated ? undefined : scopes.relatedFallback, FIRST_NAMES],
    [scopes.default, STATE],
  ];
}

/** A bound on the downloads if somebody fills a branch with copied or damaged states. */
const MAX_READ_PASSES = 3;

/** Asks for no name twice, and reads no artifact twice. */
class StateSearch {
  readonly notices: Notices;
  readonly #options: FinderOptions;
  /** A run of this commit has what this run is compared with. */
  readonly #baseCommit: string | undefined;
  readonly #listed = new Map<string, readonly Candidate[]>();
  readonly #read = new Map<number, SavedState | undefined>();

  constructor(options: FinderOptions, { canReuse, hasBaseline }: StateNeeds) {
    this.notices = new Notices(canReuse);
    this.#options = options;
    this.#baseCommit = hasBaseline ? options.context.baseCommit : undefined;
  }

  async look(wanted: readonly Wanted[]): Promise<void> {
    const options = this.#options;
    const queries = wanted.flatMap(([scope, slots]) =>
      scope === undefined ? [] : slots.map((slot) => queryFor(scope, slot, options)),
    );
    const unasked = new Map(queries.filter(({ name }) => !this.#listed.has(name)).map((query) => [query.name, query]));
    const lists = await Promise.all(unasked.values().map((query) => listArtifacts(query, options, this.notices)));
    for (const [index, name] of [...unasked.keys()].entries()) this.#listed.set(name, lists[index] ?? []);

    for (let pass = 0; pass < MAX_READ_PASSES; pass++) await this.#readChosen();
  }

  /** An artifact that could not be used counts no more, so the next pass chooses the one before it. */
  async #readChosen(): Promise<void> {
    const isUnusable = ({ artifact: { id } }: Candidate): boolean =>
      this.#read.has(id) && this.#read.get(id) === undefined;
    const usable = [...this.#listed.values()].flat().filter((candidate) => !isUnusable(candidate));
    const unread = chooseArtifacts(usable, this.#baseCommit).filter(({ artifact }) => !this.#read.has(artifact.id));
    const states = await Promise.all(unread.map((candidate) => readArtifact(candidate, this.#options, this.notices)));
    for (const [index, { artifact }] of unread.entries()) this.#read.set(artifact.id, states[index]);
  }

  hasListed(scope: string | undefined): boolean {
    return this.#listed.values().some((candidates) => candidates.some((candidate) => candidate.scope === scope));
  }

  get states(): readonly SavedState[] {
    const states = [...this.#read.values()].filter((state) => state !== undefined);
    const bindings = states.map(({ binding }) => binding);
    return states.filter(({ binding }) => !isSettled(binding, bindings));
  }
}

/**
 * The rule by which artifacts are read. Of each name, up to three runs matter, and often they are one: the newest, which has
 * checked the latest commit; the one that saved last, because it was re-run or took longer; and that of the base commit. Of
 * such a run, what it saved last.
 */
function chooseArtifacts(listed: readonly Candidate[], baseCommit: string | undefined): readonly Candidate[] {
  const chosen = [...Map.groupBy(listed, ({ name }) => name).values()].flatMap((group) => {
    const newestFirst = group.toSorted(byHistory);
    const runs = new Set([
      newestFirst[0]?.runId,
      newestFirst.reduce((last, each) => (each.savedAt > last.savedAt ? each : last)).runId,
      newestFirst.find(({ artifact }) => baseCommit !== undefined && artifact.headSha === baseCommit)?.runId,
    ]);
    const saves = Map.groupBy(newestFirst, ({ runId }) => runId);
    return [...saves.values()].flatMap(([last]) => (last && runs.has(last.runId) ? [last] : []));
  });
  return chosen.filter((candidate) => !isSettled(candidate, listed));
}

type Saved = Pick<Binding, 'kind' | 'scope' | 'runId' | 'savedAt'>;

/** An `open` state is not needed if the same run saved a `state` later: that lists what is still open. */
function isSettled({ kind, scope, runId, savedAt }: Saved, all: readonly Saved[]): boolean {
  const isLater = (other: Saved): boolean =>
    other.kind === 'state' && other.scope === scope && other.runId === runId && other.savedAt > savedAt;
  return kind === 'open' && all.some(isLater);
}

type Point = Pick<Binding, 'runId' | 'savedAt'> & Partial<Pick<Binding, 'runAttempt'>>;

/**
 * Newest first. A run that was started later has checked a later commit, however early it ended, and run ids rise with
 * time.
 */
export function byHistory(a: Point, b: Point): number {
  return (
    Number(b.runId) - Number(a.runId) || (b.runAttempt ?? 0) - (a.runAttempt ?? 0) || (a.savedAt < b.savedAt ? 1 : -1)
  );
}

function byNearness(scopes: UsefulScopes): (a: SavedState, b: SavedState) => number {
  const order = [scopes.own, scopes.groupBase, scopes.related, scopes.relatedFallback, scopes.base];
  const rank = ({ binding }: SavedState): number =>
    order.includes(binding.scope) ? order.indexOf(binding.scope) : order.length;
  return (a, b) => rank(a) - rank(b) || byHistory(a.binding, b.binding);
}
