import path from 'node:path';
import type { ArtifactClient } from '@actions/artifact';
import { messageOf } from '../lib/format.ts';

/** Ends an upload if the storage stops responding. By default, the client waits five minutes, up to four times. */
const STALL_MS = 30_000;
/** Limits one upload or deletion. If GitHub sends no response, the client makes five tries of three minutes each. */
const MAX_MS = 120_000;

/** Returns the artifact's id. With `isUnpacked`, a single file is not zipped, so that a browser can show it. */
export async function uploadArtifact(
  artifact: Readonly<{ name: string; files: readonly string[]; retentionDays: number; isUnpacked?: boolean }>,
): Promise<number | undefined> {
  const { name, files, retentionDays, isUnpacked = false } = artifact;
  const client = await loadClient();
  try {
    const [first = ''] = files;
    // The client warns if the days exceed the repository's maximum. Other runners than GitHub's set 0 for no maximum.
    const maxDays = Number.parseInt(process.env['GITHUB_RETENTION_DAYS'] ?? '', 10) || retentionDays;
    const options = { retentionDays: Math.min(retentionDays, maxDays), skipArchive: isUnpacked };
    const uploading = client.uploadArtifact(name, [...files], path.dirname(first), options);
    return (await inTime(uploading, 'accept the artifact')).id;
  } catch (error) {
    // Some errors of the storage client have an empty message.
    throw new Error(messageOf(error) || 'the upload failed', { cause: error });
  }
}

/** Deletes a finalized artifact of this run. An upload that was never finalized cannot be deleted. */
export async function deleteArtifact(name: string): Promise<void> {
  const client = await loadClient();
  await inTime(client.deleteArtifact(name), 'delete the artifact');
}

/** Loads the client when it is first needed, because loading takes a fifth of a second. */
async function loadClient(): Promise<ArtifactClient> {
  process.env['ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS'] ??= String(STALL_MS);
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
