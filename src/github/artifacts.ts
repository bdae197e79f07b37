import path from 'node:path';

/** The client's own patience with storage that has stopped answering is five minutes, and a run uploads up to four times. */
const STALL_MS = 30_000;

/** Loaded when first needed: it costs a fifth of a second. */
async function loadClient() {
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
  const client = await loadClient();
  const [first = ''] = files;
  await client.uploadArtifact(
    name,
    [...files],
    path.dirname(first),
    retentionDays === undefined ? {} : { retentionDays },
  );
}

/** As `uploadArtifact`, where an upload that was broken off may hold the name. */
export async function replaceArtifact(
  name: string,
  files: readonly string[],
  retentionDays: number | undefined,
): Promise<void> {
  try {
    await uploadArtifact(name, files, retentionDays);
  } catch (error) {
    if (!(error instanceof Error) || !/\(409\)|already exists/.test(error.message)) throw error;
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
  const client = await loadClient();
  try {
    await client.uploadArtifact(path.basename(file), [file], path.dirname(file), {
      ...(retentionDays !== undefined && { retentionDays }),
      skipArchive: true,
    });
  } catch {
    return;
  }
}
