import { createHash } from 'node:crypto';
import { GateError } from '../lib/cause.ts';
import type { FileStamp, FoundFile } from './file.ts';
import { withFile } from './open.ts';
import { changedProblem, isSameStamp, stampOf } from './stamp.ts';

export interface Hashed {
  /** Hex. */
  readonly sha256: string;
  /** The file that was hashed, the same before and after. */
  readonly stamp: FileStamp;
}

export interface HashOptions {
  readonly signal?: AbortSignal;
  /** Two, so that one is filled while the other is hashed. Calls that overlap in time need their own. */
  readonly buffers?: HashBuffers;
}

export type HashBuffers = readonly [Uint8Array, Uint8Array];

const CHUNK_BYTES = 1024 * 1024;

export function makeHashBuffers(): HashBuffers {
  return [new Uint8Array(CHUNK_BYTES), new Uint8Array(CHUNK_BYTES)];
}

/** Throws a `GateError` if the file cannot be read, or changes while it is read. */
export async function hashFile(file: FoundFile, options: HashOptions = {}): Promise<Hashed> {
  const [first, second] = options.buffers ?? makeHashBuffers();
  return withFile(file, async (handle, stats) => {
    const hash = createHash('sha256');
    let [current, other] = [first, second];
    let position = 0;
    let reading = handle.read(current, 0, current.length, position);
    for (;;) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) break;
      options.signal?.throwIfAborted();
      position += bytesRead;
      // Another process may keep appending to the file.
      if (position > stats.size) break;
      reading = handle.read(other, 0, other.length, position);
      hash.update(current.subarray(0, bytesRead));
      [current, other] = [other, current];
    }
    const stamp = stampOf(stats);
    if (position !== stats.size || !isSameStamp(stamp, stampOf(await handle.stat()))) {
      throw new GateError(changedProblem(file.path));
    }
    return { sha256: hash.digest('hex'), stamp };
  });
}
