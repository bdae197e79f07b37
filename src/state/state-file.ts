import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { GateError, workflowOwner } from '../lib/cause.ts';
import { assertNoSymlink, isSystemError } from '../lib/folders.ts';
import { messageOf } from '../lib/format.ts';
import type { StateDocument } from './document.ts';
import type { FoundStates } from './history.ts';
import { describeStateProblem, MAX_STATE_BYTES, type SavedState, type StateProblem, unseal } from './seal.ts';
import type { StateOptions } from './state-artifact.ts';

/** Keeps the state in a file that the workflow stores itself, as on GHES. The file may come from any run and branch. */
export function stateFile(
  file: string,
  options: Pick<StateOptions, 'context' | 'binding' | 'key'> & { readonly isDryRun: boolean },
) {
  const { workspace } = options.context;
  /** Throws if the file must be neither ignored nor overwritten: it may be the proof of what is paid for. */
  const readState = async (): Promise<SavedState | StateProblem | undefined> => {
    await assertNoSymlink(file, workspace, 'state-file');
    const bytes = await readBounded(file);
    const state = bytes && unseal(bytes, options);
    const refusal = typeof state === 'string' ? REFUSALS[state] : undefined;
    if (refusal) throw refused(file, ...refusal);
    return state;
  };
  return {
    load: async (): Promise<FoundStates> => {
      try {
        const state = await readState();
        if (typeof state !== 'string') return { states: state ? [state] : [], notices: [] };
        return { states: [], notices: [describeStateProblem(state, file)] };
      } catch (error) {
        if (!options.isDryRun) throw error;
        return { states: [], notices: [messageOf(error)] };
      }
    },

    /** Tries whether a state can be written, without changing the file. */
    tryOut: async (text: string): Promise<void> => {
      try {
        const draft = await writeDraft(file, text);
        await rm(draft);
        const isNew = (await readBounded(file)) === undefined;
        if (!isNew) await (await open(file, 'r+')).close();
      } catch (error) {
        throw new Error(`${file} (${messageOf(error)})`, { cause: error });
      }
    },

    /** @param sealWith adds the file's current state, which another run may have changed, to the results */
    save: async (sealWith: (others: readonly StateDocument[]) => string): Promise<string> => {
      const state = await readState();
      await writeWhole(file, sealWith(typeof state === 'object' ? [state.document] : []));
      return file;
    },
  };
}

/** Why a file is not overwritten, and what to do about it. A sandbox run, for example, must not replace paid results. */
const REFUSALS: Readonly<Partial<Record<StateProblem, readonly [problem: string, fix: string]>>> = {
  'other-key': [
    'was signed with another key',
    'Set `state-key` to the secret that signed it: the earlier `state-key`, or without one the earlier API key. If that is lost, delete the file; every file is then sent again.',
  ],
  'not-ours': [
    'belongs to another gate (name, workflow, job or matrix leg), repository or kind of API key',
    'Give each gate and each kind of key its own `state-file`. If the job, workflow or repository was only renamed, delete the file; every file is then sent again. If the file comes from a cache, change the key of the cache.',
  ],
  newer: [
    'was saved by a newer version of this action',
    'Use that version, or set another `state-file`; every file is then sent again.',
  ],
};

/** The run ends before it sends a file: otherwise every file would be billed again, in every run. */
function refused(file: string, problem: string, fix: string): GateError {
  const message = `\`state-file\` (${file}) ${problem}, so it is unknown which files were sent before. It was left as it is.`;
  return new GateError({ reason: 'bad-input', message, steps: [workflowOwner(fix)] });
}

/** Undefined if the file does not exist. Empty, which is not a valid state, if the file is too large. */
async function readBounded(file: string): Promise<Uint8Array | undefined> {
  try {
    const { size } = await stat(file);
    return size > MAX_STATE_BYTES ? new Uint8Array() : await readFile(file);
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    const fix =
      "Give the job's user read and write access to the file. If it is a folder, as Docker makes one for a missing mount, remove it.";
    throw refused(file, `cannot be read (${messageOf(error)})`, fix);
  }
}

/** Writes a new file and renames it: if the run dies in between, the old file stays whole. No link is followed. */
async function writeWhole(file: string, text: string): Promise<void> {
  const draft = await writeDraft(file, text);
  try {
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    // A file that is mounted into a container can only be written in place.
    if (!isSystemError(error) || error.code !== 'EBUSY') throw error;
    await writeFile(file, text, { flush: true });
  }
}

/** Writes beside the file, and returns the path. */
async function writeDraft(file: string, text: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, text, { flush: true, flag: 'wx' });
    return draft;
  } catch (error) {
    await rm(draft, { force: true });
    // The random name would make the same warning look like another one.
    throw new Error(messageOf(error).replace(draft, file), { cause: error });
  }
}
