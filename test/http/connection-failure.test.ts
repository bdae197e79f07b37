import { describe, expect, it } from 'vitest';
import { asConnectionError } from '../../src/http/connection-failure.ts';
import { ConnectionError } from '../../src/http/http.ts';
import { GateError } from '../../src/lib/cause.ts';

function failure(code: string, facts: object = {}, message = code): Error {
  return Object.assign(new Error(message), { code, ...facts });
}

const ALERT = 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR';

describe('before the connection is established nothing was received', () => {
  // biome-ignore format: a table
  it.each<[string, Error, string, boolean]>([
    ['refused',            failure('ECONNREFUSED', { address: '10.0.0.1', port: 443 }), 'connection refused (10.0.0.1:443)', false],
    ['refused everywhere', new AggregateError([failure('ECONNREFUSED', { address: '::1', port: 1 })]), 'connection refused (::1:1)', false],
    ['no lookup',          failure('EAI_AGAIN', { hostname: 'a.example' }), 'the host name could not be looked up (a.example)', false],
    ['unreachable',        failure('EHOSTUNREACH'),                      'the host cannot be reached',                        false],
    ['no connection',      failure('UND_ERR_CONNECT_TIMEOUT'),           'connection timed out',                              false],
    ['reset in the handshake', failure('ECONNRESET'),                    'connection reset',                                  false],
    ['untrusted',          failure('SELF_SIGNED_CERT_IN_CHAIN'),         'the TLS connection failed (SELF_SIGNED_CERT_IN_CHAIN)', true],
    ['expired',            failure('CERT_HAS_EXPIRED'),                  'the TLS connection failed (CERT_HAS_EXPIRED)',      true],
    ['handshake',          failure(ALERT),                               `the TLS connection failed (${ALERT})`,              false],
    ['proxy forbids',      failure('UND_ERR_ABORTED', {}, 'Proxy response (403) !== 200 when HTTP Tunneling'), 'the proxy answered 403', true],
    ['proxy is down',      failure('UND_ERR_ABORTED', {}, 'Proxy response (502) !== 200 when HTTP Tunneling'), 'the proxy answered 502', false],
    ['proxy closes',       failure('UND_ERR_PRX_CONN'),                  'the proxy closed the connection',                   false],
  ])('%s', (_, thrown, what, isLasting) => {
    const error = asConnectionError(thrown, false);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ what, isLasting, maybeReceived: false, unknownHost: undefined });
  });

  it('an unknown host is named', () => {
    expect(asConnectionError(failure('ENOTFOUND', { hostname: 'no.example' }), false)).toMatchObject({
      what: 'the host name no.example does not exist',
      maybeReceived: false,
      unknownHost: 'no.example',
    });
  });
});

describe('afterwards it may have been received, whatever the code says', () => {
  // biome-ignore format: a table
  it.each<[string, Error, string]>([
    ['reset',           failure('ECONNRESET'),                           'connection reset'],
    ['timed out',       failure('ETIMEDOUT', { syscall: 'read' }),       'connection timed out'],
    ['closed',          failure('UND_ERR_SOCKET'),                       'connection closed before the response was complete'],
    ['nested',          new Error('outer', { cause: failure('EPIPE') }), 'connection closed while sending'],
    ['unknown code',    failure('EWEIRD'),                               'connection failed (EWEIRD)'],
    ['host lost',       failure('EHOSTUNREACH'),                         'the host cannot be reached'],
    ['network lost',    failure('ENETUNREACH'),                          'the network cannot be reached'],
    ['damaged record',  failure('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'), 'the TLS connection failed (ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC)'],
    ['alert',           failure(ALERT),                                  `the TLS connection failed (${ALERT})`],
    ['plain text',      failure('ERR_SSL_WRONG_VERSION_NUMBER'),         'the TLS connection failed (ERR_SSL_WRONG_VERSION_NUMBER)'],
    ['not HTTP',        failure('HPE_INVALID_CONSTANT'),                 'the response was not valid HTTP (HPE_INVALID_CONSTANT)'],
  ])('%s', (_, thrown, what) => {
    const error = asConnectionError(thrown, true);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ what, maybeReceived: true, isLasting: false });
  });

  it('except for a refusal by the proxy itself', () => {
    const thrown = failure('UND_ERR_INVALID_ARG', {}, 'Proxy Authentication Required (407)');
    expect(asConnectionError(thrown, true)).toMatchObject({
      what: 'the proxy answered 407',
      maybeReceived: false,
      isLasting: true,
    });
  });
});

it.each([
  ['a defect of ours', failure('UND_ERR_INVALID_ARG')],
  ['a body of another length', failure('UND_ERR_REQ_CONTENT_LENGTH_MISMATCH')],
  ['no system error', new TypeError('x is not a function')],
  ['our own error', new GateError({ reason: 'pre-flight', message: 'm', fix: 'f' })],
])('%s is returned unchanged', (_, thrown) => {
  expect(asConnectionError(thrown, true)).toBe(thrown);
});
