import { type UnzipFileInfo, unzipSync } from 'fflate';
import type { GitHubApi } from '../github/api.ts';
import type { Artifact } from '../github/api-schemas.ts';
import { MAX_STATE_BYTES, type SavedState, type SealOptions, StateProblem, unseal } from './seal.ts';

export const STATE_FILE = 'state.json';

/** The state in an artifact, or why there is none. */
export async function readArtifact(
  artifact: Artifact,
  options: SealOptions & { readonly api: Pick<GitHubApi, 'artifactArchive'> },
): Promise<SavedState | StateProblem> {
  const archive = await options.api.artifactArchive(artifact);
  return archive ? unseal(stateIn(archive), artifact, options) : new StateProblem('missing', artifact);
}

/**
 * Unpacks `state.json` in memory. Undefined if the archive is damaged, too large, or has any other entry: entries may
 * share their bytes, so unpacking a small archive of many entries would take minutes.
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
