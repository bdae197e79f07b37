import { expect, it } from 'vitest';
import { messageFromBody } from '../../src/http/error-body.ts';

// biome-ignore format: a table
it.each([
  ['', ''],
  ['{"error":"Rate limit exceeded for upload."}', 'Rate limit exceeded for upload'],
  ['{"message":"","error":"the next that has text"}', 'the next that has text'],
  ['{"error":"Bad Request","message":"Too many assets"}', 'Too many assets'],
  ['{"detail":"Too many assets."}', 'Too many assets'],
  ['{"detail":[{"msg":"Too short."}]}', '{"detail":[{"msg":"Too short."}]}'],
  ['{"error":{"code":7}}', '{"error":{"code":7}}'],
  ['null', ''],
  ['""', '""'],
  ['\n plain\n text.\n', 'plain text'],
  ['\n <!DOCTYPE html><html>502 Bad Gateway</html>', 'a web page'],
  ['an <html>', 'an <html>'],
])('the message in %j is %j', (body, expected) => {
  expect(messageFromBody(body)).toBe(expected);
});
