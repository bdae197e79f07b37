import path from 'node:path';
import type { ArtifactClient, UploadArtifactOptions } from '@actions/artifact';

/** The client's own patience with storage that has stopped answering is five minutes, and a run uploads up to four times. */
const STALL_MS = 30_000;
/** Where nothing answers at all, the client would try five times, three minutes each. */
const MAX_UPLOAD_MS = 120_000;

/** Loaded when first needed: it costs a fifth of a second. */
async function loadClient(): Promise<ArtifactClient> {
  process.env['ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS'] ??= String(STALL_MS);
  const { DefaultArtifactClient } = await import('@actions/artifact');
  return new DefaultArtifactClient();
}

/** Uploads files as one artifact of this run. */
export async function uploadArtifact(
  name: string,
  files: readonly string[],
  retentionDays: number | undefined,
): Promise<void> {
  await upload(name, files, retentionDays === undefined ? {} : { retentionDays });
}

/**
 * As `uploadArtifact`, where an upload that was broken off may hold the name, or another gate of this run.
 *
 * @param takeOver called before what is there is deleted
 */
export async function replaceArtifact(
  name: string,
  files: readonly string[],
  retentionDays: number | undefined,
  takeOver?: () => Promise<void>,
): Promise<void> {
  try {
    await uploadArtifact(name, files, retentionDays);
  } catch (error) {
    if (!(error instanceof Error) || !/\(409\)|already exists/.test(error.message)) throw error;
    await takeOver?.();
    const client = await loadClient();
    await client.deleteArtifact(name);
    await uploadArtifact(name, files, retentionDays);
  }
}

/**
 * Uploads one file that a browser can show, under its own name and unpacked. A service that does not know such artifacts
 * has it in an archive already, so nothing is lost without it.
 */
export async function uploadPage(file: string, retentionDays: number | undefined): Promise<void> {
  try {
    await upload(path.basename(file), [file], {
      ...(retentionDays !== undefined && { retentionDays }),
      skipArchive: true,
    });
  } catch {
    return;
  }
}

async function upload(name: string, files: readonly string[], options: UploadArtifactOptions): Promise<void> {
  const client = await loadClient();
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`GitHub did not take the artifact within ${MAX_UPLOAD_MS / 1000} s`)),
    MAX_UPLOAD_MS,
  );
  try {
    const [first = ''] = files;
    // What is still under way ends with the process.
    await Promise.race([client.uploadArtifact(name, [...files], path.dirname(first), options), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
