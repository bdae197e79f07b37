const MODULE = new URL('./broken-disk.mjs', import.meta.url).href;

export type DiskFailure = 'ENOSPC' | 'EACCES' | 'EMFILE';

/**
 * Variables with which nothing can be written below a path after the first `after` calls. With EACCES it cannot be read
 * either, with EMFILE not opened.
 */
export function brokenDisk(place: string, code: DiskFailure, after = 0) {
  const broken = { BROKEN_PATH: place, BROKEN_CODE: code, BROKEN_AFTER: String(after) };
  return { NODE_OPTIONS: `--import=${MODULE}`, ...broken };
}
