import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unzipSync } from 'fflate';
import type { GitHubApi } from '../github/api.ts';
import type { Artifact } from '../github/api-schemas.ts';
import { deleteArtifact, uploadArtifact } from '../github/artifacts.ts';
import type { RunContext } from '../github/context.ts';
import type { Log, Runner } from '../github/runner.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { writeTemporary } from '../lib/folders.ts';
import { messageOf } from '../lib/format.ts';
import { KEEP_DAYS, KEEP_OPEN_DAYS } from './document.ts';
import { artifactName, endSlot } from './gate-id.ts';
import type { Base } from './history.ts';
import {
  type Binding,
  MAX_STATE_BYTES,
  type RunBinding,
  type SavedState,
  type SigningKey,
  type StateProblem,
  unseal,
} from './seal.ts';

/** The limit for the download. It also limits the time that unpacking takes. */
const MAX_ARCHIVE_BYTES = 32 * 1024 * 1024;

const STATE_FILE = 'state.json';

export interface StateOptions {
  readonly binding: RunBinding;
  readonly key: SigningKey;
  readonly inputs: Pick<Inputs, 'name' | 'comment' | 'reuseDays'>;
  readonly context: RunContext;
  readonly api: Pick<GitHubApi, 'artifacts' | 'artifactArchive' | 'pullRequest' | 'pullRequestsOf'>;
  readonly runner: Runner;
  readonly base: Base;
  /** False for `reuse-days: 0` and dry runs. If true, the run ends when GitHub does not respond. */
  readonly canReuse: boolean;
}

/** The state in an artifact. Undefined if the artifact was deleted or has expired. */
export async function readArtifact(
  artifact: Artifact,
  options: Pick<StateOptions, 'api' | 'binding' | 'key'>,
): Promise<SavedState | StateProblem | undefined> {
  if (artifact.size > MAX_ARCHIVE_BYTES) return 'unreadable';
  const archive = await options.api.artifactArchive(artifact);
  return archive && unseal(stateIn(archive), options, artifact.runId);
}

/** Unpacks only the entry `state.json`, up to the size that the entry claims, and writes nothing to disk. */
export function stateIn(archive: Uint8Array): Uint8Array | undefined {
  try {
    return unzipSync(archive, {
      filter: ({ name, originalSize }) => name === STATE_FILE && originalSize <= MAX_STATE_BYTES,
    })[STATE_FILE];
  } catch {
    return undefined;
  }
}

/** An upload that the post step finishes if the main step is killed. The second name is used if the first is taken. */
interface PendingUpload {
  readonly names: readonly [string, string];
  readonly file: string;
  readonly retentionDays: number;
}

async function writeState(text: string, { temps }: RunContext): Promise<string> {
  return await writeTemporary(temps, STATE_FILE, async (file) => await writeFile(file, text, { flush: true }));
}

/** Tries whether a state can be written to disk, and leaves nothing. */
export async function tryOutDisk(text: string, context: RunContext): Promise<void> {
  await rm(path.dirname(await writeState(text, context)), { recursive: true });
}

/** Writes a sealed state to disk, then uploads it as an artifact of this run. Returns the path of the file. */
export function artifactWriter(options: StateOptions): (seal: () => string, kind: Binding['kind']) => Promise<string> {
  const { inputs, context, binding, runner } = options;
  const end = artifactName(inputs.name, endSlot(binding), binding);
  const open = artifactName(inputs.name, 'open', binding);
  /** The artifact names under which this process has saved a state. */
  const saved = new Set<string>();
  return async (seal, kind) => {
    const file = await writeState(seal(), context);
    runner.removeInPost(path.dirname(file));
    const names: PendingUpload['names'] = kind === 'open' ? [open, end] : [end, open];
    // A state is kept longer than the report, because without its state the gate pays for every file again.
    const retentionDays = kind === 'open' ? KEEP_OPEN_DAYS : Math.max(inputs.reuseDays, KEEP_DAYS);
    runner.saveForPost('pending-upload', JSON.stringify({ names, file, retentionDays } satisfies PendingUpload));
    const uploadAs = async (name: string): Promise<void> => {
      const artifact = { name, files: [file], retentionDays };
      try {
        await uploadArtifact(artifact);
      } catch (error) {
        if (!isNameTaken(error) || !(saved.has(name) || (await isOfEarlierAttempt(name, options)))) throw error;
        await deleteArtifact(name);
        await uploadArtifact(artifact);
      }
      saved.add(name);
    };
    // The artifact client logs every step, so its output is put into a group.
    await runner.log.group('Saving the state', async () => await uploadUnderEither(names, uploadAs));
    runner.saveForPost('pending-upload', '');
    return file;
  };
}

/** Whether the artifact is from an earlier attempt of this run. An artifact of this attempt belongs to another gate. */
async function isOfEarlierAttempt(name: string, options: StateOptions): Promise<boolean> {
  const { runId, runAttempt } = options.binding;
  if (runAttempt === 1) return false;
  const isOfRun = (artifact: Artifact): boolean => artifact.runId === runId;
  const artifact = (await options.api.artifacts(name, (page) => page.some(isOfRun))).find(isOfRun);
  const state = artifact && (await readArtifact(artifact, options));
  return typeof state === 'object' && state.binding.runAttempt < runAttempt;
}

/** Tries the second name if the first fails: an unfinished upload blocks its name for the rest of the run. */
async function uploadUnderEither(
  [name, other]: PendingUpload['names'],
  uploadAs: (name: string) => Promise<unknown>,
): Promise<void> {
  try {
    await uploadAs(name);
  } catch (first) {
    try {
      await uploadAs(other);
    } catch (second) {
      if (!isNameTaken(first) || !isNameTaken(second)) throw first;
      throw new Error(
        'its two artifact names are taken in this run. If several gates of this workflow share a `name`, give each a `name` of its own: until then, the files of a gate that cannot save its state are sent and billed in every run',
        { cause: second },
      );
    }
  }
}

/** A name is taken by an artifact or by an upload that is not finalized. Only the error's message shows this. */
function isNameTaken(error: unknown): boolean {
  return messageOf(error).includes('(409)');
}

/** In the post step, uploads the state if the main step died between writing the state to disk and uploading it. */
export async function uploadPending(pending: string, log: Log): Promise<void> {
  if (pending === '') return;
  try {
    const { names, file, retentionDays }: PendingUpload = JSON.parse(pending);
    await uploadUnderEither(names, async (name) => await uploadArtifact({ name, files: [file], retentionDays }));
    log.info(
      'The run ended before it had saved its state. The state is saved now, and the next run continues from it.',
    );
  } catch (error) {
    log.warning(
      `The run ended before it had saved its state, and it cannot be saved now: ${messageOf(error)}. The next run may send the same files again.`,
    );
  }
}
