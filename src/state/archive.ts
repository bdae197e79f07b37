import { unzipSync } from 'fflate';
import type { GitHubApi } from '../github/api.ts';
import type { Artifact } from '../github/api-schemas.ts';
import type { RunContext } from '../github/context.ts';
import type { Runner } from '../github/runner.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Base } from './history.ts';
import {
  MAX_STATE_BYTES,
  type RunBinding,
  type SavedState,
  type SigningKey,
  type StateProblem,
  unseal,
} from './seal.ts';

/** The limit for the download. It also limits the time that unpacking takes. */
const MAX_ARCHIVE_BYTES = 32 * 1024 * 1024;

export const STATE_FILE = 'state.json';

/** Options for finding and saving states. */
export interface StateOptions {
  readonly binding: RunBinding;
  readonly key: SigningKey;
  readonly inputs: Pick<Inputs, 'name' | 'comment' | 'reuseDays'>;
  readonly context: RunContext;
  readonly api: Pick<GitHubApi, 'artifacts' | 'artifactArchive' | 'pullRequest' | 'pullRequestsOf'>;
  readonly runner: Runner;
  readonly base: Base;
  /** False for `reuse-days: 0` and dry runs. If true, the run ends when GitHub does not respond. */
  readonly canReuse: boolean;
}

/** The state in an artifact. Undefined if the artifact was deleted or has expired. */
export async function readArtifact(
  artifact: Artifact,
  options: Pick<StateOptions, 'api' | 'binding' | 'key'>,
): Promise<SavedState | StateProblem | undefined> {
  if (artifact.size > MAX_ARCHIVE_BYTES) return 'unreadable';
  const archive = await options.api.artifactArchive(artifact);
  return archive && unseal(stateIn(archive), options, artifact.runId);
}

/** Unpacks only the entry `state.json`, up to the size that the entry claims, and writes nothing to disk. */
export function stateIn(archive: Uint8Array): Uint8Array | undefined {
  try {
    return unzipSync(archive, {
      filter: ({ name, originalSize }) => name === STATE_FILE && originalSize <= MAX_STATE_BYTES,
    })[STATE_FILE];
  } catch {
    return undefined;
  }
}
