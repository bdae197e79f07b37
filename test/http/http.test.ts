import { expect, it } from 'vitest';
import { backoff, messageFromBody, responseTimeoutMs, retryAfterMs } from '../../src/http/http.ts';
import { parseJson } from '../../src/lib/format.ts';

// biome-ignore format: a table
it.each([
  ['', ''],
  ['{"error":"Rate limit exceeded for upload."}', 'Rate limit exceeded for upload'],
  ['{"message":"","error":"the next that has text"}', 'the next that has text'],
  ['{"error":"Bad Request","message":"Too many assets"}', 'Too many assets'],
  ['{"detail":[{"loc":["body","assets",0,"blobPath"],"msg":"Too short."},{"loc":["query","page"],"msg":"Too large"}]}',
    'assets[0].blobPath: Too short; query.page: Too large'],
  ['{"detail":[{"msg":"field required"},{"loc":["body"],"msg":"no JSON"},{"type":"other"}]}',
    'field required; no JSON'],
  ['{"error":{"code":7,"message":"Too many assets"}}', 'Too many assets'],
  ['{"errors":["one","two"]}', 'one; two'],
  ['{"code":7}', '{"code":7}'],
  ...['{}', '[]', '""', '{"detail":[]}', '{"message":" ","errors":[{"msg":null}]}', ' '].map((body) => [body, '']),
  ['{"error":{"error":{"error":{"error":{"error":"deep"}}}}}',
    '{"error":{"error":{"error":{"error":{"error":"deep"}}}}}'],
  ['\n plain\n text.\n', 'plain text'],
  ['\n <!DOCTYPE html><html>502 Bad Gateway</html>', 'a web page'],
  ['an <html>', 'an <html>'],
])('the message in %j is %j', (body, expected) => {
  expect(messageFromBody(parseJson(body) ?? body)).toBe(expected);
});

it('a message is cut to 4,000 characters', () => {
  expect(messageFromBody('x'.repeat(4_001))).toBe(`${'x'.repeat(3_999)}…`);
});

it.each([
  [1, 250, 500],
  [2, 500, 1000],
  [60, 7500, 15_000],
])('the pause after %d tries: %d to %d ms', (tries, least, most) => {
  expect([backoff(tries, () => 0), backoff(tries, () => 1)]).toEqual([least, most]);
});

it.each([
  ['1000000', 70_000],
  ['1000000000000', 30 * 60_000],
])('the wait for the response to a body of %s bytes: %d ms', (length, expected) => {
  expect(responseTimeoutMs({ headers: { 'content-length': length }, timeoutMs: 60_000 })).toBe(expected);
});

it.each([
  ['1.5', 1500],
  ['0', 1000],
  ['999999999999', 3_600_000],
  ['1e9', undefined],
  ['-5', undefined],
  [undefined, undefined],
])('Retry-After %j is %d ms', (header, expected) => {
  expect(retryAfterMs(header)).toBe(expected);
});
