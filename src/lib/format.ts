/** "2,000". Not `toLocaleString`, which loads its language data in 13 ms. */
export function count(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** "1 file", "2,000 files". */
export function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}
const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Decimal units, as in the service's limits: "1.5 MB". */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999,950 bytes would be rounded to 1000.0 kB.
  while (unit < UNITS.length - 1 && value >= (unit === 0 ? 1000 : 999.95)) {
    value /= 1000;
    unit++;
  }
  const number = unit === 0 ? String(value) : value.toFixed(1).replace(/\.0$/, '');
  return `${number} ${value === 1 && unit === 0 ? 'byte' : UNITS[unit]}`;
}

/** "a, b, c and 2 more": the first `max` names, and how many are left out. */
export function formatList(names: readonly string[], max = 5): string {
  const hidden = names.length - max;
  return names.slice(0, max).join(', ') + (hidden > 0 ? ` and ${count(hidden)} more` : '');
}

/** The value; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What was thrown, as a text: anything can be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
