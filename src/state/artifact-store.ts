import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../lib/log.ts';
import { STATE_FILE } from './archive.ts';
import { bounded, boundedWithWarning } from './bound.ts';
import type { StateDocument } from './document.ts';
import { joined } from './earlier-state.ts';
import { type FinderOptions, findSaved, findStates } from './find-states.ts';
import { artifactName } from './gate-id.ts';
import { seal } from './seal.ts';
import type { StateStore } from './store.ts';

/** Uploads one file as an artifact of this run. Where the name is taken, `takeOver` may change the file before it is replaced. */
export type UploadArtifact = (name: string, file: string, takeOver: () => Promise<void>) => Promise<void>;

export interface ArtifactStoreOptions extends FinderOptions {
  readonly upload: UploadArtifact;
  /** Told before an upload begins and after it ended, so that the post step can make up for a run that died. */
  readonly onPending: (name: string, file: string) => void;
  readonly onUploaded: () => void;
  /** Where files are written before they are uploaded; this gate's own. */
  readonly directory: string;
  /** Once it is aborted there are only seconds left, and the post step makes up for what is under way. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** State in workflow artifacts: two for each gate and scope, found again by their exact names. */
export function createArtifactStore(options: ArtifactStoreOptions): StateStore {
  const { key, gateName, log } = options;
  let { binding } = options;
  return {
    async load() {
      const { scope, ...loaded } = await findStates(options);
      binding = { ...binding, scope };
      return loaded;
    },

    async save(kind, document) {
      const name = artifactName(gateName, { ...binding, kind });
      const file = path.join(options.directory, kind, STATE_FILE);
      // The rest is in the artifact of the run before, and writing less takes less of the time in which all can be lost.
      const kept =
        kind === 'open' ? { contents: [], paths: [], open: document.open } : boundedWithWarning(document, log);
      await mkdir(path.dirname(file), { recursive: true });
      const write = async (known: StateDocument): Promise<void> => {
        const sealed = seal(known, { ...binding, kind, savedAt: new Date().toISOString() }, key);
        // Renamed, because the post step may find whatever a run that died has left.
        await writeFile(`${file}.tmp`, sealed, { flush: true });
        await rename(`${file}.tmp`, file);
      };
      await write(kept);
      options.onPending(name, file);
      // Another gate of this name in the same run: one that ran at the same time knows what this one does not.
      const takeOver = async (): Promise<void> => {
        const { states, notices } = await findSaved(kind, { ...options, binding });
        for (const notice of notices) log.info(notice);
        if (states.length > 0) await write(bounded(joined([kept, ...states.map(({ document: other }) => other)])));
      };
      // The client tells every step of it.
      await log.group(
        'Saving the state',
        async () => await unlessStopped(options.upload(name, file, takeOver), options.signal),
      );
      options.onUploaded();
      return file;
    },
  };
}

async function unlessStopped(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
