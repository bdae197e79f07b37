import * as v from 'valibot';
import { ArtifactError, uploadArtifact } from '../github/artifacts.ts';
import type { Log } from '../lib/log.ts';

const PendingUploads = v.object({
  uploads: v.array(v.object({ names: v.tuple([v.string(), v.string()]), file: v.string() })),
  retentionDays: v.optional(v.number()),
});

/** An upload that a killed run leaves to the post step. */
export interface PendingUpload {
  /** The second is used if the first is blocked. */
  readonly names: readonly [first: string, second: string];
  readonly file: string;
}

/** What the runner keeps for the post step. */
export function formatPending(pending: readonly PendingUpload[], retentionDays: number | undefined): string {
  if (pending.length === 0) return '';
  const uploads = pending.map(({ names, file }) => ({ names, file }));
  return JSON.stringify({ uploads, retentionDays });
}

/** The post step: finishes what a main step began that died between saving its state to disk and uploading it. */
export async function uploadPending(saved: string, log: Log): Promise<void> {
  if (saved === '') return;
  try {
    const { uploads, retentionDays } = v.parse(PendingUploads, JSON.parse(saved));
    for (const { names, file } of uploads) {
      const uploadAs = async (name: string): Promise<void> =>
        await uploadArtifact({ name, files: [file], retentionDays });
      try {
        await uploadAs(names[0]);
      } catch (error) {
        // The upload of the main step was created and never finalized, or another gate has the name.
        if (!(error instanceof ArtifactError) || error.problem !== 'name-taken') throw error;
        await uploadAs(names[1]);
      }
    }
    log.info('The run ended before it had saved its state; it is saved now, and the next run goes on from there.');
  } catch (error) {
    log.warning(
      `The run ended before it had saved its state, and it cannot be saved now: ${error instanceof Error ? error.message : String(error)}. The next run may send the same files again.`,
    );
  }
}
