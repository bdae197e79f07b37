import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { ArtifactError, uploadArtifact } from '../github/artifacts.ts';
import { sleep } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { STATE_FILE } from './archive.ts';
import { bounded, describeForgotten, type StateDocument } from './document.ts';
import { contains, joined } from './earlier-state.ts';
import { byHistory, findStates } from './find-states.ts';
import { artifactNames } from './gate-id.ts';
import { type SavedState, seal } from './seal.ts';
import { type FinderOptions, listArtifacts, Notices, queryFor, readArtifact } from './state-artifacts.ts';
import type { StateKind, StateStore } from './store.ts';

interface ArtifactStoreOptions extends FinderOptions {
  /** Uploads one file as an artifact of this run; throws an ArtifactError. */
  readonly upload: (upload: {
    readonly name: string;
    readonly file: string;
    readonly kind: StateKind;
  }) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  /** Called before an upload begins and after it ended, so that the post step can finish what a killed run began. */
  readonly onPending: (kind: StateKind, pending: readonly PendingUpload[]) => void;
  /** A folder of this step alone, in which files are written before they are uploaded. */
  readonly claimFolder: () => string;
  /** Once it is aborted there are only seconds left, and the post step finishes what is under way. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** State in workflow artifacts, found again by their exact names. */
export function createArtifactStore(options: ArtifactStoreOptions): StateStore {
  const { log, onPending, signal } = options;
  let claimed: string | undefined;
  return {
    load: async (needs) => await findStates(options, needs),

    async save(kind, document, scopes = [options.binding.scope]) {
      const kept = kind === 'open' ? onlyOpen(document) : bounded(document);
      const forgotten = kind === 'open' ? undefined : describeForgotten(document, kept);
      if (forgotten !== undefined) log.warning(forgotten);
      claimed ??= options.claimFolder();
      const folder = claimed;
      const drafts = scopes.map((scope, index): Draft => {
        const binding = { ...options.binding, scope };
        const file = path.join(folder, index === 0 ? kind : `${kind}-${index + 1}`, STATE_FILE);
        return {
          kind,
          file,
          names: artifactNames(options.gateName, { ...binding, kind }),
          options: { ...options, binding },
        };
      });
      for (const draft of drafts) await writeDraft(draft, kept);
      onPending(kind, drafts);
      const uploadAll = async (): Promise<void> => {
        for (const [index, draft] of drafts.entries()) {
          await uploadDraft(draft, kept);
          onPending(kind, drafts.slice(index + 1));
        }
      };
      // The artifact client logs every step.
      await log.group('Saving the state', async () => await finishInTime(uploadAll(), signal));
      return drafts[0]?.file ?? '';
    },
  };
}

/** The rest is in the artifact of an earlier run, and a short file is on disk sooner. */
function onlyOpen({ open }: StateDocument): StateDocument {
  return { contents: [], paths: [], open };
}

/** A file that is to be uploaded, and the two names that it may get. */
interface Draft extends Pick<PendingUpload, 'names' | 'file'> {
  readonly kind: StateKind;
  readonly options: ArtifactStoreOptions;
}

async function writeDraft({ kind, file, options: { binding, key } }: Draft, document: StateDocument): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const sealed = seal(document, { ...binding, kind, savedAt: new Date().toISOString() }, key);
  // Renamed, because the post step uploads whatever a killed run has left.
  await writeFile(`${file}.tmp`, sealed, { flush: true });
  await rename(`${file}.tmp`, file);
}

/** A state that this very run has saved already: another gate with the same identity did. */
interface OwnSave {
  readonly name: string;
  readonly artifactId: number;
  readonly state: SavedState | undefined;
}

export async function findOwnSaves(kind: StateKind, options: FinderOptions): Promise<readonly OwnSave[]> {
  const { scope, runId } = options.binding;
  const notices = new Notices(false);
  const queries = [kind, `${kind}-2` as const].map((slot) => queryFor(scope, slot, options));
  const lists = await Promise.all(queries.map(async (query) => await listArtifacts(query, options, notices)));
  const saved = lists.flatMap((candidates) =>
    candidates
      .filter((each) => each.runId === runId)
      .toSorted(byHistory)
      .slice(0, 1),
  );
  return await Promise.all(
    saved.map(async (candidate) => ({
      name: candidate.name,
      artifactId: candidate.artifact.id,
      state: await readArtifact(candidate, options, notices),
    })),
  );
}

/** How often the two names are looked at while other gates with the same identity save in this run. */
const MAX_TRIES = 16;
/** After this time no further try begins, for example because GitHub does not answer. */
const MAX_TRIES_MS = 60_000;
/** How often a name may be taken although no artifact is listed under it: another upload may be under way. */
const MAX_UNSEEN = 4;
const PAUSE_MS = 700;

/**
 * The first name is free unless an upload was broken off, or another gate of the same identity saves in this run. Then all
 * that is there is read and joined with ours. A name is freed only if the other one holds everything that it holds.
 */
async function uploadDraft(draft: Draft, document: StateDocument): Promise<void> {
  const { kind, file, names, options } = draft;
  const unseen = new Map<string, number>();
  const tryName = async (name: string): Promise<boolean> => {
    try {
      await options.upload({ name, file, kind });
      return true;
    } catch (error) {
      if (!(error instanceof ArtifactError) || error.problem !== 'name-taken') throw error;
      unseen.set(name, (unseen.get(name) ?? 0) + 1);
      return false;
    }
  };
  if (await tryName(names[0])) return;
  let all = document;
  let isUploaded = false;
  const deadline = Date.now() + MAX_TRIES_MS;
  for (let attempt = 1; attempt <= MAX_TRIES && Date.now() < deadline; attempt++) {
    const saves = await findOwnSaves(kind, options);
    // Without the permission to read, an upload that succeeded is all there is to know.
    const isDone =
      saves.length === 0 ? isUploaded : saves.some(({ state }) => state && contains(state.document, document));
    if (isDone) return;
    for (const { name } of saves) unseen.delete(name);
    all = joined([all, ...saves.flatMap(({ state }) => (state ? [state.document] : []))]);
    await writeDraft(draft, bounded(all));
    const spare = saves.length === names.length ? spareOf(saves, attempt > MAX_TRIES / 2) : undefined;
    if (spare) await free(spare, options);
    const target = names.find(
      (name) =>
        (name === spare?.name || saves.every((save) => save.name !== name)) && (unseen.get(name) ?? 0) < MAX_UNSEEN,
    );
    if (target !== undefined) isUploaded = await tryName(target);
    // Looked at again even after an upload: another gate may have freed the same name at the same time.
    await sleep(PAUSE_MS * (0.5 + Math.random()), options.signal);
  }
  if (!isUploaded) throw new Error('both names of the artifact are taken, and none of them could be freed');
}

/** Of two saved states the one that the other contains. As the last resort the second: our file contains both by then. */
function spareOf([one, two]: readonly OwnSave[], isLastResort: boolean): OwnSave | undefined {
  if (!one?.state || !two?.state) return undefined;
  if (contains(two.state.document, one.state.document)) return one;
  return isLastResort || contains(one.state.document, two.state.document) ? two : undefined;
}

async function free({ name, artifactId }: OwnSave, { api, remove, log }: ArtifactStoreOptions): Promise<void> {
  try {
    // Another gate may have freed it already and put its own state there.
    const isUnchanged = (await api.artifacts(name)).some(({ id }) => id === artifactId);
    if (isUnchanged) await remove(name);
  } catch (error) {
    log.info(`The artifact ${name} stays: ${error instanceof Error ? error.message : String(error)}`);
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

const PendingUploads = v.object({
  uploads: v.array(v.object({ names: v.tuple([v.string(), v.string()]), file: v.string() })),
  retentionDays: v.optional(v.number()),
});

/** An upload that a killed run leaves to the post step. */
interface PendingUpload {
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
