import { unzipSync } from 'fflate';
import type { GitHubApi } from '../github/api.ts';
import type { Artifact } from '../github/api-schemas.ts';
import { GitHubError } from '../github/github-error.ts';
import { type Origin, type Refusal, type SavedState, type SigningKey, unseal } from './seal.ts';

/** Far more than a state of ten thousand files takes. */
export const MAX_STATE_BYTES = 64 * 1024 * 1024;
/** Inflating more than the archive claims costs time, so this also bounds that. */
const MAX_ARCHIVE_BYTES = 32 * 1024 * 1024;

export const STATE_FILE = 'state.json';

export interface ArchiveOptions {
  readonly api: Pick<GitHubApi, 'artifactArchive'>;
  readonly origin: Origin;
  readonly key: SigningKey;
}

/** The state in an artifact; undefined if the artifact is gone. */
export async function readArtifact(
  { id, size, runId }: Pick<Artifact, 'id' | 'size' | 'runId'>,
  { api, origin, key }: ArchiveOptions,
): Promise<SavedState | Refusal | undefined> {
  if (size > MAX_ARCHIVE_BYTES) return 'unreadable';
  try {
    const bytes = stateIn(await api.artifactArchive(id));
    return bytes ? unseal(bytes, { ...origin, runId }, key) : 'unreadable';
  } catch (error) {
    if (error instanceof GitHubError && error.trouble === 'not-found') return undefined;
    throw error;
  }
}

/** Nothing is written to disk, and only the entry of exactly this name is unpacked, up to the size that it claims. */
export function stateIn(archive: Uint8Array): Uint8Array | undefined {
  try {
    const filter = ({ name, originalSize }: { readonly name: string; readonly originalSize: number }): boolean =>
      name === STATE_FILE && originalSize <= MAX_STATE_BYTES;
    return unzipSync(archive, { filter })[STATE_FILE];
  } catch {
    return undefined;
  }
}
