import { parseJson } from '../lib/format.ts';

const MAX_SHOWN_LENGTH = 300;
/** Longer than what is shown: a file name further on may identify the file. */
const MAX_KEPT_LENGTH = 4000;

/** The message in the body of an error, whose shape is not documented for most statuses. */
export function messageFromBody(body: string): string {
  const trimmed = body.trim();
  if (trimmed === '') return '';
  if (/^<(!doctype|html)/i.test(trimmed)) return 'a web page';
  const value = parseJson(trimmed);
  const message = value === undefined ? trimmed : textIn(value) || detailsFromBody(trimmed) || trimmed;
  return message.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '').slice(0, MAX_KEPT_LENGTH);
}

/** Cuts a text to a length that is shown. */
export function shorten(text: string): string {
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

/** Caps the recursion: bodies are untrusted. */
const MAX_DEPTH = 5;

/** Looks in the usual fields; a list of validation problems becomes one line. */
function textIn(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return '';
  const inside = (part: unknown): string => textIn(part, depth + 1);
  if (Array.isArray(value)) return value.slice(0, 5).map(inside).filter(Boolean).join('; ');
  const entries = new Map(Object.entries(value));
  const message =
    ['message', 'detail', 'error', 'msg', 'title', 'errors'].map((key) => inside(entries.get(key))).find(Boolean) ?? '';
  const loc: unknown = entries.get('loc');
  const field = Array.isArray(loc)
    ? `${loc.filter((part) => typeof part === 'string' || typeof part === 'number').join('.')}: `
    : '';
  return field + message;
}

/** A 402 names its error code and the kind of request that the plan does not include. */
export function detailsFromBody(body: string): string {
  const value = parseJson(body);
  if (typeof value !== 'object' || value === null) return '';
  const entries = new Map<string, unknown>(Object.entries(value));
  const [code, bucket] = [entries.get('error_code'), entries.get('bucket')];
  return [
    ...(typeof code === 'string' ? [`error code ${shorten(code)}`] : []),
    ...(typeof bucket === 'string' ? [`kind of request: ${shorten(bucket)}`] : []),
  ].join(', ');
}
