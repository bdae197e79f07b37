const MODULE = new URL('./broken-disk.mjs', import.meta.url).href;

export type DiskFailure = 'ENOSPC' | 'EROFS' | 'EACCES' | 'EMFILE';

/**
 * Variables with which nothing can be written below a path. With EACCES it cannot be read either, with EMFILE not opened.
 * The first `after` calls succeed, then `times` calls fail.
 */
export function brokenDisk(place: string, code: DiskFailure, after = 0, times = 1_000_000) {
  const calls = { BROKEN_AFTER: String(after), BROKEN_TIMES: String(times) };
  return { NODE_OPTIONS: `--import=${MODULE}`, BROKEN_PATH: place, BROKEN_CODE: code, ...calls };
}
