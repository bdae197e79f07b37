import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FILE, forOwner, GateError } from '../causes/cause.ts';
import { isSystemError, relativeTo } from '../lib/file-system.ts';
import { messageOf } from '../lib/format.ts';
import { isBaseline } from './baseline.ts';
import type { StateDocument } from './document.ts';
import { type FoundStates, NO_STATES, type StateOptions } from './find-states.ts';
import { isUsable, MAX_STATE_BYTES, type SavedState, unseal } from './seal.ts';

/** Keeps the state in a file that the workflow stores itself, as on GHES. The file may come from any run and branch. */
export function fileStorage(file: string, options: Omit<StateOptions, 'api'>) {
  const { base, context, inputs } = options;
  /** One name for the whole run, so that the same problem causes the same message. */
  const draft = `${file}.${randomUUID()}.tmp`;

  /** Undefined without a file. Throws if the file cannot be used: it may say what is paid for. */
  async function readState(): Promise<SavedState | undefined> {
    await assertNoLinkInWorkspace(file, context.workspace);
    const bytes = await readBounded(file);
    const state = bytes && unseal(bytes, { where: `\`state-file\` (${file})` }, options);
    if (state && !isUsable(state)) throw refused(state.message, `${state.fix} ${DELETE}`);
    return state;
  }

  /** Writes a draft, which goes in the end. Fails if its path exists already: it may be a link to another file. */
  async function withDraft(text: string, use: () => Promise<void>): Promise<void> {
    await mkdir(path.dirname(file), { recursive: true });
    try {
      await writeFile(draft, text, { flush: true, flag: 'wx' });
      await use();
    } finally {
      await rm(draft, { force: true });
    }
  }

  async function load(): Promise<FoundStates> {
    try {
      const state = await readState();
      const baseline = state && base && isBaseline(state, base) ? state : undefined;
      return { ...NO_STATES, states: state ? [state] : [], baseline };
    } catch (error) {
      if (!inputs.dryRun) throw error;
      return { ...NO_STATES, notices: [messageOf(error)] };
    }
  }

  return {
    nearest: load,
    rest: load,

    /** Tries whether a state can be written, without changing the file. */
    tryOut: async (text: string): Promise<void> =>
      await withDraft(text, async () => {
        if (await readBounded(file)) await (await open(file, 'r+')).close();
      }),

    /** Reads the file again: another run may have changed it. Writes a draft first, so that the file stays whole. */
    save: async (sealWith: (others: readonly StateDocument[]) => string): Promise<string> => {
      const state = await readState();
      const text = sealWith(state ? [state.document] : []);
      await withDraft(text, async () => {
        try {
          await rename(draft, file);
        } catch (error) {
          // A file that is mounted into a container can only be written in place.
          if (!isSystemError(error) || error.code !== 'EBUSY') throw error;
          await writeFile(file, text, { flush: true });
        }
      });
      return file;
    },
  };
}

const DELETE =
  'Or delete the file, and if it comes from a cache, change the key of the cache; every file is then sent again.';

/** The run ends before it sends a file: otherwise every file would be billed again, in every run. */
function refused(problem: string, fix: string): GateError {
  const message = `${problem}, so it is unknown which files were sent before. It was left as it is.`;
  return new GateError(forOwner('bad-input', message, fix));
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
    throw refused(`\`state-file\` (${file}) cannot be read (${messageOf(error)})`, fix);
  }
}

/**
 * Throws if a part of the path inside the workspace is a symbolic link: with a committed link, a pull request could
 * make this action overwrite a file elsewhere. It cannot change a path outside the workspace.
 */
export async function assertNoLinkInWorkspace(stateFile: string, workspace: string): Promise<void> {
  // The path may name the workspace as the runner does, or by its real path.
  for (const root of [workspace, await realpath(workspace)]) {
    const parts = relativeTo(root, stateFile)?.split('/') ?? [];
    for (const index of parts.keys()) {
      const shown = parts.slice(0, index + 1).join('/');
      const stats = await lstat(path.join(root, shown)).catch(() => undefined);
      if (!stats?.isSymbolicLink()) continue;
      const message = `The path in \`state-file\` leads through a symbolic link in the workspace: ${shown}. Nothing was written.`;
      const fix = `Remove the link ${FILE}, or set \`state-file\` to a path without links.`;
      throw new GateError({ ...forOwner('bad-input', message, fix), path: shown });
    }
  }
}
