/** Why the service refuses a filename; `undefined` if it accepts it. */
export function filenameProblem(filename: string): string | undefined {
  if (filename.trim() === '') return 'The filename is empty.';
  if (filename.length > 255) return 'The filename is longer than 255 characters.';
  if (/[/\\]/.test(filename)) return 'The filename must not contain a path separator.';
  if (/\p{Cc}/u.test(filename)) return 'The filename must not contain control characters.';
  if (filename.startsWith('.')) return 'The filename must not start with a dot.';
  return undefined;
}

/** The name without its extension and content hash: the part that all versions of a file share. */
export function stemOf(filename: string): string {
  return filename.replace(/\.[^.]*$/, '').replace(/-[0-9a-f]{16,}$/, '');
}
