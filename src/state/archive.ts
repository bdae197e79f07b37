import { strFromU8, unzipSync } from 'fflate';

/** Far more than a state of ten thousand files takes. */
export const LARGEST_ARCHIVE = 16 * 1024 * 1024;
const LARGEST_STATE = 64 * 1024 * 1024;

export const STATE_FILE = 'state.json';

/**
 * The state in an artifact's archive, or undefined. Only an entry of exactly this name is unpacked, to memory, and only
 * where it says that it is not too large: what is longer than it says is cut off, and then its signature is wrong.
 */
export function stateIn(archive: Uint8Array): string | undefined {
  try {
    const files = unzipSync(archive, {
      filter: ({ name, originalSize }) => name === STATE_FILE && originalSize <= LARGEST_STATE,
    });
    const state = files[STATE_FILE];
    return state && strFromU8(state);
  } catch {
    return undefined;
  }
}
