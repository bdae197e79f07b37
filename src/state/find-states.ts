import type { GitHubApi } from '../github/api.ts';
import type { Artifact } from '../github/api-schemas.ts';
import type { RunContext } from '../github/context.ts';
import { GitHubError } from '../github/github-error.ts';
import { GateError } from '../lib/cause.ts';
import { failure, type Result } from '../lib/result.ts';
import { MAX_STATE_BYTES, stateIn } from './archive.ts';
import { EarlierState } from './earlier-state.ts';
import { artifactNames } from './gate-id.ts';
import { describeScope, findMergedBranch, isMergeGroup, type UsefulScopes, usefulScopes } from './scopes.ts';
import { type Binding, describeRefusal, type RefusalReason, type SavedState, type SigningKey, unseal } from './seal.ts';
import type { LoadedStates, StateKind, StateNeeds } from './store.ts';

export interface FinderOptions {
  readonly gateName: string;
  readonly binding: Omit<Binding, 'kind' | 'savedAt'>;
  readonly key: SigningKey;
  readonly context: RunContext;
  readonly api: Pick<GitHubApi, 'artifacts' | 'artifactArchive' | 'pullRequest' | 'pullRequestsOf'>;
}

/** One artifact name to ask for. */
interface Query {
  readonly scope: string;
  readonly kind: StateKind;
  readonly name: string;
}

/** A query, and an artifact that answers it. */
interface Candidate extends Query {
  readonly artifact: Artifact & { readonly runId: string };
}

/** What was found, and the scopes under which this run saves its state. */
export interface FoundStates extends LoadedStates {
  readonly scopes: readonly string[];
}

/**
 * Finds what earlier runs left in artifacts. It asks in three rounds, nearest first, and stops as soon as everything that
 * the run checks is known: most runs need two requests.
 */
export async function findStates(options: FinderOptions, needs: StateNeeds): Promise<FoundStates> {
  const { context, api } = options;
  const notices = new Notices(needs.canReuse);
  const findMerged = async (): Promise<string | undefined> =>
    await notices.guard(async () => await findMergedBranch(context, api));
  // Only a merge group has to know its pull request before it knows its scope.
  let scopes = usefulScopes(context, isMergeGroup(context) ? await findMerged() : undefined);
  const asked = new Set<string>();
  const listed: Candidate[] = [];
  const opened = new Map<number, SavedState | undefined>();

  const ask = async (queries: readonly Query[]): Promise<void> => {
    const fresh = [...new Map(queries.map((query) => [query.name, query])).values()].filter(
      ({ name }) => !asked.has(name),
    );
    for (const { name } of fresh) asked.add(name);
    const lists = await Promise.all(fresh.map(async (query) => await list(query, options, notices)));
    listed.push(...lists.flat());
  };
  const read = async (chosen: readonly Candidate[]): Promise<void> => {
    const fresh = chosen.filter(({ artifact }) => !opened.has(artifact.id));
    const states = await Promise.all(fresh.map(async (candidate) => await open(candidate, options, notices)));
    for (const [index, { artifact }] of fresh.entries()) opened.set(artifact.id, states[index]);
  };
  const found = (): readonly SavedState[] => {
    const states = [...opened.values()].filter((state) => state !== undefined);
    return withoutSettled(states).toSorted(byNearness(scopes));
  };
  const isEnough = (): boolean => needs.isEnough(new EarlierState(found().map(({ document }) => document)));

  const baseCommit = needs.hasBaseline ? context.baseCommit : undefined;
  await ask(firstQueries(scopes, options, needs));
  await read(newestOf(listed, baseCommit));
  if (!isEnough()) {
    if (needs.canReuse && !isMergeGroup(context)) scopes = usefulScopes(context, await findMerged());
    await ask(secondQueries(scopes, options, needs));
    await read([...newestOf(listed), ...savedLast(listed, scopes.own)]);
  }
  if (needs.canReuse && !isEnough()) {
    const hasRelated = listed.some(({ scope }) => scope === scopes.related);
    await ask(lastQueries(hasRelated ? { ...scopes, relatedFallback: undefined } : scopes, options));
    await read(newestOf(listed));
  }
  const states = found();
  const isLost = states.length === 0 && notices.all.length > 0;
  if (states.length === 0) notices.addIfNone(FIRST_RUN);
  const { own, copy } = scopes;
  return {
    states,
    isFromFile: false,
    isLost,
    notices: notices.all,
    scopes: copy === undefined ? [own] : [own, copy],
  };
}

/** A state that this very run has saved already: another gate with the same identity did. */
export interface OwnSave {
  readonly name: string;
  readonly artifactId: number;
  readonly state: SavedState | undefined;
}

export async function findOwnSaves(kind: StateKind, options: FinderOptions): Promise<readonly OwnSave[]> {
  const { scope, runId } = options.binding;
  const notices = new Notices(false);
  const queries = queriesFor(scope, ['both names', kind], options);
  const lists = await Promise.all(queries.map(async (query) => await list(query, options, notices)));
  const saved = lists.flatMap((candidates) =>
    candidates.filter(({ artifact }) => artifact.runId === runId).slice(0, 1),
  );
  return await Promise.all(
    saved.map(async (candidate) => ({
      name: candidate.name,
      artifactId: candidate.artifact.id,
      state: await open(candidate, options, notices),
    })),
  );
}

const FIRST_RUN =
  'This is the first run of this gate here, so all files are sent. Later runs send only new and changed files.';

type Names = 'first name' | 'both names';

/** All names of these kinds in a scope. */
function queriesFor(
  scope: string | undefined,
  [names, ...kinds]: readonly [Names, ...StateKind[]],
  { gateName, binding }: FinderOptions,
): readonly Query[] {
  if (scope === undefined) return [];
  return kinds.flatMap((kind) => {
    const [first, second] = artifactNames(gateName, { ...binding, kind, scope });
    return (names === 'first name' ? [first] : [first, second]).map((name) => ({ scope, kind, name }));
  });
}

function firstQueries(scopes: UsefulScopes, options: FinderOptions, { hasBaseline }: StateNeeds): readonly Query[] {
  return [
    ...queriesFor(scopes.isNew ? undefined : scopes.own, ['first name', 'state'], options),
    ...queriesFor(scopes.groupBase, ['first name', 'state'], options),
    ...queriesFor(hasBaseline ? scopes.base : undefined, ['both names', 'state'], options),
  ];
}

function secondQueries(scopes: UsefulScopes, options: FinderOptions, { canReuse }: StateNeeds): readonly Query[] {
  const own = queriesFor(scopes.isNew ? undefined : scopes.own, ['both names', 'state', 'open'], options);
  if (!canReuse) return own;
  return [
    ...own,
    ...queriesFor(scopes.groupBase, ['both names', 'state', 'open'], options),
    ...queriesFor(scopes.base, ['first name', 'state'], options),
    ...queriesFor(scopes.related, ['first name', 'state', 'open'], options),
  ];
}

function lastQueries(scopes: UsefulScopes, options: FinderOptions): readonly Query[] {
  return [
    ...queriesFor(scopes.base, ['both names', 'state'], options),
    ...queriesFor(scopes.related, ['both names', 'state', 'open'], options),
    ...queriesFor(scopes.relatedFallback, ['first name', 'state', 'open'], options),
    ...queriesFor(scopes.default, ['both names', 'state'], options),
  ];
}

/** Newest run first; of one run, what was saved last. */
async function list(query: Query, options: FinderOptions, notices: Notices): Promise<readonly Candidate[]> {
  const artifacts = (await notices.guard(async () => await options.api.artifacts(query.name))) ?? [];
  // What a fork's run left is not even downloaded, whatever it is called.
  const ours = artifacts.filter(({ isOwn }) => isOwn);
  const valid = ours.filter(({ isExpired }) => !isExpired);
  if (ours.length > 0 && valid.length === 0 && query.kind === 'state')
    notices.add(`The state ${describeScope(query.scope)} has expired: raise \`retention-days\` to keep it longer.`);
  return valid
    .flatMap(({ runId, ...rest }) =>
      runId === undefined ? [] : [{ ...query, artifact: { ...rest, runId } } satisfies Candidate],
    )
    .toSorted(byRun);
}

/** A run that was started later has checked a later commit, however early it ended. Run ids rise with time. */
function byRun({ artifact: a }: Candidate, { artifact: b }: Candidate): number {
  return Number(b.runId) - Number(a.runId) || (a.createdAt < b.createdAt ? 1 : -1);
}

/**
 * Of each scope and kind the newest run's, under either name.
 *
 * @param baseCommit a run of exactly this commit goes before newer ones
 */
function newestOf(candidates: readonly Candidate[], baseCommit?: string): readonly Candidate[] {
  const groups = Map.groupBy(candidates, ({ scope, kind }) => `${kind} ${scope}`);
  const newest = [...groups.values()].flatMap((group) => {
    const sorted = group.toSorted(byRun);
    const [chosen] = [...sorted.filter(({ artifact }) => artifact.headSha === baseCommit), ...sorted];
    const ofRun = sorted.filter(({ artifact }) => artifact.runId === chosen?.artifact.runId);
    // Of several attempts of one run, the last one under each name.
    return ofRun.filter(({ name }, at) => ofRun.findIndex((other) => other.name === name) === at);
  });
  return newest.filter((candidate) => !isSettled(candidate, candidates));
}

/** A run that was started earlier and ended later, or was re-run, knows what the newest one does not. */
function savedLast(candidates: readonly Candidate[], scope: string): readonly Candidate[] {
  return (['state', 'open'] as const).flatMap((kind) => {
    const group = candidates.filter((each) => each.scope === scope && each.kind === kind).toSorted(byRun);
    const others = group.filter(({ artifact }) => artifact.runId !== group[0]?.artifact.runId);
    const [last] = others.toSorted((a, b) => (a.artifact.createdAt < b.artifact.createdAt ? 1 : -1));
    return last && !isSettled(last, candidates) ? [last] : [];
  });
}

/** What a run left open is in its own later state, if it came to that. GitHub's times are whole seconds. */
function isSettled({ kind, scope, artifact }: Candidate, candidates: readonly Candidate[]): boolean {
  if (kind === 'state') return false;
  return candidates.some(
    (other) =>
      other.kind === 'state' &&
      other.scope === scope &&
      other.artifact.runId === artifact.runId &&
      other.artifact.createdAt > artifact.createdAt,
  );
}

/** The same, by the times inside the states. */
function withoutSettled(states: readonly SavedState[]): readonly SavedState[] {
  return states.filter(
    ({ binding: { kind, scope, runId, savedAt } }) =>
      kind === 'state' ||
      !states.some(
        ({ binding: other }) =>
          other.kind === 'state' && other.scope === scope && other.runId === runId && other.savedAt >= savedAt,
      ),
  );
}

/** Undefined if it cannot be used. */
async function open(candidate: Candidate, options: FinderOptions, notices: Notices): Promise<SavedState | undefined> {
  const state = await notices.guard(async () => await download(candidate, options));
  if (state === undefined) return undefined;
  if (state.ok) return state.value;
  const { scope, artifact } = candidate;
  const place = `${describeScope(scope)} (artifact ${artifact.name} of run ${artifact.runId})`;
  notices.add(describeRefusal(state.error, place));
  return undefined;
}

async function download(
  { artifact, scope, kind }: Candidate,
  { api, binding, key }: FinderOptions,
): Promise<Result<SavedState, RefusalReason>> {
  if (artifact.size > MAX_STATE_BYTES) return failure('unreadable');
  const bytes = stateIn(await api.artifactArchive(artifact.id));
  const { repositoryId, gate, mode } = binding;
  const expected = { repositoryId, gate, mode, scope, kind, runId: artifact.runId };
  return bytes ? unseal(bytes, expected, key) : failure('unreadable');
}

function byNearness(scopes: UsefulScopes): (a: SavedState, b: SavedState) => number {
  const order = [scopes.own, scopes.groupBase, scopes.related, scopes.relatedFallback, scopes.base];
  const rank = ({ binding }: SavedState): number =>
    order.includes(binding.scope) ? order.indexOf(binding.scope) : order.length;
  return (a, b) => rank(a) - rank(b) || byHistory(a, b);
}

/** Latest first: by run and attempt; of one attempt by time. */
export function byHistory({ binding: a }: SavedState, { binding: b }: SavedState): number {
  return Number(b.runId) - Number(a.runId) || b.runAttempt - a.runAttempt || (a.savedAt < b.savedAt ? 1 : -1);
}

/** What was not found, and why; each reason once. */
class Notices {
  readonly #all = new Set<string>();
  readonly #isNeeded: boolean;

  /** @param isNeeded whether files could be billed again without the answer */
  constructor(isNeeded: boolean) {
    this.#isNeeded = isNeeded;
  }

  add(notice: string): void {
    this.#all.add(notice);
  }

  addIfNone(notice: string): void {
    if (this.#all.size === 0) this.#all.add(notice);
  }

  /** A refusal is a notice. If GitHub does not answer and the answer can save money, the run ends. */
  async guard<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      if (this.#isNeeded && error.isOutage) {
        throw new GateError(
          {
            reason: 'github',
            message: `The results of earlier runs could not be read, so it is unknown which files have to be sent. ${error.message}`,
            fix: `Nothing was sent and nothing was billed. ${error.fix}`,
          },
          { cause: error },
        );
      }
      this.add(
        `The state of earlier runs could not all be read, so files may be sent and billed again. ${error.message} ${error.fix}`,
      );
      return undefined;
    }
  }

  get all(): readonly string[] {
    return [...this.#all];
  }
}
