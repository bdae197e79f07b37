import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assertNoSymlink } from '../lib/folders.ts';
import type { Log } from '../lib/log.ts';
import { failure } from '../lib/result.ts';
import { MAX_STATE_BYTES } from './archive.ts';
import { bounded, describeForgotten } from './document.ts';
import { type Binding, claimedMismatch, describeRefusal, type SigningKey, seal, unseal } from './seal.ts';
import type { LoadedStates, StateStore } from './store.ts';

interface FileStoreOptions {
  /** Absolute. */
  readonly file: string;
  readonly workspace: string;
  readonly binding: Omit<Binding, 'kind' | 'savedAt'>;
  readonly key: SigningKey;
  readonly log: Pick<Log, 'warning'>;
}

/**
 * State in a file that the workflow keeps itself: on GHES, or in other storage. It is one file for all scopes; the workflow
 * decides whose history it is by what it keeps it under.
 */
export function createFileStore({ file, workspace, binding, key, log }: FileStoreOptions): StateStore {
  const place = `in \`state-file\` (${file})`;
  const { repositoryId, gate, mode } = binding;
  const expected = { repositoryId, gate, mode };
  const refuseLinks = async (): Promise<void> => await assertNoSymlink({ path: file, workspace, input: 'state-file' });
  return {
    async load(): Promise<LoadedStates> {
      await refuseLinks();
      const none = { states: [], isFromFile: true, isLost: true };
      let bytes: Uint8Array | undefined;
      try {
        bytes = await readState(file);
      } catch (error) {
        const isFirst = isMissing(error);
        const notice = isFirst
          ? `There is no state yet ${place}, so all files are sent. Later runs send only new and changed files.`
          : `The state ${place} cannot be read, so all files are sent.`;
        return { ...none, isLost: !isFirst, notices: [notice] };
      }
      const unsealed = bytes ? unseal(bytes, expected, key) : failure('unreadable' as const);
      return unsealed.ok
        ? { ...none, states: [unsealed.value], isLost: false, notices: [] }
        : { ...none, notices: [describeRefusal(unsealed.error, place)] };
    },

    /** Always all that is known: the file is overwritten, and a run that dies after that must not have forgotten it. */
    async save(kind, document) {
      await refuseLinks();
      if (await belongsToOther(file, expected)) {
        // A run saves twice, and warns once.
        if (kind === 'state')
          log.warning(
            `The state ${place} belongs to another gate, another repository or the other kind of API key, and was left as it is. This run's results were not saved. Give each gate and each kind of key its own \`state-file\`, or delete the file if it is no longer needed.`,
          );
        return '';
      }
      const kept = bounded(document);
      const forgotten = kind === 'state' ? describeForgotten(document, kept) : undefined;
      if (forgotten !== undefined) log.warning(forgotten);
      const sealed = seal(kept, { ...binding, kind: 'state', savedAt: new Date().toISOString() }, key);
      await mkdir(path.dirname(file), { recursive: true });
      // Written beside it and renamed: a run that dies in between leaves the old state whole, and no link is followed.
      const draft = `${file}.${randomUUID()}.tmp`;
      try {
        await writeFile(draft, sealed, { flush: true, flag: 'wx' });
        await rename(draft, file);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      return file;
    },
  };
}

/** A sandbox run must not overwrite what live runs have paid for. */
async function belongsToOther(file: string, expected: Parameters<typeof claimedMismatch>[1]): Promise<boolean> {
  const bytes = await readState(file).catch(() => undefined);
  return bytes !== undefined && claimedMismatch(bytes, expected) !== undefined;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Undefined if it is larger than any state of ours. */
async function readState(file: string): Promise<Uint8Array | undefined> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  return size > MAX_STATE_BYTES ? undefined : await handle.readFile();
}
