import { zipSync } from 'fflate';
import * as v from 'valibot';
import { PullRequest } from '../../src/github/api.ts';
import type { Artifact } from '../../src/github/artifacts.ts';

/** Builders of what GitHub says about pull requests and artifacts, for tests without its API. */

/** Pull request 7, which is not merged. */
export function pull(changes: Partial<PullRequest> = {}): PullRequest {
  const repo = { id: 4711 };
  const head = { ref: 'changes', sha: 'a'.repeat(40), repo };
  return {
    ...v.parse(PullRequest, { number: 7, changed_files: 0, head, base: { ref: 'main', sha: 'b'.repeat(40), repo } }),
    ...changes,
  };
}

/** An artifact in GitHub's list, by its run. */
export function listed(runId: number, changes: Partial<Artifact> = {}): Artifact {
  const common = { id: runId, name: 'x', digest: undefined, isExpired: false, isOfRepository: true };
  const run = { runId: String(runId), headRepositoryId: 4711, branch: undefined, commit: undefined };
  return { ...common, ...run, ...changes };
}

interface StoredArtifact {
  readonly artifact: Artifact;
  readonly archive: () => Uint8Array | undefined;
}

/** The archive of an artifact with this state. */
export function archiveOf(state: string): Uint8Array {
  return zipSync({ 'state.json': Buffer.from(state) }, { level: 0 });
}

const PAGE_SIZE = 100;

/** GitHub's list of artifacts, and their archives. @param stored called at each request, because it may change */
export function artifactApi(stored: () => readonly StoredArtifact[]) {
  return {
    artifacts: async (name: string | undefined, page: number) => {
      const named = stored().filter(({ artifact }) => name === undefined || artifact.name === name);
      const items = named.map(({ artifact }) => artifact).slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
      return { items, isCut: page * PAGE_SIZE < named.length };
    },
    artifactArchive: async ({ id }: Pick<Artifact, 'id'>) =>
      stored()
        .find(({ artifact }) => artifact.id === id)
        ?.archive(),
  };
}
