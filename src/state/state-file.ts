import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assertNoSymlink } from '../lib/folders.ts';
import type { StateOptions } from './archive.ts';
import { type LoadedStates, loadedStates, type StateNeeds } from './earlier-state.ts';
import { isOfBaseCommit } from './history.ts';
import { describeRefusal, MAX_STATE_BYTES, unseal } from './seal.ts';

/** State in a file that the workflow keeps itself: on GHES, or in other storage. It may be of any run and branch. */
export function stateFile(file: string, { context, origin, key }: Pick<StateOptions, 'context' | 'origin' | 'key'>) {
  const { workspace } = context;
  const { repositoryId, gate, mode } = origin;
  const refuseLinks = async (): Promise<void> => await assertNoSymlink({ path: file, workspace, input: 'state-file' });
  let isForeign = false;
  return {
    load: async ({ hasBaseline }: Pick<StateNeeds, 'hasBaseline'>): Promise<LoadedStates> => {
      await refuseLinks();
      const bytes = await readBounded(file);
      if (bytes === undefined) return loadedStates([], []);
      const state = bytes === 'unreadable' ? bytes : unseal(bytes, { repositoryId, gate, mode }, key);
      if (typeof state === 'string') {
        isForeign = state === 'not-ours';
        return loadedStates([], [describeRefusal(state, `in \`state-file\` (${file})`)]);
      }
      // A pull request can bring an old file along, so only the state of exactly the base commit is a baseline.
      const baseline = hasBaseline && isOfBaseCommit(state, context) ? state : undefined;
      return loadedStates([state], [], baseline);
    },

    write: async (sealed: string): Promise<string> => {
      await refuseLinks();
      // A sandbox run must not overwrite what live runs have paid for.
      if (isForeign)
        throw new Error(
          `\`state-file\` (${file}) belongs to another gate, another repository or the other kind of API key, and was left as it is. Give each gate and each kind of key its own \`state-file\`, or delete the file if it is no longer needed`,
        );
      await writeWhole(file, sealed);
      return file;
    },
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
