import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { ArtifactError, deleteArtifact, uploadArtifact } from '../github/artifacts.ts';
import type { Runner } from '../github/runner.ts';
import { messageOf } from '../lib/format.ts';
import type { Log } from '../lib/log.ts';
import { readArtifact, STATE_FILE } from './archive.ts';
import type { FinderOptions } from './find-states.ts';
import type { StateKind } from './gate-id.ts';
import { newestFirst } from './history.ts';
import { writeWhole } from './state-file.ts';

interface SaveOptions extends FinderOptions {
  readonly retentionDays: (kind: StateKind) => number | undefined;
  readonly runner: Pick<Runner, 'log' | 'saveForPost'>;
}

/** An upload that the post step finishes if the main step is killed. The second name is used if the first is blocked. */
const PendingUpload = v.object({
  names: v.tuple([v.string(), v.string()]),
  file: v.string(),
  retentionDays: v.optional(v.number()),
});
type PendingUpload = v.InferOutput<typeof PendingUpload>;

/** Saves a sealed state as an artifact of this run, after it is on disk. */
export function artifactWriter(options: SaveOptions): (sealed: string, kind: StateKind) => Promise<string> {
  const { nameOf, context, runner } = options;
  /** What this process has saved under which name. */
  const own = new Map<string, StateKind>();
  let folder: string | undefined;
  return async (sealed, kind) => {
    folder ??= await mkdtemp(path.join(context.temp || tmpdir(), 'gate-state-'));
    const file = path.join(folder, kind, STATE_FILE);
    await writeWhole(file, sealed);
    const names: PendingUpload['names'] = [nameOf(kind), nameOf('rescue')];
    const pending = { names, file, retentionDays: options.retentionDays(kind) };
    runner.saveForPost(JSON.stringify(pending));
    const upload = async (name: string): Promise<void> => {
      const isOwn = async (): Promise<boolean> => own.get(name) === kind || (await isOfEarlierAttempt(name, options));
      await uploadOrReplace({ ...pending, name }, isOwn);
      own.set(name, kind);
    };
    // The artifact client logs every step.
    await runner.log.group('Saving the state', async () => await uploadUnderEither(names, upload));
    runner.saveForPost('');
    return file;
  };
}

/** What this process, or an earlier attempt of this run, has saved under the name is replaced; nothing else is. */
async function uploadOrReplace(
  { name, file, retentionDays }: Omit<PendingUpload, 'names'> & { readonly name: string },
  isOwn: () => Promise<boolean>,
): Promise<void> {
  const upload = async (): Promise<unknown> => await uploadArtifact({ name, files: [file], retentionDays });
  try {
    await upload();
  } catch (error) {
    if (!isNameTaken(error) || !(await isOwn())) throw error;
    await deleteArtifact(name);
    await upload();
  }
}

async function isOfEarlierAttempt(name: string, options: FinderOptions): Promise<boolean> {
  const { runId, runAttempt } = options.origin;
  if (runAttempt === 1) return false;
  const artifacts = await options.api.artifacts(name);
  const [artifact] = newestFirst(artifacts.filter((each) => each.runId === runId));
  const state = artifact && (await readArtifact(artifact, options));
  return typeof state === 'object' && state.binding.runAttempt < runAttempt;
}

/** An upload that was created and never finalized blocks its name for the rest of the run. */
async function uploadUnderEither(
  names: PendingUpload['names'],
  upload: (name: string) => Promise<unknown>,
): Promise<void> {
  try {
    await upload(names[0]);
  } catch (first) {
    // If nothing answers, another upload would wait as long.
    if (first instanceof ArtifactError && first.problem === 'no-answer') throw first;
    try {
      await upload(names[1]);
    } catch (second) {
      throw isNameTaken(first) && isNameTaken(second) ? new Error(describeTaken(names)) : first;
    }
  }
}

function isNameTaken(error: unknown): boolean {
  return error instanceof ArtifactError && error.problem === 'name-taken';
}

function describeTaken([first, second]: PendingUpload['names']): string {
  return `the artifact names ${first} and ${second} are taken in this run. If several gates of this workflow share a \`name\`, give each a \`name\` of its own: until then, files of a gate that cannot save its state are sent and billed in every run`;
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
