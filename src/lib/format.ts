/** "2,000". `toLocaleString` is not used because it needs 13 ms to load its language data. */
export function count(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** "1 file", "2,000 files". */
export function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** "1.5 MB". The units are decimal, as in the service's limits. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // The limit is 999.95 because 999,950 bytes would be rounded to 1000.0 kB.
  while (unit < UNITS.length - 1 && value >= (unit === 0 ? 1000 : 999.95)) {
    value /= 1000;
    unit++;
  }
  const number = unit === 0 ? String(value) : value.toFixed(1).replace(/\.0$/, '');
  return `${number} ${value === 1 && unit === 0 ? 'byte' : UNITS[unit]}`;
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

/** The message of an error, or its name if it has none. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

/** Cuts a text to at most `max` UTF-16 units, on a whole character, with an ellipsis if something is cut off. */
export function truncate(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = text.slice(0, Math.max(0, max - 1));
  return `${start.replace(/[\ud800-\udbff]$/, '')}…`;
}

export const WEB_PAGE = 'a web page';

export function isWebPage(text: string): boolean {
  return /^\s*<(!doctype|html)/i.test(text);
}

/** More than reports show, because `submit` searches the message for the name of the refused file. */
const MAX_KEPT_LENGTH = 4000;
/** `MAX_DEPTH` and `MAX_ERRORS` limit the recursion, because response bodies are untrusted. */
const MAX_DEPTH = 4;
const MAX_ERRORS = 20;

/** The message in the body of an error response. A body of unknown shape is the message itself. */
export function messageFromBody(body: string): string {
  if (isWebPage(body)) return WEB_PAGE;
  const value = parseJson(body);
  const text = typeof value === 'string' ? value : sentenceIn(value, 0) || (isEmpty(value) ? '' : body);
  return truncate(withoutDot(text.replaceAll(/\s+/g, ' ')), MAX_KEPT_LENGTH);
}

/** Whether the body is JSON that says nothing, such as `{}`. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && Object.keys(value ?? {}).length === 0;
}

/** The text of a message, or of all validation errors, each after its field: "assets[0].blobPath: too short". */
function sentenceIn(value: unknown, depth: number): string {
  if (typeof value === 'string') return withoutDot(value);
  if (depth === MAX_DEPTH || typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) {
    const sentences = value.slice(0, MAX_ERRORS).map((item) => sentenceIn(item, depth + 1));
    return sentences.filter(Boolean).join('; ');
  }
  const fields = new Map<string, unknown>(Object.entries(value));
  const texts = ['message', 'msg', 'detail', 'error', 'errors'].map((key) => sentenceIn(fields.get(key), depth + 1));
  const text = texts.find(Boolean) ?? '';
  const place = fieldPath(fields.get('loc'));
  return text === '' || place === '' ? text : `${place}: ${text}`;
}

function withoutDot(text: string): string {
  return text.trim().replace(/\.$/, '');
}

/** Formats ["body", "assets", 0, "blobPath"] as "assets[0].blobPath". */
function fieldPath(parts: unknown): string {
  if (!Array.isArray(parts)) return '';
  const shown = parts.filter((part, index) => index > 0 || part !== 'body');
  return shown
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}
