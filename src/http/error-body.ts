import { parseJson, truncate } from '../lib/format.ts';

export const WEB_PAGE = 'a web page';

export function isWebPage(text: string): boolean {
  return /^\s*<(!doctype|html)/i.test(text);
}

/** More than reports show, because `submit` searches the message for the name of the refused file. */
const MAX_KEPT_LENGTH = 4000;
/** The fields in which the service and GitHub send a message. */
const MESSAGE_FIELDS = ['message', 'error', 'detail'];

/** The message in the body of an error response. A body of another form is the message itself. */
export function messageFromBody(body: string): string {
  if (isWebPage(body)) return WEB_PAGE;
  const json = parseJson(body);
  const fields = new Map<string, unknown>(typeof json === 'object' && json !== null ? Object.entries(json) : []);
  const texts = [json, ...MESSAGE_FIELDS.map((name) => fields.get(name))].filter((each) => typeof each === 'string');
  // An empty object says nothing.
  const text = texts.find((each) => each !== '') ?? (typeof json === 'object' && fields.size === 0 ? '' : body);
  return truncate(text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, ''), MAX_KEPT_LENGTH);
}
