import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { ArtifactError, deleteArtifact, uploadArtifact } from '../github/artifacts.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { messageOf } from '../lib/format.ts';
import type { Log } from '../lib/log.ts';
import { readArtifact, STATE_FILE, type StateOptions } from './archive.ts';
import { KEEP_OPEN_DAYS } from './document.ts';
import { artifactName, type StateKind } from './gate-id.ts';
import { newestFirst } from './history.ts';

/** An upload that the post step finishes if the main step is killed. The second name is used if the first is blocked. */
const PendingUpload = v.object({
  names: v.tuple([v.string(), v.string()]),
  file: v.string(),
  retentionDays: v.number(),
});
type PendingUpload = v.InferOutput<typeof PendingUpload>;

/** Saves a sealed state as an artifact of this run, after it is on disk. */
export function artifactWriter(options: StateOptions): (sealed: string, kind: StateKind) => Promise<string> {
  const { inputs, context, origin, runner } = options;
  /** What this process has saved under which name. */
  const own = new Map<string, StateKind>();
  return async (sealed, kind) => {
    const file = path.join(await mkdtemp(path.join(context.temp, 'gate-state-')), STATE_FILE);
    await writeFile(file, sealed, { flush: true });
    const names: PendingUpload['names'] = [
      artifactName(inputs.name, kind, origin),
      artifactName(inputs.name, 'rescue', origin),
    ];
    const retentionDays = retentionOf(kind, inputs);
    runner.saveForPost(JSON.stringify({ names, file, retentionDays } satisfies PendingUpload));
    const upload = async (name: string): Promise<void> => {
      const artifact = { name, files: [file], retentionDays };
      try {
        await uploadArtifact(artifact);
      } catch (error) {
        if (!isNameTaken(error)) throw error;
        // What this process, or an earlier attempt of this run, has saved is replaced; nothing else is.
        const isOwn = own.get(name) === kind || (await isOfEarlierAttempt(name, options));
        if (!isOwn) throw error;
        await deleteArtifact(name);
        await uploadArtifact(artifact);
      }
      own.set(name, kind);
    };
    // The artifact client logs every step.
    await runner.log.group('Saving the state', async () => await uploadUnderEither(names, upload));
    runner.saveForPost('');
    return file;
  };
}

const MIN_STATE_DAYS = 90;

/** Not the time of the report: without its state, every file is billed again. An open submission is given up earlier. */
function retentionOf(kind: StateKind, { reuseDays }: Inputs): number {
  return kind === 'open' ? KEEP_OPEN_DAYS : Math.max(reuseDays, MIN_STATE_DAYS);
}

async function isOfEarlierAttempt(name: string, options: StateOptions): Promise<boolean> {
  const { runId, runAttempt } = options.origin;
  if (runAttempt === 1) return false;
  const artifacts = await options.api.artifacts(name);
  const [artifact] = newestFirst(artifacts.filter((each) => each.runId === runId));
  const state = artifact && (await readArtifact(artifact, options));
  return typeof state === 'object' && state.binding.runAttempt < runAttempt;
}

/** An upload that was created and never finalized blocks its name for the rest of the run. */
async function uploadUnderEither(
  [name, rescue]: PendingUpload['names'],
  upload: (name: string) => Promise<unknown>,
): Promise<void> {
  try {
    await upload(name);
  } catch (first) {
    // If nothing answers, another upload would wait as long.
    if (first instanceof ArtifactError && first.problem === 'no-answer') throw first;
    try {
      await upload(rescue);
    } catch (second) {
      if (!isNameTaken(first) || !isNameTaken(second)) throw first;
      throw new Error(
        `the artifact names ${name} and ${rescue} are taken in this run. If several gates of this workflow share a \`name\`, give each a \`name\` of its own: until then, files of a gate that cannot save its state are sent and billed in every run`,
        { cause: second },
      );
    }
  }
}

function isNameTaken(error: unknown): boolean {
  return error instanceof ArtifactError && error.problem === 'name-taken';
}

/** The post step: finishes what a main step began that died between saving its state to disk and uploading it. */
export async function uploadPending(saved: string, log: Log): Promise<void> {
  if (saved === '') return;
  try {
    const { names, file, retentionDays } = v.parse(PendingUpload, JSON.parse(saved));
    await uploadUnderEither(names, async (name) => await uploadArtifact({ name, files: [file], retentionDays }));
    log.info('The run ended before it had saved its state; it is saved now, and the next run goes on from there.');
  } catch (error) {
    log.warning(
      `The run ended before it had saved its state, and it cannot be saved now: ${messageOf(error)}. The next run may send the same files again.`,
    );
  }
}
