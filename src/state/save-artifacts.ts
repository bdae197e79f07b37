import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deleteArtifact, listArtifactsOfRun, uploadArtifact } from '../github/artifacts.ts';
import type { Log } from '../github/runner.ts';
import { messageOf } from '../lib/format.ts';
import { KEEP_DAYS, type StateDocument } from './document.ts';
import { readArtifact, type StateOptions } from './find-states.ts';
import { artifactNames } from './gate-id.ts';
import { type Binding, isUsable, type SavedState, STATE_FILE } from './seal.ts';

/** An upload that the post step makes if the main step is killed. The names are tried in this order. */
interface PendingUpload {
  readonly names: readonly string[];
  readonly file: string;
  readonly retentionDays: number;
}

/** Saves the state in artifacts of the run. */
export function artifactStorage(options: StateOptions) {
  const { inputs, context, binding, runner } = options;
  const names = artifactNames(inputs.name, binding);
  const retentionDays = Math.max(inputs.reuseDays, KEEP_DAYS);
  /** The artifacts that this process has uploaded. */
  const uploaded = new Set<number | undefined>();
  /** What this run has saved besides, in an earlier attempt, or in another step or job, by artifact id. */
  const others = new Map<number, SavedState>();

  /** What cannot be read is left out: this run's own state must be saved in any case. */
  const readOthers = async (): Promise<void> => {
    for (const artifact of await listArtifactsOfRun(binding.runId)) {
      if (uploaded.has(artifact.id) || !names.all.includes(artifact.name)) continue;
      const found = await readArtifact(artifact, options).catch(() => undefined);
      if (isUsable(found)) others.set(artifact.id, found);
    }
  };

  /** Always writes a new file, so that the post step never finds one that is half written. */
  const write = async (text: string): Promise<string> => {
    const file = path.join(await mkdtemp(path.join(context.temp, 'gate-')), STATE_FILE);
    await writeFile(file, text, { flush: true });
    return file;
  };

  return {
    /** Tries whether a state can be written to disk, and leaves nothing. */
    tryOut: async (text: string): Promise<void> => {
      await rm(path.dirname(await write(text)), { recursive: true });
    },

    /**
     * Writes a sealed state to disk, and uploads it. What this run has saved besides is joined with the state, because a
     * taken name is overwritten. Returns the path of the file.
     */
    save: async (sealWith: (others: readonly StateDocument[]) => string, kind: Binding['kind']): Promise<string> => {
      const name = kind === 'open' ? names.open : names.end;
      /** Writes the state to disk, from where the post step uploads it if the main step dies. */
      const prepare = async (): Promise<PendingUpload> => {
        const file = await write(sealWith([...others.values()].map(({ document }) => document)));
        const upload = { names: [...new Set([name, ...names.all])], file, retentionDays };
        runner.saveForPost(JSON.stringify(upload));
        return upload;
      };
      let upload = await prepare();
      // The artifact client logs every step, so its output is put into a group.
      await runner.log.group('Saving the state', async () => {
        await readOthers();
        upload = await prepare();
        uploaded.add(await replaceArtifact(upload));
      });
      runner.saveForPost('');
      if ([...others.values()].some((state) => state.binding.runAttempt === binding.runAttempt))
        runner.log.warning(NAME_SHARED);
      return upload.file;
    },
  };
}

const NAME_SHARED =
  'Another step or job of this run saves its state under the same artifact names. Give each gate a `name` of its own: gates with one name that run at the same time send and bill the same files.';

/**
 * Uploads a state under the first name, in place of what this run has saved under it. A name may stay taken after its
 * artifact was deleted, and an unfinished upload blocks its name for the rest of the run: then another name is used.
 */
async function replaceArtifact({ names, file, retentionDays }: PendingUpload): Promise<number | undefined> {
  // GitHub does not document whether a re-run may use a name again without deleting the artifact first.
  await deleteArtifact(names[0] ?? '').catch(() => undefined);
  let failure: unknown;
  for (const name of names) {
    try {
      return await uploadArtifact({ name, files: [file], retentionDays });
    } catch (error) {
      failure ??= error;
      // Only the message shows that the name is taken. If the upload fails otherwise, another name does not help.
      if (!messageOf(error).includes('(409)')) break;
    }
  }
  throw failure;
}

/** In the post step, uploads the state if the main step died between writing the state to disk and uploading it. */
export async function uploadPending(pending: string, log: Log): Promise<void> {
  if (pending === '') return;
  try {
    const upload: PendingUpload = JSON.parse(pending);
    await replaceArtifact(upload);
    log.info('The run had not saved its state. It is saved now, and the next run continues from it.');
  } catch (error) {
    log.warning(
      `The state of the run could not be saved, and it cannot be saved now either: ${messageOf(error)}. The next run may send the same files again.`,
    );
  }
}
