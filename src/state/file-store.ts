import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../lib/log.ts';
import { MAX_STATE_BYTES } from './archive.ts';
import { bounded, boundedWithWarning } from './bound.ts';
import { refusalNotice } from './refusal.ts';
import { type Binding, type SigningKey, seal, unseal } from './seal.ts';
import type { Loaded, StateStore } from './store.ts';

/**
 * State in a file that the workflow keeps itself: on GHES, or in other storage. It is one file for all scopes; which scope's
 * it is depends on what the workflow keeps it by.
 */
export function createFileStore(
  file: string,
  binding: Omit<Binding, 'kind' | 'savedAt'>,
  key: SigningKey,
  log: Pick<Log, 'warning'>,
): StateStore {
  const where = `in \`state-file\` (${file})`;
  return {
    async load(): Promise<Loaded> {
      let bytes: Uint8Array | undefined;
      try {
        bytes = await readState(file);
      } catch (error) {
        const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
        const notice = isMissing
          ? `There is no state yet ${where}, so every file is to be sent. Later runs send only what is new or changed.`
          : `The state ${where} cannot be read, so every file is to be sent.`;
        return { states: [], notices: [notice] };
      }
      const { repositoryId, gate, mode } = binding;
      const unsealed = bytes ? unseal(bytes, { repositoryId, gate, mode }, key) : 'unreadable';
      return typeof unsealed === 'string'
        ? { states: [], notices: [refusalNotice(unsealed, where)] }
        : { states: [unsealed], notices: [] };
    },

    /** Always all that is known: the file is written over, and a run that dies after that must not have forgotten it. */
    async save(kind, document) {
      await mkdir(path.dirname(file), { recursive: true });
      // Written beside it and renamed: a run that dies in between leaves the old state whole.
      const draft = `${file}.${process.pid}.tmp`;
      // A run saves twice, and tells once.
      const kept = kind === 'open' ? bounded(document) : boundedWithWarning(document, log);
      const sealed = seal(kept, { ...binding, kind: 'state', savedAt: new Date().toISOString() }, key);
      await writeFile(draft, sealed, { flush: true });
      await rename(draft, file);
      return file;
    },
  };
}

/** Undefined where it is larger than any state of ours. */
async function readState(file: string): Promise<Uint8Array | undefined> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  return size > MAX_STATE_BYTES ? undefined : await handle.readFile();
}
