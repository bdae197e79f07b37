import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Cause, GateError, workflowOwner } from '../lib/cause.ts';
import { assertNoSymlink } from '../lib/folders.ts';
import type { FoundStates } from './history.ts';
import { type EarlierState, joinStates } from './merge.ts';
import { describeStateProblem, MAX_STATE_BYTES, type SavedState, type StateProblem, unseal } from './seal.ts';
import type { StateOptions } from './state-artifact.ts';

/** Keeps the state in a file that the workflow stores itself, as on GHES. The file may come from any run and branch. */
export function stateFile(file: string, options: Pick<StateOptions, 'context' | 'binding' | 'key'>) {
  const { workspace } = options.context;
  const readState = async (): Promise<SavedState | StateProblem | undefined> => {
    await assertNoSymlink(file, workspace, 'state-file');
    const bytes = await readBounded(file);
    return bytes === undefined ? undefined : unseal(bytes, options);
  };
  return {
    load: async (): Promise<FoundStates> => {
      const state = await readState();
      if (state === 'other-key') throw new GateError(otherKey(file));
      if (typeof state === 'string')
        return { states: [], notices: [describeStateProblem(state, `in \`state-file\` (${file})`)] };
      return { states: state ? [state] : [], notices: [] };
    },

    /** @param sealOnto adds the results to the file's current state, which another run may have changed */
    save: async (sealOnto: (now: EarlierState | undefined) => string): Promise<string> => {
      const state = await readState();
      // A sandbox run must not overwrite the state of live runs, which were billed.
      if (state === 'not-ours' || state === 'other-key')
        throw new Error(
          `\`state-file\` (${file}) belongs to another gate, another repository or another key, and was left as it is. Give each gate and each kind of key its own \`state-file\`, or delete the file if it is no longer needed`,
        );
      await writeWhole(file, sealOnto(typeof state === 'object' ? joinStates([state.document]) : undefined));
      return file;
    },
  };
}

/** With a misspelt secret the run ends before it sends a file: otherwise every file would be billed again. */
function otherKey(file: string): Cause {
  return {
    reason: 'bad-input',
    message: `\`state-file\` (${file}) was signed with another key, so it is unknown which files are paid for. Nothing was sent.`,
    steps: [
      workflowOwner(
        'Set `state-key` to the secret that signed it: the earlier `state-key`, or without one the earlier API key. If that is lost, delete the file; every file is then sent and billed again.',
      ),
    ],
  };
}

/** Undefined if the file does not exist. Empty, which is not a valid state, if the file is too large or unreadable. */
async function readBounded(file: string): Promise<Uint8Array | undefined> {
  try {
    const { size } = await stat(file);
    return size > MAX_STATE_BYTES ? new Uint8Array() : await readFile(file);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? undefined : new Uint8Array();
  }
}

/** Writes a new file and renames it: if the run dies in between, the old file stays whole. No link is followed. */
async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, text, { flush: true, flag: 'wx' });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
