import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Artifact } from '../github/api-schemas.ts';
import { deleteArtifact, uploadArtifact } from '../github/artifacts.ts';
import type { RunContext } from '../github/context.ts';
import type { Log } from '../github/runner.ts';
import { writeTemporary } from '../lib/folders.ts';
import { messageOf } from '../lib/format.ts';
import { KEEP_DAYS, KEEP_OPEN_DAYS, type StateDocument } from './document.ts';
import type { StateOptions } from './find-states.ts';
import { artifactName, endSlot, SLOTS, type Slot } from './gate-id.ts';
import { readArtifact, STATE_FILE } from './read-artifact.ts';
import { MAX_PAGES } from './reading-order.ts';
import { holds } from './records.ts';
import { type Binding, type SavedState, StateProblem } from './seal.ts';

/** An upload that the post step makes if the main step is killed. The names are tried in this order. */
interface PendingUpload {
  readonly names: readonly string[];
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
export function artifactWriter(
  options: StateOptions,
): (sealWith: (others: readonly StateDocument[]) => string, kind: Binding['kind']) => Promise<string> {
  const { inputs, context, binding, runner } = options;
  const nameOf = (slot: Slot): string => artifactName(inputs.name, slot, binding);
  const [end, open] = [nameOf(endSlot(binding)), nameOf('open')];
  /** The names under which this process has uploaded a state. If any other name is taken, another gate may use it. */
  const uploaded = new Set<string>();
  return async (sealWith, kind) => {
    const preferred = kind === 'open' ? [open, end] : [end, open];
    const names = [...new Set([...preferred, ...SLOTS.map(nameOf)])];
    // A state is kept longer than the report, because without its state the gate pays for every file again.
    const retentionDays = kind === 'open' ? KEEP_OPEN_DAYS : Math.max(inputs.reuseDays, KEEP_DAYS);
    /** The states of this run by the name that they take up. They are joined with the state that is saved. */
    const taken = new Map<string, SavedState>();
    let file = '';
    /** Always writes a new file, so that the post step never finds one that is half written. */
    const uploadAs = async (name: string): Promise<void> => {
      file = await writeState(sealWith([...taken.values()].map(({ document }) => document)), context);
      runner.removeInPost(path.dirname(file));
      runner.saveForPost('pending-upload', JSON.stringify({ names, file, retentionDays } satisfies PendingUpload));
      try {
        await uploadArtifact({ name, files: [file], retentionDays });
        uploaded.add(name);
      } catch (error) {
        const state = isNameTaken(error) ? await stateOfThisRun(name, options) : undefined;
        if (state) taken.set(name, state);
        throw error;
      }
    };
    // The artifact client logs every step, so its output is put into a group.
    await runner.log.group('Saving the state', async () => {
      try {
        await uploadUnderOneOf(names, uploadAs);
      } catch (error) {
        const name = findReplaceable(taken);
        if (name === undefined) throw error;
        await deleteArtifact(name);
        taken.delete(name);
        await uploadUnderOneOf([name], uploadAs);
      }
    });
    runner.saveForPost('pending-upload', '');
    for (const [name, state] of taken)
      if (!uploaded.has(name) && state.binding.runAttempt === binding.runAttempt) runner.log.warning(NAME_SHARED);
    return file;
  };
}

const NAMES_TAKEN =
  'its artifact names are taken in this run. If several gates of this workflow share a `name`, give each a `name` of its own: until then, the files of a gate that cannot save its state are sent and billed in every run';

const NAME_SHARED =
  'Another gate of this run saves its state under the same artifact names. Give each gate a `name` of its own: gates with one name that run at the same time send and bill the same files.';

/** The state that this run, or an earlier attempt of it, saved under a name. Undefined if there is none to be read. */
async function stateOfThisRun(name: string, options: StateOptions): Promise<SavedState | undefined> {
  const isOfRun = ({ runId, isExpired }: Artifact): boolean => runId === options.binding.runId && !isExpired;
  try {
    for (let page = 1, hasMore = true; hasMore && page <= MAX_PAGES; page++) {
      const list = await options.api.artifacts(name, page);
      const artifact = list.items.find(isOfRun);
      const state = artifact && (await readArtifact(artifact, options));
      if (state) return state instanceof StateProblem ? undefined : state;
      hasMore = list.hasMore;
    }
    return undefined;
  } catch {
    return undefined;
  }
}

/** A name whose artifact can be deleted, because another one has all its records. The kind `open` is preferred. */
export function findReplaceable(taken: ReadonlyMap<string, SavedState>): string | undefined {
  const states = [...taken].toSorted(([, a], [, b]) => a.binding.kind.localeCompare(b.binding.kind));
  const isHeld = ([name, { document }]: [string, SavedState]): boolean =>
    states.some(([other, state]) => other !== name && holds(state.document, document));
  return states.find(isHeld)?.[0];
}

/** Tries the next name if one fails: an unfinished upload blocks its name for the rest of the run. */
async function uploadUnderOneOf(names: readonly string[], uploadAs: (name: string) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const name of names) {
    // After two failures for other reasons than a taken name, the storage itself fails, and another name does not help.
    if (failures.length > 1) break;
    try {
      await uploadAs(name);
      return;
    } catch (error) {
      if (!isNameTaken(error)) failures.push(error);
    }
  }
  throw failures[0] ?? new Error(NAMES_TAKEN);
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
    const uploadAs = async (name: string) => await uploadArtifact({ name, files: [file], retentionDays });
    await uploadUnderOneOf(names, uploadAs);
    log.info(
      'The run ended before it had saved its state. The state is saved now, and the next run continues from it.',
    );
  } catch (error) {
    log.warning(
      `The run ended before it had saved its state, and it cannot be saved now: ${messageOf(error)}. The next run may send the same files again.`,
    );
  }
}
