import { describe, expect, it } from 'vitest';
import { GateError } from '../../src/causes/cause.ts';
import type { ConnectionError } from '../../src/http/http.ts';
import { asConnectionError, messageFromBody } from '../../src/http/http.ts';

function failure(code: string, facts: object = {}, message = `it was ${code}`): Error {
  return Object.assign(new Error(message), { code, ...facts });
}

const ALERT = 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR';

// biome-ignore format: a table
it.each<[string, Error, string, ConnectionError['kind'], fix?: string]>([
  ['refused', failure('ECONNREFUSED'), 'it was ECONNREFUSED', 'no connection'],
  ['refused everywhere', new AggregateError([failure('ECONNREFUSED')]), 'it was ECONNREFUSED', 'no connection'],
  ['an error without words', failure('ECONNRESET', {}, ''), 'ECONNRESET', 'no connection'],
  ['an unknown host', failure('ENOTFOUND', { hostname: 'x' }), 'the host name x does not exist', 'unknown host'],
  ['no name server', failure('EAI_AGAIN', { hostname: 'x' }), 'it was EAI_AGAIN', 'no connection'],
  ['proxy forbids', failure('UND_ERR_ABORTED', {}, 'Proxy response (403) !== 200 when HTTP Tunneling'),
    'the proxy responded with 403', 'no access', '`NO_PROXY`'],
  ['proxy is down', failure('UND_ERR_ABORTED', {}, 'Proxy response (500) !== 200 when HTTP Tunneling'),
    'the proxy responded with 500', 'no connection', '`NO_PROXY`'],
])('before the connection is established, nothing was received: %s', (_, thrown, message, kind, fix) => {
  const error = asConnectionError(thrown, 'no connection');
  const expected = fix === undefined ? undefined : expect.stringContaining(fix);
  expect(error).toMatchObject({ name: 'ConnectionError', message, kind, fix: expected });
});

it.each([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_HAS_EXPIRED',
  'HOSTNAME_MISMATCH',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'EPROTO',
])('the TLS failure %s lasts, and the fix names the variable for certificates', (code) => {
  const message = `the TLS connection failed (${code})`;
  const fix = expect.stringContaining('NODE_EXTRA_CA_CERTS');
  expect(asConnectionError(failure(code), 'no connection')).toMatchObject({ message, kind: 'no access', fix });
});

describe('afterwards it may have been received, whatever the code says', () => {
  it.each([
    ['reset', failure('ECONNRESET'), 'it was ECONNRESET'],
    ['nested', new Error('outer', { cause: failure('EPIPE') }), 'it was EPIPE'],
    ['damaged record', failure(ALERT), `the TLS connection failed (${ALERT})`],
    ['an unknown host', failure('ENOTFOUND', { hostname: 'x' }), 'the host name x does not exist'],
  ])('%s', (_, thrown, message) => {
    const error = asConnectionError(thrown, 'lost');
    expect(error).toMatchObject({ name: 'ConnectionError', message, kind: 'lost', fix: undefined });
  });

  it('except for a refusal by the proxy itself', () => {
    const thrown = failure('UND_ERR_INVALID_ARG', {}, 'Proxy Authentication Required (407)');
    const fix = expect.stringContaining('asks for credentials');
    const message = 'the proxy responded with 407';
    expect(asConnectionError(thrown, 'lost')).toMatchObject({ message, kind: 'no access', fix });
  });
});

it.each([
  ['a defect of ours', failure('UND_ERR_INVALID_ARG')],
  ['a body of another length', failure('UND_ERR_REQ_CONTENT_LENGTH_MISMATCH')],
  ['no system error', new TypeError('x is not a function')],
  ['our own error', new GateError({ reason: 'pre-flight', message: 'm', steps: [] }, { cause: failure('ENOENT') })],
])('%s is returned unchanged', (_, thrown) => {
  expect(asConnectionError(thrown, 'lost')).toBe(thrown);
});

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
