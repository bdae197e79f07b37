import { type UnzipFileInfo, unzipSync } from 'fflate';
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

/** No larger archive is downloaded. What a run saves is smaller (`limit-size.ts`). */
const MAX_ARCHIVE_BYTES = 64 * 1024 * 1024;

export const STATE_FILE = 'state.json';

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

export function isTooLarge({ size }: Artifact): boolean {
  return size > MAX_ARCHIVE_BYTES;
}

/** The state in an artifact. Undefined if the artifact was deleted or has expired. */
export async function readArtifact(
  artifact: Artifact,
  options: Pick<StateOptions, 'api' | 'binding' | 'key'>,
): Promise<SavedState | StateProblem | undefined> {
  if (isTooLarge(artifact)) return 'unreadable';
  const archive = await options.api.artifactArchive(artifact);
  return archive && unseal(stateIn(archive), options, artifact.runId);
}

/**
 * Unpacks `state.json`, up to the size that the archive claims, and writes nothing to disk. Undefined if the archive has
 * any other entry: entries may share their bytes, so unpacking a small archive of many entries would take minutes.
 */
export function stateIn(archive: Uint8Array): Uint8Array | undefined {
  const entries: UnzipFileInfo[] = [];
  try {
    unzipSync(archive, {
      filter: (entry) => {
        if (entries.push(entry) > 1) throw new Error('The archive has a second entry.');
        return false;
      },
    });
    const [{ name, originalSize } = { name: '', originalSize: 0 }] = entries;
    return name === STATE_FILE && originalSize <= MAX_STATE_BYTES ? unzipSync(archive)[name] : undefined;
  } catch {
    return undefined;
  }
}
