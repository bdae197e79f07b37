/** At most this many folders are offered: a longer list is hard to read, and the search finds files in any folder. */
const MAX_FOLDERS = 40;

/**
 * The folders that divide the files best, such as one for each market of a campaign. A folder is divided further as
 * long as its parts hold two files or more on average, so that the list of folders is shorter than the list of files.
 */
export function dividingFolders(paths: readonly string[]): readonly string[] {
  return divide('', paths, MAX_FOLDERS).toSorted();
}

/** @param room the number of folders into which this one may be divided */
function divide(folder: string, paths: readonly string[], room: number): readonly string[] {
  const below = paths.filter((path) => path.includes('/', folder.length));
  const parts = Map.groupBy(below, (path) => path.slice(0, path.indexOf('/', folder.length) + 1));
  const isDivided = folder === '' || parts.size === 1 || (parts.size <= room && 2 * parts.size <= below.length);
  if (parts.size === 0 || !isDivided) return folder === '' ? [] : [folder];
  const divided = [...parts].flatMap(([part, own]) => divide(part, own, Math.floor(room / parts.size)));
  const hasOwnFiles = folder !== '' && below.length < paths.length;
  return hasOwnFiles ? [folder, ...divided] : divided;
}
