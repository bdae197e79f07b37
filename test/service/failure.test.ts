import { expect, it } from 'vitest';
import { ConnectionError } from '../../src/http/http.ts';
import { type Failure, formatFailure, isRateLimit, isUnknownHost } from '../../src/service/failure.ts';

const status = (code: number, message: string): Failure => ({
  kind: 'status',
  status: code,
  message,
  location: undefined,
  retryAfter: undefined,
});
const connection: Failure = { kind: 'connection', error: new ConnectionError('timed out', { maybeReceived: true }) };

// biome-ignore format: a table
it.each<[Failure, string, boolean]>([
  [status(503, ''),                  'answered 503 while reading', false],
  [status(429, 'slow down'),         'answered 429 while reading: slow down', true],
  [status(400, 'x'.repeat(301)),     `answered 400 while reading: ${'x'.repeat(300)}…`, false],
  [connection,                       'did not answer while reading: timed out', false],
  [{ kind: 'unreadable', message: 'a web page', isJson: false }, 'gave an answer while reading that could not be read: a web page', false],
])('%j is reported as %j', (failure, text, isLimit) => {
  expect(formatFailure(failure, ' while reading')).toBe(text);
  expect(formatFailure(failure)).toBe(text.replace(' while reading', ''));
  expect(isRateLimit(failure)).toBe(isLimit);
  expect(isUnknownHost(failure)).toBe(false);
});

it('only a host name that does not exist is an unknown host', () => {
  const error = new ConnectionError('the host name x does not exist', { maybeReceived: false, unknownHost: 'x' });
  expect(isUnknownHost({ kind: 'connection', error })).toBe(true);
});
