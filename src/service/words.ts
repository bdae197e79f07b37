const LONGEST_WORDS = 300;

/** The service's own words in an error's body, whose shape is not shown for most statuses. */
export function wordsOf(body: string): string {
  const trimmed = body.trim();
  if (trimmed === '') return '';
  if (/^<(!doctype|html)/i.test(trimmed)) return 'an HTML page';
  return shorten(textIn(parse(trimmed) ?? trimmed));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Usual places first; a list of validation problems becomes one line. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.slice(0, 5).map(textIn).filter(Boolean).join('; ');
  if (typeof value !== 'object' || value === null) return '';
  const entries = new Map(Object.entries(value));
  const words =
    ['message', 'detail', 'error', 'msg', 'title', 'errors'].map((key) => textIn(entries.get(key))).find(Boolean) ?? '';
  const code = entries.get('error_code');
  return typeof code === 'string' ? `${words} (${code})`.trim() : words;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > LONGEST_WORDS ? `${line.slice(0, LONGEST_WORDS)}…` : line;
}
