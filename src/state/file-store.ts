import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Binding, seal, type SigningKey, unseal } from './seal.ts';
import { refusalNotice } from './refusal.ts';
import type { Loaded, StateStore } from './store.ts';

/** State in a file that the workflow keeps itself: on GHES, or in other storage. One file for whatever the workflow keeps it by. */
export function createFileStore(file: string, binding: Binding, key: SigningKey): StateStore {
  return {
    async load(): Promise<Loaded> {
      let text: string;
      try {
        text = await readFile(file, 'utf8');
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
          return { states: [], notices: [`There is no state yet in \`state-file\` (${file}): every file is sent.`] };
        }
        return { states: [], notices: [`The state in \`state-file\` (${file}) cannot be read: every file is sent.`] };
      }
      const { repositoryId, gate, mode } = binding;
      const unsealed = unseal(text, { repositoryId, gate, mode }, key);
      if (typeof unsealed === 'string')
        return { states: [], notices: [refusalNotice(unsealed, `in \`state-file\` (${file})`)] };
      return { states: [{ ...unsealed, isOwnLine: unsealed.binding.line === binding.line }], notices: [] };
    },
    async save(_kind, document) {
      await mkdir(path.dirname(file), { recursive: true });
      // Written beside it and renamed: a run that dies in between leaves the old state whole.
      const draft = `${file}.${process.pid}.tmp`;
      await writeFile(draft, seal(document, { ...binding, savedAt: new Date().toISOString() }, key), { flush: true });
      await rename(draft, file);
      return file;
    },
  };
}
