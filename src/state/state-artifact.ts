import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unzipSync } from 'fflate';
import type { GitHubApi } from '../github/api.ts';
import { type ArtifactId, deleteArtifact, listArtifactsOfRun, uploadArtifact } from '../github/artifacts.ts';
import type { RunContext } from '../github/context.ts';
import type { Log, Runner } from '../github/runner.ts';
import type { Inputs } from '../inputs/parse.ts';
import { createTemporaryFolder } from '../lib/folders.ts';
import { messageOf } from '../lib/format.ts';
import { KEEP_DAYS, type StateDocument } from './document.ts';
import { artifactName, endSlot, SLOTS } from './gate-id.ts';
import {
  type Binding,
  isUsable,
  MAX_STATE_BYTES,
  type SavedState,
  type SealOptions,
  type StateProblem,
  unseal,
} from './seal.ts';

const STATE_FILE = 'state.json';

type ReadOptions = SealOptions & { readonly api: Pick<GitHubApi, 'artifactArchive'> };

/** The state in an artifact, or why it cannot be used. Undefined if the artifact was deleted. */
export async function readArtifact(
  artifact: ArtifactId,
  options: ReadOptions,
): Promise<SavedState | StateProblem | undefined> {
  const { name, runId, size } = artifact;
  const archive = size > MAX_STATE_BYTES ? new Uint8Array() : await options.api.artifactArchive(artifact);
  return archive && unseal(stateIn(archive), { where: `the artifact ${name} of run ${runId}`, runId }, options);
}

/**
 * Unpacks `state.json` in memory. Undefined if the archive is damaged, too large, or has any other entry: entries may
 * share their bytes, so unpacking a small archive of many entries would take minutes.
 */
export function stateIn(archive: Uint8Array): Uint8Array | undefined {
  let entries = 0;
  try {
    const files = unzipSync(archive, {
      filter: ({ name, originalSize }) => {
        entries += 1;
        if (entries > 1 || name !== STATE_FILE || originalSize > MAX_STATE_BYTES) throw new Error('This is no state.');
        return true;
      },
    });
    return files[STATE_FILE];
  } catch {
    return undefined;
  }
}

/** An upload that the post step makes if the main step is killed. The names are tried in this order. */
interface PendingUpload {
  readonly names: readonly string[];
  readonly file: string;
  readonly retentionDays: number;
}

interface SavingOptions extends ReadOptions {
  readonly inputs: Pick<Inputs, 'name' | 'reuseDays'>;
  readonly context: RunContext;
  readonly runner: Runner;
}

/** Keeps the state in artifacts of the runs. */
export function stateArtifacts(options: SavingOptions) {
  const { inputs, context, binding, runner } = options;
  const names = SLOTS.map((slot) => artifactName(inputs.name, slot, binding));
  const retentionDays = Math.max(inputs.reuseDays, KEEP_DAYS);
  /** The artifacts that this process has uploaded. */
  const uploaded = new Set<number>();
  /** What this run has saved besides, in an earlier attempt, or in another step or job, by artifact id. */
  const others = new Map<number, SavedState>();

  /** What cannot be read is left out: this run's own state must be saved in any case. */
  const readOthers = async (): Promise<void> => {
    for (const artifact of await listArtifactsOfRun(binding.runId)) {
      if (uploaded.has(artifact.id) || !names.includes(artifact.name)) continue;
      const found = await readArtifact(artifact, options).catch(() => undefined);
      if (isUsable(found)) others.set(artifact.id, found);
    }
  };

  /** Always writes a new file, so that the post step never finds one that is half written. */
  const write = async (text: string): Promise<string> => {
    const file = path.join(await createTemporaryFolder(context.temp), STATE_FILE);
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
      const name = artifactName(inputs.name, kind === 'open' ? 'open' : endSlot(binding), binding);
      /** Writes the state to disk, from where the post step uploads it if the main step dies. */
      const prepare = async (): Promise<PendingUpload> => {
        const file = await write(sealWith([...others.values()].map(({ document }) => document)));
        const upload = { names: [name, ...names.filter((each) => each !== name)], file, retentionDays };
        runner.saveForPost(JSON.stringify(upload));
        return upload;
      };
      let upload = await prepare();
      // The artifact client logs every step, so its output is put into a group.
      await runner.log.group('Saving the state', async () => {
        await readOthers();
        upload = await prepare();
        const id = await replaceArtifact(upload);
        if (id !== undefined) uploaded.add(id);
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
