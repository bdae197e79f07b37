import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { ArtifactError, uploadArtifact } from '../github/artifacts.ts';
import { GitHubError } from '../github/github-error.ts';
import type { Log } from '../lib/log.ts';
import { readArtifact, STATE_FILE } from './archive.ts';
import { bounded, describeForgotten, type StateDocument } from './document.ts';
import { type FinderOptions, findStates } from './find-states.ts';
import { newestRuns } from './history.ts';
import { seal } from './seal.ts';
import type { StateKind, StateStore } from './store.ts';

interface ArtifactStoreOptions extends FinderOptions {
  /** Uploads one file as an artifact of this run; throws an ArtifactError. */
  readonly upload: (name: string, file: string, kind: StateKind) => Promise<unknown>;
  readonly remove: (name: string) => Promise<void>;
  /** Called before an upload begins, and with undefined when it has ended, so that the post step can finish it. */
  readonly onPending: (kind: StateKind, pending: PendingUpload | undefined) => void;
  /** A folder of this step alone, in which files are written before they are uploaded. */
  readonly claimFolder: () => string;
  /** Once it is aborted there are only seconds left, and the post step finishes what is under way. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** State in workflow artifacts, found again by their exact names. */
export function createArtifactStore(options: ArtifactStoreOptions): StateStore {
  const { origin, key, nameOf, onPending, log, signal } = options;
  /** What this process has saved under which name. */
  const own = new Map<string, StateKind>();
  let folder: string | undefined;
  return {
    load: async (needs) => await findStates(options, needs),

    async save(kind, document) {
      const kept = kind === 'open' ? onlyOpen(document) : bounded(document);
      const forgotten = kind === 'open' ? undefined : describeForgotten(document, kept);
      if (forgotten !== undefined) log.warning(forgotten);
      folder ??= options.claimFolder();
      const file = path.join(folder, kind, STATE_FILE);
      await writeWhole(file, seal(kept, { ...origin, kind, savedAt: new Date().toISOString() }, key));
      const names = [nameOf(kind), nameOf('rescue')] as const;
      onPending(kind, { names, file });
      const save = async (name: string): Promise<void> => {
        const upload = async (): Promise<unknown> => await options.upload(name, file, kind);
        try {
          await upload();
        } catch (error) {
          // What this process, or an earlier attempt of this run, has saved under the name is replaced; nothing else is.
          if (!isNameTaken(error)) throw error;
          if (own.get(name) !== kind && !(await isOfEarlierAttempt(name, options))) throw error;
          await options.remove(name).catch(() => {
            throw error;
          });
          await upload();
        }
        own.set(name, kind);
      };
      // The artifact client logs every step.
      await log.group('Saving the state', async () => await finishInTime(saveUnderEither(names, save), signal));
      onPending(kind, undefined);
      return file;
    },
  };
}

/** The rest is in the artifact of an earlier run, and a short file is on disk sooner. */
function onlyOpen({ open }: StateDocument): StateDocument {
  return { contents: [], paths: [], open };
}

/** Renamed, because the post step uploads whatever a killed run has left. */
async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${file}.tmp`, text, { flush: true });
  await rename(`${file}.tmp`, file);
}

type Names = PendingUpload['names'];

/** An upload that was created and never finalized blocks its name for the rest of the run. */
async function saveUnderEither(names: Names, save: (name: string) => Promise<unknown>): Promise<void> {
  try {
    await save(names[0]);
  } catch (first) {
    // If nothing answers, another upload would wait as long.
    if (!(first instanceof ArtifactError) || first.problem === 'no-answer') throw first;
    try {
      await save(names[1]);
    } catch (second) {
      throw isNameTaken(first) && isNameTaken(second) ? new Error(describeTaken(names)) : first;
    }
  }
}

function isNameTaken(error: unknown): boolean {
  return error instanceof ArtifactError && error.problem === 'name-taken';
}

function describeTaken([first, second]: Names): string {
  return `the artifact names ${first} and ${second} are taken in this run. If several gates of this workflow share a \`name\`, give each a \`name\` of its own: until then, files of a gate that cannot save its state are sent and billed in every run`;
}

async function isOfEarlierAttempt(name: string, options: ArtifactStoreOptions): Promise<boolean> {
  const { runId, runAttempt } = options.origin;
  if (runAttempt === 1) return false;
  try {
    const artifacts = await options.api.artifacts(name);
    const [artifact] = newestRuns(artifacts.filter((each) => each.runId === runId));
    const state = artifact && (await readArtifact(artifact, options));
    return state?.ok === true && state.value.binding.runAttempt < runAttempt;
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return false;
  }
}

/** The runner waits 7.5 seconds after it has asked a step to stop; the report is still to be written after this. */
const STOP_GRACE_MS = 5_000;

/** An upload that is broken off blocks its name, so one that is under way is given the time that is left. */
async function finishInTime(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => void (timer = setTimeout(() => reject(signal.reason), STOP_GRACE_MS));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await Promise.race([work, stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

const SavedForPost = v.object({
  names: v.tuple([v.string(), v.string()]),
  file: v.string(),
  retentionDays: v.optional(v.number()),
});

/** An upload that a killed run leaves to the post step. */
interface PendingUpload {
  /** The second is used if the first is blocked. */
  readonly names: readonly [first: string, second: string];
  readonly file: string;
}

/** What the runner keeps for the post step. */
export function formatPending(pending: PendingUpload | undefined, retentionDays: number | undefined): string {
  return pending ? JSON.stringify({ ...pending, retentionDays }) : '';
}

/** The post step: finishes what a main step began that died between saving its state to disk and uploading it. */
export async function uploadPending(saved: string, log: Log): Promise<void> {
  if (saved === '') return;
  try {
    const { names, file, retentionDays } = v.parse(SavedForPost, JSON.parse(saved));
    await saveUnderEither(names, async (name) => await uploadArtifact({ name, files: [file], retentionDays }));
    log.info('The run ended before it had saved its state; it is saved now, and the next run goes on from there.');
  } catch (error) {
    log.warning(
      `The run ended before it had saved its state, and it cannot be saved now: ${error instanceof Error ? error.message : String(error)}. The next run may send the same files again.`,
    );
  }
}
