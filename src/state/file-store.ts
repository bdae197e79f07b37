import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { assertNoSymlink } from '../lib/folders.ts';
import type { Log } from '../lib/log.ts';
import { failure } from '../lib/result.ts';
import { MAX_STATE_BYTES } from './archive.ts';
import { bounded, describeForgotten } from './document.ts';
import { EarlierState } from './earlier-state.ts';
import { type Base, isOfBaseCommit } from './history.ts';
import { claimsOtherOwner, describeRefusal, type Origin, type SigningKey, seal, unseal } from './seal.ts';
import type { LoadedStates, StateStore } from './store.ts';

interface FileStoreOptions {
  /** Absolute. */
  readonly file: string;
  readonly workspace: string;
  readonly origin: Origin;
  readonly base: Base;
  readonly key: SigningKey;
  readonly log: Pick<Log, 'warning'>;
}

/**
 * State in a file that the workflow keeps itself: on GHES, or in other storage. It is one file for all branches; the
 * workflow decides whose history it is by what it keeps it under.
 */
export function createFileStore({ file, workspace, origin, base, key, log }: FileStoreOptions): StateStore {
  const place = `in \`state-file\` (${file})`;
  const { repositoryId, gate, mode } = origin;
  const owner = { repositoryId, gate, mode };
  const refuseLinks = async (): Promise<void> => await assertNoSymlink({ path: file, workspace, input: 'state-file' });
  return {
    async load({ hasBaseline }): Promise<LoadedStates> {
      await refuseLinks();
      const none = { earlierState: new EarlierState([]), baseline: undefined };
      let bytes: Uint8Array | undefined;
      try {
        bytes = await readState(file);
      } catch (error) {
        const notice = isMissing(error)
          ? `There is no state yet ${place}, so no earlier analysis can be reused. Once a run has analysed the files, later ones send only new and changed files.`
          : `The state ${place} cannot be read, so no earlier analysis can be reused.`;
        return { ...none, notices: [notice] };
      }
      const unsealed = bytes ? unseal(bytes, owner, key) : failure('unreadable' as const);
      if (!unsealed.ok) return { ...none, notices: [describeRefusal(unsealed.error, place)] };
      const { document } = unsealed.value;
      // A pull request can bring an old file along, so only the state of exactly the base commit is a baseline.
      const isBaseline = hasBaseline && isOfBaseCommit(unsealed.value, base);
      return {
        earlierState: new EarlierState([document]),
        baseline: isBaseline ? document : undefined,
        notices: [],
      };
    },

    /** Always all that is known: the file is overwritten, and a run that dies after that must not have forgotten it. */
    async save(kind, document) {
      await refuseLinks();
      if (await belongsToOther(file, owner)) {
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
      const sealed = seal(kept, { ...origin, kind: 'state', savedAt: new Date().toISOString() }, key);
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
async function belongsToOther(file: string, owner: Parameters<typeof claimsOtherOwner>[1]): Promise<boolean> {
  const bytes = await readState(file).catch(() => undefined);
  return bytes !== undefined && claimsOtherOwner(bytes, owner);
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
