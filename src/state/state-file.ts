import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Cause, GateError, workflowOwner } from '../lib/cause.ts';
import { assertNoSymlink } from '../lib/folders.ts';
import type { StateOptions } from './archive.ts';
import { EarlierState, type LoadedStates, loadedStates, type StateNeeds } from './earlier-state.ts';
import { isOfBaseCommit } from './history.ts';
import { describeStateProblem, MAX_STATE_BYTES, type SavedState, type StateProblem, unseal } from './seal.ts';

/** State in a file that the workflow keeps itself: on GHES, or in other storage. It may be of any run and branch. */
export function stateFile(file: string, { context, binding, key }: Pick<StateOptions, 'context' | 'binding' | 'key'>) {
  const { workspace } = context;
  const { repositoryId, gate, mode } = binding;
  const read = async (): Promise<SavedState | StateProblem | undefined> => {
    await assertNoSymlink({ path: file, workspace, input: 'state-file' });
    const bytes = await readBounded(file);
    return bytes instanceof Uint8Array ? unseal(bytes, { repositoryId, gate, mode }, key) : bytes;
  };
  return {
    load: async ({ hasBaseline }: Pick<StateNeeds, 'hasBaseline'>): Promise<LoadedStates> => {
      const state = await read();
      if (state === undefined) return loadedStates([], []);
      if (state === 'other-key') throw new GateError(otherKey(file));
      if (typeof state === 'string')
        return loadedStates([], [describeStateProblem(state, `in \`state-file\` (${file})`)]);
      // A pull request can bring an old file along, so only the state of exactly the base commit is a baseline.
      const baseline = hasBaseline && isOfBaseCommit(state, context) ? state : undefined;
      return loadedStates([state], [], baseline);
    },

    /** @param sealOnto what is saved, on what the file holds by now: another run may have written it since it was loaded */
    write: async (sealOnto: (now: EarlierState | undefined) => string): Promise<string> => {
      const state = await read();
      // A sandbox run must not overwrite what live runs have paid for.
      if (state === 'not-ours' || state === 'other-key')
        throw new Error(
          `\`state-file\` (${file}) belongs to another gate, another repository or another key, and was left as it is. Give each gate and each kind of key its own \`state-file\`, or delete the file if it is no longer needed`,
        );
      await writeWhole(file, sealOnto(typeof state === 'object' ? new EarlierState([state.document]) : undefined));
      return file;
    },
  };
}

/** A misspelt secret must not cost a state: the run would overwrite it. */
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

/** Undefined if there is none. */
async function readBounded(file: string): Promise<Uint8Array | 'unreadable' | undefined> {
  try {
    const { size } = await stat(file);
    return size > MAX_STATE_BYTES ? 'unreadable' : await readFile(file);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? undefined : 'unreadable';
  }
}

/** Written beside it and renamed: a run that dies in between leaves the old file whole, and no link is followed. */
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
