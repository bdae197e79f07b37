import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { asConnectionError } from '../../src/http/connection-failure.ts';
import { ConnectionError } from '../../src/http/http.ts';
import { GateError } from '../../src/lib/cause.ts';

function failure(code: string, facts: object = {}, message = `it was ${code}`): Error {
  return Object.assign(new Error(message), { code, ...facts });
}

const ALERT = 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR';

// biome-ignore format: a table
it.each<[string, Error, string, boolean, fix?: string]>([
  ['refused', failure('ECONNREFUSED'), 'it was ECONNREFUSED', false],
  ['refused everywhere', new AggregateError([failure('ECONNREFUSED')]), 'it was ECONNREFUSED', false],
  ['an error without words', failure('ECONNRESET', {}, ''), 'ECONNRESET', false],
  ['an unknown host', failure('ENOTFOUND', { hostname: 'x' }), 'the host name x does not exist', false],
  ['proxy forbids', failure('UND_ERR_ABORTED', {}, 'Proxy response (403) !== 200 when HTTP Tunneling'),
    'the proxy responded with 403', true, '`NO_PROXY`'],
  ['proxy is down', failure('UND_ERR_ABORTED', {}, 'Proxy response (500) !== 200 when HTTP Tunneling'),
    'the proxy responded with 500', false, '`NO_PROXY`'],
])('before the connection is established, nothing was received: %s', (_, thrown, message, isLasting, fix = '') => {
  const error = asConnectionError(thrown, { maybeReceived: false });
  expect(error).toMatchObject({ name: 'ConnectionError', message, facts: { maybeReceived: false } });
  assert(error instanceof ConnectionError);
  expect(error.facts.isLasting ?? false).toBe(isLasting);
  expect(error.facts.fix ?? '').toContain(fix);
  expect(error.facts.unknownHost).toBe(/(?<=host name )\w+/.exec(message)?.[0]);
});

it.each([
  ['SELF_SIGNED_CERT_IN_CHAIN', true, 'NODE_EXTRA_CA_CERTS'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true, 'NODE_EXTRA_CA_CERTS'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', true, 'NODE_EXTRA_CA_CERTS'],
  ['CERT_HAS_EXPIRED', true, 'its certificate is valid'],
  ['HOSTNAME_MISMATCH', true, 'issued for this host'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', true, 'issued for this host'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', true, 'the address is correct'],
  [ALERT, false, 'the address is correct'],
  ['EPROTO', false, 'the address is correct'],
])('the TLS failure %s lasts: %j', (code, isLasting, fix) => {
  const facts = { maybeReceived: false, isLasting, fix: expect.stringContaining(fix) };
  const message = `the TLS connection failed (${code})`;
  expect(asConnectionError(failure(code), { maybeReceived: false })).toMatchObject({ message, facts });
});

describe('afterwards it may have been received, whatever the code says', () => {
  it.each([
    ['reset', failure('ECONNRESET'), 'it was ECONNRESET'],
    ['nested', new Error('outer', { cause: failure('EPIPE') }), 'it was EPIPE'],
    ['damaged record', failure(ALERT), `the TLS connection failed (${ALERT})`],
    ['an unknown host', failure('ENOTFOUND', { hostname: 'x' }), 'the host name x does not exist'],
  ])('%s', (_, thrown, message) => {
    expect(asConnectionError(thrown, { maybeReceived: true })).toEqual(
      new ConnectionError(message, { maybeReceived: true }),
    );
  });

  it('except for a refusal by the proxy itself', () => {
    const thrown = failure('UND_ERR_INVALID_ARG', {}, 'Proxy Authentication Required (407)');
    const facts = { maybeReceived: false, isLasting: true, fix: expect.stringContaining('asks for credentials') };
    expect(asConnectionError(thrown, { maybeReceived: true })).toMatchObject({
      message: 'the proxy responded with 407',
      facts,
    });
  });
});

it.each([
  ['a defect of ours', failure('UND_ERR_INVALID_ARG')],
  ['a body of another length', failure('UND_ERR_REQ_CONTENT_LENGTH_MISMATCH')],
  ['no system error', new TypeError('x is not a function')],
  ['our own error', new GateError({ reason: 'pre-flight', message: 'm', steps: [] }, { cause: failure('ENOENT') })],
])('%s is returned unchanged', (_, thrown) => {
  expect(asConnectionError(thrown, { maybeReceived: true })).toBe(thrown);
});
