import path from 'node:path';

/** Uploads files as one artifact of this run. The client is loaded when first needed: it costs a fifth of a second. */
export async function uploadArtifact(
  name: string,
  files: readonly string[],
  retentionDays: number | undefined,
): Promise<void> {
  const { DefaultArtifactClient } = await import('@actions/artifact');
  const [first = ''] = files;
  await new DefaultArtifactClient().uploadArtifact(
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
    const { DefaultArtifactClient } = await import('@actions/artifact');
    await new DefaultArtifactClient().deleteArtifact(name);
    await uploadArtifact(name, files, retentionDays);
  }
}

/**
 * Uploads one file that a browser can show, under its own name and unpacked. A service that does not know such artifacts
 * has it in an archive already, so nothing is lost without it.
 */
export async function uploadPage(file: string, retentionDays: number | undefined): Promise<void> {
  const { DefaultArtifactClient } = await import('@actions/artifact');
  try {
    await new DefaultArtifactClient().uploadArtifact(path.basename(file), [file], path.dirname(file), {
      ...(retentionDays !== undefined && { retentionDays }),
      skipArchive: true,
    });
  } catch {
    return;
  }
}
