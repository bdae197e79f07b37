import { expect, it } from 'vitest';
import { ConnectionError } from '../../src/http/http.ts';
import { type Failure, describe as inWords, isRateLimit } from '../../src/service/failure.ts';

const status = (code: number, words: string): Failure => ({
  kind: 'status',
  status: code,
  words,
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
  [{ kind: 'unreadable', words: 'a web page', isJson: false }, 'gave an answer while reading that could not be read: a web page', false],
])('%j is told as %j', (failure, words, isLimit) => {
  expect(inWords(failure, ' while reading')).toBe(words);
  expect(inWords(failure)).toBe(words.replace(' while reading', ''));
  expect(isRateLimit(failure)).toBe(isLimit);
});
