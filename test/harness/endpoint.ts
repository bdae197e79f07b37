import type { Endpoint } from '../../emulator/http.ts';

const ID = '[^/?]+';
const ASSET = `/submissions/${ID}/assets/${ID}`;
const ROUTES: readonly (readonly [Endpoint, string])[] = [
  ['uploads/url', 'POST .*/uploads/url'],
  ['uploads/direct', 'POST .*/uploads/direct'],
  ['submissions/create', 'POST .*/submissions'],
  ['submissions/read', `GET .*/submissions/${ID}`],
  ['submissions/versions', `GET .*/submissions/${ID}/versions`],
  ['assets/read', `GET .*${ASSET}`],
  ['assets/issues', `GET .*${ASSET}/issues`],
  ['assets/topics', `GET .*${ASSET}/topics`],
  ['assets/retry', `POST .*${ASSET}/retry`],
  ['sandbox/fire', 'POST .*/sandbox/events/fire'],
];

/** @param line a request, as `METHOD /path` */
export function endpointOf(line: string): Endpoint | undefined {
  const [bare] = line.split('?');
  return ROUTES.find(([, pattern]) => new RegExp(`^${pattern}$`).test(bare ?? ''))?.[0];
}
