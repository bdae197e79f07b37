import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { GateError } from '../lib/cause.ts';
import { withFile } from '../media/file.ts';
import { type EmbeddedMedia, mediaToEmbed } from '../report/page/media.ts';
import type { ReportedAsset } from '../report/report.ts';

/**
 * The bytes that report.html shows, by the SHA-256 of the content. A file that is not the one that was checked is left
 * out: by now it may be a link to something that must not be published.
 */
export async function readPageMedia(
  assets: readonly ReportedAsset[],
  workspace: string,
): Promise<ReadonlyMap<string, EmbeddedMedia>> {
  const media = new Map<string, EmbeddedMedia>();
  for (const asset of mediaToEmbed(assets)) {
    const bytes = await readChecked(asset, workspace);
    if (bytes) media.set(asset.sha256, { mime: asset.mime, bytes });
  }
  return media;
}

/** The first of its paths may be a Git LFS pointer, and another one the file. */
async function readChecked({ paths, size, sha256 }: ReportedAsset, workspace: string): Promise<Buffer | undefined> {
  const read = async (handle: FileHandle, stats: Stats): Promise<Buffer | undefined> => {
    if (stats.size !== size) return undefined;
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(size) });
    const hash = createHash('sha256').update(buffer).digest('hex');
    return bytesRead === size && hash === sha256 ? buffer : undefined;
  };
  for (const file of paths.slice(0, 3)) {
    try {
      const bytes = await withFile({ path: file, absolutePath: path.join(workspace, file) }, read);
      if (bytes) return bytes;
    } catch (error) {
      // Gone, or no longer a file: the page shows a link instead.
      if (!(error instanceof GateError)) throw error;
    }
  }
  return undefined;
}
