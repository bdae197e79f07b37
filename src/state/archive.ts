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

/** Inflating more than the archive claims costs time, so this also bounds that. */
const MAX_ARCHIVE_BYTES = 32 * 1024 * 1024;

export const STATE_FILE = 'state.json';

/** What finding and saving states needs. */
export interface StateOptions {
  readonly binding: RunBinding;
  readonly key: SigningKey;
  readonly inputs: Inputs;
  readonly context: RunContext;
  readonly api: GitHubApi;
  readonly runner: Runner;
  readonly base: Base;
  /** False for `reuse-days: 0` and dry runs. Otherwise the run ends if GitHub does not answer. */
  readonly canReuse: boolean;
}

/** The state in an artifact; undefined if the artifact is gone. */
export async function readArtifact(
  { id, size, runId }: Artifact,
  options: Pick<StateOptions, 'api' | 'binding' | 'key'>,
): Promise<SavedState | StateProblem | undefined> {
  if (size > MAX_ARCHIVE_BYTES) return 'unreadable';
  const archive = await options.api.artifactArchive(id);
  return archive && unseal(stateIn(archive), options, runId);
}

/** Nothing is written to disk, and only the entry of exactly this name is unpacked, up to the size that it claims. */
export function stateIn(archive: Uint8Array): Uint8Array | undefined {
  try {
    return unzipSync(archive, {
      filter: ({ name, originalSize }) => name === STATE_FILE && originalSize <= MAX_STATE_BYTES,
    })[STATE_FILE];
  } catch {
    return undefined;
  }
}
