import { hash } from 'node:crypto';
import path from 'node:path';
import type { ArtifactClient } from '@actions/artifact';
import * as v from 'valibot';
import { readAll } from '../http/http.ts';
import { asPage, GitHubError, type List, type Octokit, PAGE_SIZE, type Send, undefinedIfDeleted } from './connect.ts';

const Artifact = v.pipe(
  v.object({
    id: v.number(),
    name: v.string(),
    /** The hash of the uploaded archive. Undefined for older artifacts, or if a server sends it in another form. */
    digest: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/))), undefined),
    expired: v.boolean(),
    workflow_run: v.nullish(
      v.object({
        id: v.nullish(v.number()),
        repository_id: v.nullish(v.number()),
        head_repository_id: v.nullish(v.number()),
        head_branch: v.nullish(v.string()),
        head_sha: v.nullish(v.string()),
      }),
    ),
  }),
  v.transform(({ id, name, digest, expired, workflow_run: run }) => ({
    id,
    name,
    digest,
    isExpired: expired,
    runId: String(run?.id ?? ''),
    /** For some events, GitHub reports the default branch as `branch`, and a commit of it as `commit`. */
    branch: run?.head_branch ?? undefined,
    commit: run?.head_sha ?? undefined,
    headRepositoryId: run?.head_repository_id ?? undefined,
    /** False for an artifact of a fork's run. A fork can give its artifacts any name. */
    isOfRepository: Boolean(run?.id && run.repository_id && run.repository_id === run.head_repository_id),
  })),
);
export type Artifact = v.InferOutput<typeof Artifact>;
/** What identifies an artifact, and its bytes. */
export type ArtifactId = Pick<Artifact, 'id' | 'name' | 'runId' | 'isOfRepository' | 'digest'>;

/** No larger archive is read. The state of ten thousand files is far smaller. */
const MAX_DOWNLOAD_BYTES = 64 * 1024 * 1024;

/** The requests about the artifacts of all runs. */
export function artifactRequests(send: Send, here: Readonly<Record<'owner' | 'repo', string>>) {
  return {
    /** One page, counted from 1, of the artifacts with one name, or of all: of all runs, even of forks, in no documented order. */
    artifacts: async (name: string | undefined, page: number): Promise<List<Artifact>> =>
      await send('list the artifacts', 'actions: read', async ({ rest }) => {
        const wanted = { ...here, ...(name !== undefined && { name }), page, per_page: PAGE_SIZE };
        const { data, headers } = await rest.actions.listArtifactsForRepo(wanted);
        return asPage(v.parse(v.object({ artifacts: v.array(Artifact) }), data).artifacts, headers);
      }),

    /**
     * Downloads an artifact. Empty if it is larger than 64 MiB, undefined if it was deleted or has expired. Throws if an
     * artifact of this repository arrives damaged. Those of forks are not checked, because a fork can upload any bytes.
     */
    artifactArchive: async (artifact: ArtifactId): Promise<Uint8Array | undefined> => {
      const { id, name, runId, isOfRepository, digest } = artifact;
      const operation = `download the artifact ${name} of run ${runId}`;
      const readWhole = async ({ rest }: Octokit): Promise<Buffer> => {
        const request = { parseSuccessResponseBody: false };
        const wanted = { ...here, artifact_id: id, archive_format: 'zip', request };
        const { data } = await rest.actions.downloadArtifact(wanted);
        const archive = v.parse(v.instance(ReadableStream<Uint8Array>), data);
        const bytes = await readAll(archive, MAX_DOWNLOAD_BYTES);
        if (!bytes) return Buffer.alloc(0);
        const arrived = `sha256:${hash('sha256', bytes)}`;
        if (!isOfRepository || digest === undefined || arrived === digest) return bytes;
        const problem = `its digest is ${digest}, but what arrived has ${arrived}`;
        throw new GitHubError(operation, { trouble: 'outage', problem, fix: 'Re-run the job.' });
      };
      return await send(operation, 'actions: read', readWhole).catch(undefinedIfDeleted);
    },
  };
}

/** Limits one upload or deletion. If GitHub sends no response, the client makes five tries of three minutes each. */
const MAX_MS = 120_000;

/** Returns the artifact's id. With `isUnpacked`, a single file is not zipped, so that a browser can show it. */
export async function uploadArtifact(
  artifact: Readonly<{ name: string; files: readonly string[]; retentionDays: number; isUnpacked?: boolean }>,
): Promise<number | undefined> {
  const { name, files, retentionDays, isUnpacked = false } = artifact;
  const [first = ''] = files;
  // The client warns if the days exceed the repository's maximum. Other runners than GitHub's set 0 for no maximum.
  const maxDays = Number.parseInt(process.env['GITHUB_RETENTION_DAYS'] ?? '', 10) || retentionDays;
  const options = { retentionDays: Math.min(retentionDays, maxDays), skipArchive: isUnpacked };
  const client = await loadClient();
  const uploading = client.uploadArtifact(name, [...files], path.dirname(first), options);
  return (await inTime(uploading, 'accept the artifact')).id;
}

/** The artifacts of this run, of all its attempts and jobs. The runner's own token is enough to list them. */
export async function listArtifactsOfRun(runId: string): Promise<readonly ArtifactId[]> {
  const client = await loadClient();
  const { artifacts } = await inTime(client.listArtifacts(), 'list the artifacts of the run');
  return artifacts.map(({ digest, ...artifact }) => ({
    ...artifact,
    runId,
    isOfRepository: true,
    digest: digest || undefined,
  }));
}

/** Deletes a finalized artifact of this run. An upload that was never finalized cannot be deleted. */
export async function deleteArtifact(name: string): Promise<void> {
  const client = await loadClient();
  await inTime(client.deleteArtifact(name), 'delete the artifact');
}

/** Loads the client when it is first needed, because loading takes a fifth of a second. */
async function loadClient(): Promise<ArtifactClient> {
  const { DefaultArtifactClient } = await import('@actions/artifact');
  return new DefaultArtifactClient();
}

/** Stops waiting after `MAX_MS`. The client cannot be cancelled: its work goes on until the process ends. */
async function inTime<T>(work: Promise<T>, operation: string): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const error = new Error(`GitHub did not ${operation} within ${MAX_MS / 1000} s`);
  const timer = setTimeout(() => reject(error), MAX_MS);
  return await Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}
