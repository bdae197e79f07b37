import type { GitHubApi } from '../github/api.ts';
import type { Artifact } from '../github/api-schemas.ts';
import type { RunContext } from '../github/context.ts';
import { GitHubError } from '../github/github-error.ts';
import { GateError } from '../lib/cause.ts';
import { failure, type Result } from '../lib/result.ts';
import { MAX_STATE_BYTES, stateIn } from './archive.ts';
import { artifactNames } from './gate-id.ts';
import { describeScope } from './scopes.ts';
import { type Binding, describeRefusal, type RefusalReason, type SavedState, type SigningKey, unseal } from './seal.ts';
import type { StateKind } from './store.ts';

export interface FinderOptions {
  readonly gateName: string;
  readonly binding: Omit<Binding, 'kind' | 'savedAt'>;
  readonly key: SigningKey;
  readonly context: RunContext;
  readonly api: Pick<GitHubApi, 'artifacts' | 'artifactArchive' | 'pullRequest' | 'pullRequestsOf'>;
}

/** A scope can have four artifacts: each kind of state, and each under the second name if the first was blocked. */
export type Slot = StateKind | `${StateKind}-2`;

/** One artifact name to ask for. */
export interface Query {
  readonly scope: string;
  readonly kind: StateKind;
  readonly name: string;
}

export function queryFor(scope: string, slot: Slot, { gateName, binding }: FinderOptions): Query {
  const kind = slot === 'open' || slot === 'open-2' ? 'open' : 'state';
  const [first, second] = artifactNames(gateName, { ...binding, kind, scope });
  return { scope, kind, name: slot === kind ? first : second };
}

/** An artifact that answers a query and has not expired. */
export interface Candidate extends Query {
  readonly runId: string;
  /** In whole seconds. */
  readonly savedAt: string;
  readonly artifact: Artifact;
}

export async function listArtifacts(
  query: Query,
  { api }: FinderOptions,
  notices: Notices,
): Promise<readonly Candidate[]> {
  const artifacts = (await notices.guard(async () => await api.artifacts(query.name))) ?? [];
  const valid = artifacts.filter(({ isExpired }) => !isExpired);
  if (artifacts.length > 0 && valid.length === 0 && query.kind === 'state')
    notices.add(`The state ${describeScope(query.scope)} has expired: raise \`retention-days\` to keep it longer.`);
  return valid.map((artifact) => ({ ...query, runId: artifact.runId, savedAt: artifact.createdAt, artifact }));
}

/** Undefined if it cannot be used. */
export async function readArtifact(
  candidate: Candidate,
  options: FinderOptions,
  notices: Notices,
): Promise<SavedState | undefined> {
  const state = await notices.guard(async () => await download(candidate, options));
  if (state === undefined) return undefined;
  if (state.ok) return state.value;
  const { scope, name, runId } = candidate;
  notices.add(describeRefusal(state.error, `${describeScope(scope)} (artifact ${name} of run ${runId})`));
  return undefined;
}

async function download(
  { artifact, scope, kind, runId }: Candidate,
  { api, binding, key }: FinderOptions,
): Promise<Result<SavedState, RefusalReason>> {
  if (artifact.size > MAX_STATE_BYTES) return failure('unreadable');
  const bytes = stateIn(await api.artifactArchive(artifact.id));
  const { repositoryId, gate, mode } = binding;
  const expected = { repositoryId, gate, mode, scope, kind, runId };
  return bytes ? unseal(bytes, expected, key) : failure('unreadable');
}

/** What was not found, and why; each reason once. */
export class Notices {
  readonly #all = new Set<string>();
  readonly #isNeeded: boolean;

  /** @param isNeeded whether files could be billed again without the answer */
  constructor(isNeeded: boolean) {
    this.#isNeeded = isNeeded;
  }

  add(notice: string): void {
    this.#all.add(notice);
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
