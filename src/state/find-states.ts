import type { GitHubApi } from '../github/api.ts';
import type { Artifact } from '../github/api-schemas.ts';
import type { RunContext } from '../github/context.ts';
import { GitHubError } from '../github/github-error.ts';
import { MAX_STATE_BYTES, stateIn } from './archive.ts';
import { artifactName } from './gate-id.ts';
import { refusalNotice } from './refusal.ts';
import { describeScope, isMerge, mergedBranch, type UsefulScopes, usefulScopes } from './scopes.ts';
import { type Binding, type Refusal, type SigningKey, type Unsealed, unseal } from './seal.ts';
import type { Loaded, StateKind } from './store.ts';

export interface FinderOptions {
  readonly gateName: string;
  readonly binding: Omit<Binding, 'kind' | 'savedAt'>;
  readonly key: SigningKey;
  readonly context: RunContext;
  readonly api: Pick<GitHubApi, 'artifacts' | 'artifactArchive' | 'pullRequest' | 'pullRequestsOf'>;
}

/** Requests to GitHub, all told; retries apart. */
const MAX_REQUESTS = 10;

interface Query {
  readonly scope: string;
  readonly kind: StateKind;
}

/** A query, and an artifact that answers it. */
interface Candidate extends Query {
  readonly artifact: Artifact;
}

/** What was found, and the scope that this run goes on with. */
export interface Found extends Loaded {
  readonly scope: string;
}

/** Finds what earlier runs left in artifacts: asks for all lists at once, then downloads the ones that matter most. */
export async function findStates(options: FinderOptions): Promise<Found> {
  const { context, api } = options;
  const notices = new Notices();
  const asksForMerge = isMerge(context);
  const merged = asksForMerge ? await notices.guard(async () => await mergedBranch(context, api)) : undefined;
  const scopes = usefulScopes(context, merged);
  const listAll = async (queries: readonly Query[]): Promise<readonly (readonly Candidate[])[]> =>
    await Promise.all(queries.map(async (query) => await list(query, options, notices)));
  const { first, beyond, last } = queriesFor(scopes);
  const [nearby, farthest] = await Promise.all([listAll(first), listAll(last)]);
  const hasNear = nearby.flat().some(({ scope }) => scope === scopes.related);
  const listed = [...nearby, ...(hasNear ? [] : await listAll(beyond)), ...farthest];
  const newest = listed.flatMap(([latest]) => (latest ? [latest] : []));
  // A run that began earlier and ended later did not know of the one before it.
  const overtaken = listed.flatMap(([, before]) => (before && before.scope === scopes.own ? [before] : []));
  const candidates = worthReading([...newest, ...overtaken]);
  const left = MAX_REQUESTS - listed.length - (asksForMerge ? 1 : 0);
  const read = await Promise.all(
    candidates.slice(0, left).map(async (candidate) => await open(candidate, options, notices)),
  );
  const states = withoutSettled(read.filter((state) => state !== undefined)).toSorted(byNearness(scopes));
  if (states.length === 0) notices.addIfNone(FIRST_RUN);
  return { states, notices: notices.all, scope: scopes.own };
}

/** What this very run has saved of this kind, by another gate of the same name. */
export async function findSaved(kind: StateKind, options: FinderOptions): Promise<Loaded> {
  const { scope, runId } = options.binding;
  const notices = new Notices();
  const [saved] = (await list({ scope, kind }, options, notices)).filter(({ artifact }) => artifact.runId === runId);
  const state = saved && (await open(saved, options, notices));
  return { states: state ? [state] : [], notices: notices.all };
}

const FIRST_RUN =
  'This is the first run of this gate here, so every file was to be sent. Later runs send only what is new or changed.';

/** What matters most comes first: what this run would pay for again, then what it is compared with. */
interface Queries {
  readonly first: readonly Query[];
  /** Only where the lists before have nothing related. */
  readonly beyond: readonly Query[];
  readonly last: readonly Query[];
}

function queriesFor({ own, isNew, related, relatedFallback, base, default: fallback }: UsefulScopes): Queries {
  const asked = new Set<string>();
  const queries = (scope: string | undefined, ...kinds: readonly StateKind[]): readonly Query[] =>
    kinds.flatMap((kind) => {
      if (scope === undefined || asked.has(`${kind} ${scope}`)) return [];
      asked.add(`${kind} ${scope}`);
      return [{ scope, kind }];
    });
  const first = [
    ...queries(isNew ? undefined : own, 'state', 'open'),
    ...queries(base, 'state'),
    ...queries(related, 'state', 'open'),
  ];
  // Before what may not be asked for at all.
  const last = queries(fallback, 'state');
  return { first, beyond: queries(relatedFallback, 'state', 'open'), last };
}

/** The newest one of each run, latest first. */
async function list(query: Query, options: FinderOptions, notices: Notices): Promise<readonly Candidate[]> {
  const name = artifactName(options.gateName, { ...options.binding, ...query });
  const artifacts = await notices.guard(async () => await options.api.artifacts(name));
  // What a fork's run left is not even downloaded, whatever it is called.
  const ours = artifacts?.filter(({ isOwn }) => isOwn) ?? [];
  const valid = ours
    .filter(({ isExpired }) => !isExpired)
    // By time, since ids of two attempts of one run are in no order.
    .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  if (ours.length > 0 && valid.length === 0 && query.kind === 'state')
    notices.add(`The state ${describeScope(query.scope)} has expired: raise \`retention-days\` to keep it longer.`);
  const ofEachRun = valid.filter(({ runId }, at) => valid.findIndex((other) => other.runId === runId) === at);
  return ofEachRun.map((artifact) => ({ ...query, artifact }));
}

/** What a run left open is in its own later state, if it came to that. GitHub tells the time in seconds. */
function worthReading(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(
    ({ kind, scope, artifact: { runId, createdAt } }) =>
      kind === 'state' ||
      !candidates.some(
        (other) =>
          other.kind === 'state' &&
          other.scope === scope &&
          other.artifact.runId === runId &&
          other.artifact.createdAt > createdAt,
      ),
  );
}

/** The same, by the time that the states themselves tell. */
function withoutSettled(states: readonly Unsealed[]): readonly Unsealed[] {
  return states.filter(
    ({ binding: { kind, scope, runId, savedAt } }) =>
      kind === 'state' ||
      !states.some(
        ({ binding: other }) =>
          other.kind === 'state' && other.scope === scope && other.runId === runId && other.savedAt >= savedAt,
      ),
  );
}

/** Undefined where it cannot be taken. */
async function open(candidate: Candidate, options: FinderOptions, notices: Notices): Promise<Unsealed | undefined> {
  const state = await notices.guard(async () => await download(candidate, options));
  if (typeof state !== 'string') return state;
  const { scope, artifact } = candidate;
  const where = `${describeScope(scope)} (artifact ${artifact.name} of run ${artifact.runId ?? 'unknown'})`;
  notices.add(refusalNotice(state, where));
  return undefined;
}

async function download(
  { artifact, scope, kind }: Candidate,
  { api, binding, key }: FinderOptions,
): Promise<Unsealed | Refusal> {
  if (artifact.size > MAX_STATE_BYTES || artifact.runId === undefined) return 'unreadable';
  const bytes = stateIn(await api.artifactArchive(artifact.id));
  const { repositoryId, gate, mode } = binding;
  return bytes ? unseal(bytes, { repositoryId, gate, mode, scope, kind, runId: artifact.runId }, key) : 'unreadable';
}

function byNearness({ own, related, relatedFallback, base }: UsefulScopes): (a: Unsealed, b: Unsealed) => number {
  const order = [own, related, relatedFallback, base];
  const rank = ({ binding }: Unsealed): number =>
    order.includes(binding.scope) ? order.indexOf(binding.scope) : order.length;
  // Of one scope, the later knows better.
  return (a, b) => rank(a) - rank(b) || (a.binding.savedAt < b.binding.savedAt ? 1 : -1);
}

/** What was not found, and why; each reason once. */
class Notices {
  readonly #all = new Set<string>();

  add(notice: string): void {
    this.#all.add(notice);
  }

  addIfNone(notice: string): void {
    if (this.#all.size === 0) this.#all.add(notice);
  }

  /** What GitHub does not answer is done without. */
  async guard<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      this.add(
        `The state of earlier runs could not all be read, so files may be sent and paid for again. ${error.message} ${error.fix}`,
      );
      return undefined;
    }
  }

  get all(): readonly string[] {
    return [...this.#all];
  }
}
