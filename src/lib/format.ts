/** "2,000". `toLocaleString` is not used because it needs 13 ms to load its language data. */
export function count(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** "1 file", "2,000 files". */
export function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

const UNITS = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;

/** "1.5 MB". The units are decimal. */
export function formatBytes(bytes: number): string {
  const found = UNITS.find(([, size]) => bytes >= size);
  return found ? `${(bytes / found[1]).toFixed(1).replace(/\.0$/, '')} ${found[0]}` : plural(bytes, 'byte');
}

/** "a, b, c and 2 more": the first `max` names, and the number of the other names. */
export function formatList(names: readonly string[], max = 5): string {
  const hidden = names.length - max;
  return names.slice(0, max).join(', ') + (hidden > 0 ? ` and ${count(hidden)} more` : '');
}

/**
 * Returns undefined if the text is not JSON.
 *
 * @param revive replaces each value; `name` is that of its field, or its index in a list
 */
export function parseJson(text: string, revive?: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, revive);
  } catch {
    return undefined;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

/** Cuts a text to at most `max` UTF-16 units, on a whole character, with an ellipsis if something is cut off. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = text.slice(0, Math.max(0, max - 1));
  return `${start.replace(/[\ud800-\udbff]$/, '')}…`;
}
