import { truncate } from '../lib/format.ts';

/** More than reports show, because `submit` searches the message for the name of the refused file. */
const MAX_KEPT_LENGTH = 4000;
/** `MAX_DEPTH` and `MAX_ERRORS` limit the recursion, because response bodies are untrusted. */
const MAX_DEPTH = 4;
const MAX_ERRORS = 20;

export const WEB_PAGE = 'a web page';

/** The message in an error response. A body of unknown shape is the message itself. @param value parsed JSON or text */
export function messageFromBody(value: unknown): string {
  if (typeof value === 'string' && /^\s*<(!doctype|html)/i.test(value)) return WEB_PAGE;
  if (isEmpty(value, 0)) return '';
  // The body of a 402 names the kind of request that the account's plan does not include.
  const bucket = fieldsOf(value).get('bucket');
  const text = (sentenceIn(value, 0) ?? JSON.stringify(value)).replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return truncate(isText(bucket) ? `${text} (kind of request: ${bucket})` : text, MAX_KEPT_LENGTH);
}

/** Whether a body such as `{}` or `{"errors": [""]}` says nothing. */
function isEmpty(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object' || value === null) return value === null;
  return depth < MAX_DEPTH && Object.values(value).every((item) => isEmpty(item, depth + 1));
}

/** The text of a message, or of all validation errors, each after its field: "assets[0].blobPath: too short". */
function sentenceIn(value: unknown, depth: number): string | undefined {
  if (isText(value)) return value.trim().replace(/\.$/, '');
  if (depth === MAX_DEPTH || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    const sentences = value.slice(0, MAX_ERRORS).map((item) => sentenceIn(item, depth + 1));
    return sentences.filter(isText).join('; ') || undefined;
  }
  const fields = fieldsOf(value);
  const texts = ['message', 'msg', 'detail', 'error', 'errors'].map((key) => sentenceIn(fields.get(key), depth + 1));
  const text = texts.find(isText);
  const place = placeOf(fields.get('loc'));
  return text === undefined || place === '' ? text : `${place}: ${text}`;
}

/** Formats ["body", "assets", 0, "blobPath"] as "assets[0].blobPath". */
function placeOf(parts: unknown): string {
  if (!Array.isArray(parts)) return '';
  const shown = parts.filter((part, index) => index > 0 || part !== 'body');
  return shown
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(Object.entries(typeof value === 'object' ? { ...value } : {}));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
