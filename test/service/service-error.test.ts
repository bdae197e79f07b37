import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../src/http/http.ts';
import { explain } from '../../src/service/advice.ts';
import {
  type Failure,
  formatFailure,
  isRateLimit,
  isUnknownHost,
  type Operation,
  ServiceError,
} from '../../src/service/service-error.ts';
import { isSafeTarget } from '../../src/service/storage.ts';
import { refusal } from './things.ts';

function error(operation: Operation, status: number): ServiceError {
  return new ServiceError(operation, refusal(status, 'its message'));
}

/** The advice for a status, with what the answer said beside its message. */
function adviceFor(status: number, answer: { readonly details?: string; readonly retryAfter?: string }): string {
  const failure = {
    kind: 'status' as const,
    status,
    message: '',
    location: undefined,
    retryAfter: undefined,
    ...answer,
  };
  return explain(new ServiceError('uploading', failure, 'https://service.example/api')).fix;
}

it('a refusal by the plan gives the code of the service after the advice', () => {
  expect(adviceFor(402, { details: 'tier, bucket upload' })).toMatch(
    /^Change the workspace's plan.*Details: tier, bucket upload\.$/,
  );
  expect(adviceFor(402, {})).toMatch(/a re-run ends in the same way\.$/);
});

it.each([
  ['30', 'The service asks to wait 30 seconds: re-run the job after that.'],
  ['1', 'The service asks to wait 1 second: re-run the job after that.'],
  ['3600', 'The service asks to wait 60 minutes: re-run the job after that.'],
  ['soon', 'Re-run the job later.'],
])('a rate limit gives the wait that the service asks for: %s', (retryAfter, advice) => {
  expect(adviceFor(429, { retryAfter })).toContain(advice);
});

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
    ['an unknown host',      { kind: 'connection', error: new ConnectionError('x', { maybeReceived: false, unknownHost: 'service.example' }) }, false],
    ['a web page',           { kind: 'unreadable', message: '', isJson: false }, true],
    ['one broken answer',    { kind: 'unreadable', message: '', isJson: true }, false],
    ['503',                  error('reading an asset', 503).failure, true],
    ['429',                  error('reading an asset', 429).failure, false],
    ['404',                  error('reading an asset', 404).failure, false],
  ])('%s is an outage: %s', (_, failure, expected) => {
    expect(new ServiceError('reading an asset', failure).isOutage).toBe(expected);
  });

  it('an outage, a rate limit and a refused key or plan stop all reading', () => {
    const all = [400, 401, 402, 403, 404, 408, 409, 422, 429, 500, 503];
    expect(all.filter((status) => error('reading an asset', status).stopsReading)).toEqual([
      401, 402, 408, 429, 500, 503,
    ]);
    expect(all.filter((status) => error('reading an asset', status).isRateLimited)).toEqual([429]);
  });
});

it('an error shows what happened, with the service’s own message, and what to do', () => {
  const cause = explain(error('uploading', 403), 'brand/logo.png');
  expect(cause).toEqual({
    reason: 'refused',
    path: 'brand/logo.png',
    message: 'The service answered 403 while uploading: its message.',
    fix: 'The service does not accept the name of this file. Rename it, or exclude it with a line that starts with `!` in the input `files`.',
  });
});

function unknownHost(host: string): ServiceError {
  const problem = new ConnectionError(`the host name ${host} does not exist`, {
    maybeReceived: false,
    unknownHost: host,
  });
  return new ServiceError('uploading', { kind: 'connection', error: problem }, 'https://service.example/api');
}

describe('a mistake in an address', () => {
  it('a host name that does not exist is probably a typing error, and is not forgiven', () => {
    const cause = explain(unknownHost('service.example'));
    expect(cause).toMatchObject({
      reason: 'bad-input',
      fix: 'This is probably a typing error in `base-url`. Correct it, commit and push.',
    });
    expect(JSON.stringify(cause)).not.toContain('on-service-error');
  });

  it('the name of a proxy that does not exist is a mistake in its variable', () => {
    expect(explain(unknownHost('proxy.example'))).toMatchObject({
      reason: 'bad-input',
      fix: expect.stringContaining('check the address of the proxy'),
    });
  });

  it.each(['uploading', 'asking for an upload address'] as const)('404 while %s names the address', (operation) => {
    const { failure } = error(operation, 404);
    const cause = explain(new ServiceError(operation, failure, 'https://service.example/api'));
    expect(cause).toMatchObject({
      reason: 'bad-input',
      message: 'https://service.example/api answered 404 to an upload, so it is probably not the compliance service.',
      fix: "Set `base-url` to the service's own address, commit and push.",
    });
  });
});

describe('addresses that a file may be sent to', () => {
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

const TIMED_OUT: Failure = { kind: 'connection', error: new ConnectionError('timed out', { maybeReceived: true }) };

// biome-ignore format: a table
it.each<[Failure, string, boolean]>([
  [refusal(503),                  'answered 503 while reading', false],
  [refusal(429, 'slow down'),         'answered 429 while reading: slow down', true],
  [refusal(400, 'x'.repeat(301)),     `answered 400 while reading: ${'x'.repeat(300)}…`, false],
  [TIMED_OUT,                        'did not answer while reading: timed out', false],
  [{ kind: 'unreadable', message: 'a web page', isJson: false }, 'gave a response while reading that could not be read: a web page', false],
])('%j is reported as %j', (failure, text, isLimit) => {
  expect(formatFailure(failure, ' while reading')).toBe(text);
  expect(formatFailure(failure)).toBe(text.replace(' while reading', ''));
  expect(isRateLimit(failure)).toBe(isLimit);
  expect(isUnknownHost(failure)).toBe(false);
});

it('only a host name that does not exist is an unknown host', () => {
  const error = new ConnectionError('the host name x does not exist', { maybeReceived: false, unknownHost: 'x' });
  expect(isUnknownHost({ kind: 'connection', error })).toBe(true);
  expect(formatFailure({ kind: 'connection', error }, ' while uploading')).toBe(
    'could not be reached: the host name x does not exist',
  );
});
