import { describe, expect, it } from 'vitest';
import { asConnectionError } from '../../src/http/connection-failure.ts';
import { ConnectionError } from '../../src/http/http.ts';
import { GateError } from '../../src/lib/cause.ts';

function failure(code: string, facts: object = {}, message = code): Error {
  return Object.assign(new Error(message), { code, ...facts });
}

describe('asConnectionError', () => {
  // biome-ignore format: a table
  it.each<[string, Error, string, { maybeReceived: boolean; isLasting: boolean }]>([
    ['refused',           failure('ECONNREFUSED', { address: '10.0.0.1', port: 443 }), 'connection refused (10.0.0.1:443)',       { maybeReceived: false, isLasting: false }],
    ['refused everywhere', new AggregateError([failure('ECONNREFUSED', { address: '::1', port: 1 })]), 'connection refused (::1:1)', { maybeReceived: false, isLasting: false }],
    ['unknown host',      failure('ENOTFOUND', { hostname: 'no.example' }),   'the host name is unknown (no.example)',          { maybeReceived: false, isLasting: false }],
    ['no connection',     failure('UND_ERR_CONNECT_TIMEOUT'),                 'no connection within 20 s',                      { maybeReceived: false, isLasting: false }],
    ['reset',             failure('ECONNRESET'),                              'connection reset',                               { maybeReceived: true, isLasting: false }],
    ['reset while TLS began', failure('ECONNRESET', {}, 'Client network socket disconnected before secure TLS connection was established'), 'connection reset', { maybeReceived: false, isLasting: false }],
    ['timed out while connecting', failure('ETIMEDOUT', { syscall: 'connect' }), 'connection timed out',                  { maybeReceived: false, isLasting: false }],
    ['timed out later',   failure('ETIMEDOUT', { syscall: 'read' }),          'connection timed out',                           { maybeReceived: true, isLasting: false }],
    ['closed',            failure('UND_ERR_SOCKET'),                          'connection closed before the answer was complete', { maybeReceived: true, isLasting: false }],
    ['nested',            new Error('outer', { cause: failure('EPIPE') }),    'connection closed while sending',                { maybeReceived: true, isLasting: false }],
    ['unheard of',        failure('EWEIRD'),                                  'connection failed (EWEIRD)',                     { maybeReceived: true, isLasting: false }],
    ['untrusted',         failure('SELF_SIGNED_CERT_IN_CHAIN'),               'the TLS connection failed (SELF_SIGNED_CERT_IN_CHAIN)', { maybeReceived: false, isLasting: true }],
    ['expired',           failure('CERT_HAS_EXPIRED'),                        'the TLS connection failed (CERT_HAS_EXPIRED)',   { maybeReceived: false, isLasting: true }],
    ['handshake',         failure('ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR'),      'the TLS connection failed (ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR)', { maybeReceived: false, isLasting: false }],
    ['proxy forbids',     failure('UND_ERR_ABORTED', {}, 'Proxy response (403) !== 200 when HTTP Tunneling'), 'the proxy answered 403', { maybeReceived: false, isLasting: true }],
    ['proxy is not well', failure('UND_ERR_ABORTED', {}, 'Proxy response (502) !== 200 when HTTP Tunneling'), 'the proxy answered 502', { maybeReceived: false, isLasting: false }],
    ['proxy wants more',  failure('UND_ERR_INVALID_ARG', {}, 'Proxy Authentication Required (407)'),          'the proxy answered 407', { maybeReceived: false, isLasting: true }],
  ])('%s', (_, thrown, what, facts) => {
    const error = asConnectionError(thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ what, ...facts });
  });

  it.each([
    ['a mistake of ours', failure('UND_ERR_INVALID_ARG')],
    ['a file that got shorter', failure('UND_ERR_REQ_CONTENT_LENGTH_MISMATCH')],
    ['no system error', new TypeError('x is not a function')],
    ['ours already', new GateError({ reason: 'pre-flight', message: 'm', fix: 'f' })],
  ])('%s is left as it is', (_, thrown) => {
    expect(asConnectionError(thrown)).toBe(thrown);
  });
});
