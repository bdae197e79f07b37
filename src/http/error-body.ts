const MAX_SHOWN_LENGTH = 300;
/** More than is shown: a file name further on may tell which file is meant. */
const MAX_KEPT_LENGTH = 4000;

/** The service's own words in an error's body, whose shape is not shown for most statuses. */
export function messageFromBody(body: string): string {
  const trimmed = body.trim();
  if (trimmed === '') return '';
  if (/^<(!doctype|html)/i.test(trimmed)) return 'a web page';
  const value = parse(trimmed);
  const words = value === undefined ? trimmed : textIn(value) || trimmed;
  return words.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '').slice(0, MAX_KEPT_LENGTH);
}

/** What fits into a message. */
export function shorten(words: string): string {
  return words.length > MAX_SHOWN_LENGTH ? `${words.slice(0, MAX_SHOWN_LENGTH)}…` : words;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Words are near the surface; what lies deeper is there to hurt. */
const MAX_DEPTH = 5;

/** Usual places first; a list of validation problems becomes one line. */
function textIn(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return '';
  const inside = (part: unknown): string => textIn(part, depth + 1);
  if (Array.isArray(value)) return value.slice(0, 5).map(inside).filter(Boolean).join('; ');
  const entries = new Map(Object.entries(value));
  const words =
    ['message', 'detail', 'error', 'msg', 'title', 'errors'].map((key) => inside(entries.get(key))).find(Boolean) ?? '';
  const loc: unknown = entries.get('loc');
  const field = Array.isArray(loc)
    ? `${loc.filter((part) => typeof part === 'string' || typeof part === 'number').join('.')}: `
    : '';
  const code = entries.get('error_code');
  return field + (typeof code === 'string' ? `${words} (${code})`.trim() : words);
}
