import * as v from 'valibot';
import { replaceArtifact } from '../github/artifacts.ts';
import type { Log } from '../lib/log.ts';

const PendingUpload = v.object({ name: v.string(), file: v.string(), retentionDays: v.optional(v.number()) });

/** What the post step has to know of an upload that may not come to its end. */
export function pendingUpload(name: string, file: string, retentionDays: number | undefined): string {
  return JSON.stringify({ name, file, retentionDays } satisfies v.InferInput<typeof PendingUpload>);
}

/** The post step: makes up for a main step that died between saving its state to disk and uploading it. */
export async function uploadPending(saved: string, log: Log): Promise<void> {
  if (saved === '') return;
  try {
    const { name, file, retentionDays } = v.parse(PendingUpload, JSON.parse(saved));
    await replaceArtifact(name, [file], retentionDays);
    log.info('The run ended before it had saved its state; it is saved now, and the next run goes on from there.');
  } catch (error) {
    log.warning(
      `The run ended before it had saved its state, and it cannot be saved now: ${error instanceof Error ? error.message : String(error)}. The next run may send the same files again.`,
    );
  }
}
