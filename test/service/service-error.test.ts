import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../src/http/http.ts';
import type { Operation } from '../../src/service/endpoints.ts';
import type { Failure } from '../../src/service/failure.ts';
import { explain, ServiceError } from '../../src/service/service-error.ts';
import { isSafeTarget } from '../../src/service/storage.ts';

function error(operation: Operation, status: number): ServiceError {
  return new ServiceError(operation, {
    kind: 'status',
    status,
    words: 'its words',
    location: undefined,
    retryAfter: undefined,
  });
}

describe('what an error means for the run', () => {
  it('401 and 402 end it, nothing else does', () => {
    const ends = [400, 401, 402, 403, 404, 429, 500].filter((status) => error('reading an asset', status).endsRun);
    expect(ends).toEqual([401, 402]);
  });

  it('while a file is uploaded some refusals are about that file', () => {
    const all = [400, 401, 402, 403, 404, 409, 413, 415, 422, 429, 500];
    expect(all.filter((status) => error('uploading', status).isAboutOneFile)).toEqual([403, 413, 415, 422]);
    expect(all.filter((status) => error('reading the issues', status).isAboutOneFile)).toEqual([]);
  });

  // biome-ignore format: a table
  it.each<[string, Failure, boolean]>([
    ['no connection',        { kind: 'connection', error: new ConnectionError('refused', { maybeReceived: false }) }, true],
    ['a web page',           { kind: 'unreadable', words: '', isJson: false }, true],
    ['one broken answer',    { kind: 'unreadable', words: '', isJson: true }, false],
    ['503',                  error('reading an asset', 503).failure, true],
    ['429 for too long',     error('reading an asset', 429).failure, true],
    ['404',                  error('reading an asset', 404).failure, false],
  ])('%s is an outage: %s', (_, failure, expected) => {
    expect(new ServiceError('reading an asset', failure).isOutage).toBe(expected);
  });
});

it('a person reads what happened, in the service’s words, and what to do', () => {
  const cause = explain(error('uploading', 403), 'brand/logo.png');
  expect(cause).toEqual({
    reason: 'refused',
    path: 'brand/logo.png',
    message: 'The service answered 403 while uploading: its words.',
    fix: 'The service does not accept the name of this file. Rename it, or exclude it with a `!` line in `files`.',
  });
});

describe('where a file may be sent', () => {
  // biome-ignore format: a table
  it.each([
    ['https://storage.example/x', 'https://service.example', true],
    ['http://storage.example/x',  'https://service.example', false],
    ['http://127.0.0.1:1/x',      'https://service.example', false],
    ['http://127.0.0.1:1/x',      'http://127.0.0.1:2',      true],
    ['http://storage.example/x',  'http://localhost:2',      true],
    ['ftp://127.0.0.1/x',         'http://127.0.0.1:2',      false],
    ['file:///etc/passwd',        'http://127.0.0.1:2',      false],
  ])('%s from %s: %s', (target, baseUrl, expected) => {
    expect(isSafeTarget(new URL(target), baseUrl)).toBe(expected);
  });
});
