import { parseJson } from '../lib/format.ts';

const MAX_SHOWN_LENGTH = 300;
/** Longer than what is shown: a file name further on may identify the file. */
const MAX_KEPT_LENGTH = 4000;

/** The message in the body of an error. For most statuses its shape is not documented: then it is the body itself. */
export function messageFromBody(body: string): string {
  if (/^\s*<(!doctype|html)/i.test(body)) return 'a web page';
  const value = parseJson(body);
  const fields = new Map<string, unknown>(Object.entries(typeof value === 'object' ? { ...value } : {}));
  const message =
    typeof value === 'string'
      ? value
      : (['message', 'detail', 'error'].map((key) => fields.get(key)).find(isText) ?? body);
  // A 402 names its error code and the kind of request that the plan does not include.
  const [code, bucket] = [fields.get('error_code'), fields.get('bucket')];
  const details = [
    ...(isText(code) ? [`error code ${code}`] : []),
    ...(isText(bucket) ? [`kind of request: ${bucket}`] : []),
  ];
  const text = message.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return (details.length === 0 ? text : `${text} (${details.join(', ')})`).slice(0, MAX_KEPT_LENGTH);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Cuts a text to a length that is shown. */
export function shorten(text: string): string {
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}
