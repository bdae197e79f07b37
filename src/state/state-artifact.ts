import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type UnzipFileInfo, unzipSync } from 'fflate';
import type { GitHubApi } from '../github/api.ts';
import { type Artifact, deleteArtifact, uploadArtifact } from '../github/artifacts.ts';
import type { RunContext } from '../github/context.ts';
import type { Log, Runner } from '../github/runner.ts';
import type { Inputs } from '../inputs/parse.ts';
import { writeTemporary } from '../lib/folders.ts';
import { messageOf } from '../lib/format.ts';
import type { Base } from './baseline.ts';
import { KEEP_DAYS, type StateDocument } from './document.ts';
import { artifactName, slotsFor } from './gate-id.ts';
import { holds } from './merge.ts';
import { type Binding, MAX_STATE_BYTES, type SavedState, type SealOptions, StateProblem, unseal } from './seal.ts';

/** What reading and saving the states of a gate needs. */
export interface StateOptions extends SealOptions {
  readonly inputs: Pick<Inputs, 'name' | 'comment' | 'reuseDays'>;
  readonly context: RunContext;
  readonly api: Pick<GitHubApi, 'artifacts' | 'artifactArchive' | 'pullRequest' | 'pullRequestsOf'>;
  readonly runner: Runner;
  /** Undefined if the run needs no baseline. */
  readonly base?: Base | undefined;
  /** False for `reuse-days: 0` and dry runs. If true, the run ends if a request for states fails. */
  readonly canReuse: boolean;
}

const STATE_FILE = 'state.json';
/** At most this many pages of each list of artifacts are read. */
export const MAX_PAGES = 10;

/** The state in an artifact, or why there is none. */
export async function readArtifact(
  artifact: Artifact,
  options: SealOptions & { readonly api: Pick<GitHubApi, 'artifactArchive'> },
): Promise<SavedState | StateProblem> {
  if (artifact.size > MAX_STATE_BYTES) return new StateProblem('unreadable', artifact);
  const archive = await options.api.artifactArchive(artifact);
  return archive ? unseal(stateIn(archive), artifact, options) : new StateProblem('missing', artifact);
}

/**
 * Unpacks `state.json` in memory. Undefined if the archive is damaged, too large, or has any other entry: entries may
 * share their bytes, so unpacking a small archive of many entries would take minutes.
 */
export function stateIn(archive: Uint8Array): Uint8Array | undefined {
  const entries: UnzipFileInfo[] = [];
  try {
    unzipSync(archive, {
      filter: (entry) => {
        if (entries.push(entry) > 1) throw new Error('The archive has a second entry.');
        return false;
      },
    });
    const [{ name, originalSize } = { name: '', originalSize: 0 }] = entries;
    return name === STATE_FILE && originalSize <= MAX_STATE_BYTES ? unzipSync(archive)[name] : undefined;
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

async function writeState(text: string, { temps }: RunContext): Promise<string> {
  return await writeTemporary(temps, STATE_FILE, async (file) => await writeFile(file, text, { flush: true }));
}

/** Keeps the state in artifacts of the runs. */
export function stateArtifacts(options: StateOptions) {
  const { inputs, context, binding, runner } = options;
  /** The names under which this process has uploaded a state. If any other name is taken, another gate may use it. */
  const uploaded = new Set<string>();
  return {
    /** Tries whether a state can be written to disk, and leaves nothing. */
    tryOut: async (text: string): Promise<void> => {
      await rm(path.dirname(await writeState(text, context)), { recursive: true });
    },

    /**
     * Writes a sealed state to disk, and uploads it under the first name that is free. What this run has saved under
     * the names before is joined with the state. If no name is free, an artifact of this run whose records another one
     * holds is deleted; nothing else is. Returns the path of the file.
     */
    save: async (sealWith: (others: readonly StateDocument[]) => string, kind: Binding['kind']): Promise<string> => {
      const names = slotsFor(kind, binding).map((slot) => artifactName(inputs.name, slot, binding));
      // A final state is kept longer than the report: without it, the gate pays for every file again.
      const retentionDays = Math.max(inputs.reuseDays, KEEP_DAYS);
      /** What this run has saved under names that are taken. */
      const taken = new Map<string, SavedState>();
      let file = '';
      const uploadJoined = async (name: string): Promise<boolean> => {
        // Always a new file, so that the post step never finds one that is half written.
        file = await writeState(sealWith([...taken.values()].map(({ document }) => document)), context);
        runner.removeInPost(path.dirname(file));
        runner.saveForPost('pending-upload', JSON.stringify({ names, file, retentionDays } satisfies PendingUpload));
        const isFree = await uploadIfFree(name, file, retentionDays);
        const state = isFree ? undefined : await readTaken(name, options);
        if (state) taken.set(name, state);
        if (isFree) uploaded.add(name);
        return isFree;
      };
      // The artifact client logs every step, so its output is put into a group.
      await runner.log.group('Saving the state', async () => {
        try {
          await uploadUnderOneOf(names, uploadJoined);
        } catch (error) {
          const name = findReplaceable(taken);
          if (name === undefined) throw error;
          await deleteArtifact(name);
          taken.delete(name);
          await uploadUnderOneOf([name], uploadJoined);
        }
      });
      runner.saveForPost('pending-upload', '');
      for (const [name, state] of taken)
        if (!uploaded.has(name) && state.binding.runAttempt === binding.runAttempt) runner.log.warning(NAME_SHARED);
      return file;
    },
  };
}

const NAMES_TAKEN =
  'its artifact names are taken in this run. If several gates of this workflow share a `name`, give each a `name` of its own: until then, the files of a gate that cannot save its state are sent and billed in every run';

const NAME_SHARED =
  'Another gate of this run saves its state under the same artifact names. Give each gate a `name` of its own: gates with one name that run at the same time send and bill the same files.';

/** Tries the next name if one is taken or fails: an unfinished upload blocks its name for the rest of the run. */
async function uploadUnderOneOf(names: readonly string[], upload: (name: string) => Promise<boolean>): Promise<void> {
  const failures: unknown[] = [];
  for (const name of names) {
    // After two failures, the storage itself fails, and another name does not help.
    if (failures.length > 1) break;
    try {
      if (await upload(name)) return;
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures[0] ?? new Error(NAMES_TAKEN);
}

/** False if the name is taken by an artifact or by an unfinished upload. Only the message of the error shows this. */
async function uploadIfFree(name: string, file: string, retentionDays: number): Promise<boolean> {
  try {
    await uploadArtifact({ name, files: [file], retentionDays });
    return true;
  } catch (error) {
    if (messageOf(error).includes('(409)')) return false;
    throw error;
  }
}

/** What this run, or an earlier attempt of it, has saved under a name that is taken. Undefined if it cannot be read. */
async function readTaken(name: string, options: StateOptions): Promise<SavedState | undefined> {
  try {
    for (let page = 1, isCut = true; isCut && page <= MAX_PAGES; page++) {
      const list = await options.api.artifacts(name, page);
      const saved = list.items.find(({ runId, isExpired }) => runId === options.binding.runId && !isExpired);
      const state = saved && (await readArtifact(saved, options));
      if (state) return state instanceof StateProblem ? undefined : state;
      ({ isCut } = list);
    }
  } catch {}
  return undefined;
}

/** A name whose artifact can be deleted, because another one has all its records. The kind `open` is preferred. */
export function findReplaceable(taken: ReadonlyMap<string, SavedState>): string | undefined {
  const states = [...taken].toSorted(([, a], [, b]) => a.binding.kind.localeCompare(b.binding.kind));
  const isHeld = ([name, { document }]: [string, SavedState]): boolean =>
    states.some(([other, state]) => other !== name && holds(state.document, document));
  return states.find(isHeld)?.[0];
}

/** In the post step, uploads the state if the main step died between writing the state to disk and uploading it. */
export async function uploadPending(pending: string, log: Log): Promise<void> {
  if (pending === '') return;
  try {
    const { names, file, retentionDays }: PendingUpload = JSON.parse(pending);
    await uploadUnderOneOf(names, async (name) => await uploadIfFree(name, file, retentionDays));
    log.info('The run had not saved its state. It is saved now, and the next run continues from it.');
  } catch (error) {
    log.warning(
      `The run could not save its state, and it cannot be saved now either: ${messageOf(error)}. The next run may send the same files again.`,
    );
  }
}
