import { describe, expect, it } from 'vitest';
import { asConnectionError } from '../../src/http/connection-failure.ts';
import { ConnectionError } from '../../src/http/http.ts';
import { GateError } from '../../src/lib/cause.ts';

function failure(code: string, facts: object = {}, message = `it was ${code}`): Error {
  return Object.assign(new Error(message), { code, ...facts });
}

const ALERT = 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR';
const UNTRUSTED = 'SELF_SIGNED_CERT_IN_CHAIN';

describe('before the connection is established nothing was received, and some failures last', () => {
  // biome-ignore format: a table
  it.each<[string, Error, string, boolean]>([
    ['refused',            failure('ECONNREFUSED'),                          'it was ECONNREFUSED', false],
    ['refused everywhere', new AggregateError([failure('ECONNREFUSED')]),    'it was ECONNREFUSED', false],
    ['reset in the handshake', failure('ECONNRESET'),                        'it was ECONNRESET',   false],
    ['untrusted',          failure(UNTRUSTED),                               `the TLS connection failed (${UNTRUSTED})`,     true],
    ['expired',            failure('CERT_HAS_EXPIRED'),                      'the TLS connection failed (CERT_HAS_EXPIRED)', true],
    ['handshake',          failure(ALERT),                                   `the TLS connection failed (${ALERT})`,         false],
    ['an unknown host',    failure('ENOTFOUND', { hostname: 'x' }),          'the host name x does not exist', false],
    ['proxy forbids',      failure('UND_ERR_ABORTED', {}, 'Proxy response (403) !== 200 when HTTP Tunneling'), 'the proxy answered 403', true],
    ['proxy is down',      failure('UND_ERR_ABORTED', {}, 'Proxy response (502) !== 200 when HTTP Tunneling'), 'the proxy answered 502', false],
  ])('%s', (_, thrown, message, isLasting) => {
    const error = asConnectionError(thrown, false);
    expect(error).toMatchObject({ name: 'ConnectionError', message, facts: { maybeReceived: false } });
    expect(error instanceof ConnectionError && (error.facts.isLasting ?? false)).toBe(isLasting);
    expect(error instanceof ConnectionError && error.facts.unknownHost).toBe(/(?<=host name )\w+/.exec(message)?.[0]);
  });
});

describe('afterwards it may have been received, whatever the code says', () => {
  it.each([
    ['reset', failure('ECONNRESET'), 'it was ECONNRESET'],
    ['nested', new Error('outer', { cause: failure('EPIPE') }), 'it was EPIPE'],
    ['damaged record', failure(ALERT), `the TLS connection failed (${ALERT})`],
    ['an unknown host', failure('ENOTFOUND', { hostname: 'x' }), 'the host name x does not exist'],
  ])('%s', (_, thrown, message) => {
    expect(asConnectionError(thrown, true)).toEqual(new ConnectionError(message, { maybeReceived: true }));
  });

  it('except for a refusal by the proxy itself', () => {
    const thrown = failure('UND_ERR_INVALID_ARG', {}, 'Proxy Authentication Required (407)');
    const facts = { maybeReceived: false, isLasting: true };
    expect(asConnectionError(thrown, true)).toMatchObject({ message: 'the proxy answered 407', facts });
  });
});

it.each([
  ['a defect of ours', failure('UND_ERR_INVALID_ARG')],
  ['a body of another length', failure('UND_ERR_REQ_CONTENT_LENGTH_MISMATCH')],
  ['no system error', new TypeError('x is not a function')],
  ['our own error', new GateError({ reason: 'pre-flight', message: 'm', steps: [] })],
])('%s is returned unchanged', (_, thrown) => {
  expect(asConnectionError(thrown, true)).toBe(thrown);
});
