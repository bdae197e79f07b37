import { describe, expect, it } from 'vitest';
import { backoff, ConnectionError, type ConnectionFacts, retryAfterMs } from '../../src/http/http.ts';
import {
  CREATE,
  isWorthAnotherTry,
  READ,
  RETRY_ASSET,
  type RetryPolicy,
  TRANSFER,
  UPLOAD,
} from '../../src/service/retries.ts';
import type { Failure } from '../../src/service/service-error.ts';

const status = (code: number): Failure => ({
  kind: 'status',
  status: code,
  message: '',
  location: undefined,
  retryAfter: undefined,
});
const connection = (facts: ConnectionFacts): Failure => ({
  kind: 'connection',
  error: new ConnectionError('it broke', facts),
});
const webPage: Failure = { kind: 'unreadable', message: 'a web page', isJson: false };
const otherJson: Failure = { kind: 'unreadable', message: 'other JSON', isJson: true };

const REFUSALS = [301, 307, 400, 401, 402, 403, 404, 405, 409, 413, 415, 422];

describe('isWorthAnotherTry', () => {
  // biome-ignore format: a table
  it.each<[string, RetryPolicy, number[]]>([
    ['reading',   READ,     [408, 429, 500, 502, 503, 504, 520]],
    ['uploading', UPLOAD,   [408, 429, 500, 502, 503, 504, 520]],
    ['sending',   TRANSFER, [408, 429, 500, 502, 503, 504, 520]],
    ['asking for a retry', RETRY_ASSET, [408, 429, 500, 502, 503, 504, 520]],
    // After any other status a submission may exist, and a second one is paid for.
    ['creating',  CREATE,   [429, 500, 502]],
  ])('%s: statuses', (_, policy, expected) => {
    const all = [...REFUSALS, 408, 429, 500, 502, 503, 504, 520];
    expect(all.filter((code) => isWorthAnotherTry(policy, status(code), 1))).toEqual(expected);
  });

  // biome-ignore format: a table
  it.each<[string, RetryPolicy, Failure, number, boolean]>([
    ['reading over a connection that broke',           READ,   connection({ maybeReceived: true }), 9, true],
    ['creating over a connection that broke',          CREATE, connection({ maybeReceived: true }), 1, false],
    ['creating without a connection',                 CREATE, connection({ maybeReceived: false }), 9, true],
    ['reading from one whose certificate is wrong',    READ,   connection({ maybeReceived: false, isLasting: true }), 1, false],
    ['an unknown host, twice',                         READ,   connection({ maybeReceived: false, unknownHost: 'x' }), 2, true],
    ['an unknown host, three times',                   READ,   connection({ maybeReceived: false, unknownHost: 'x' }), 3, false],
    ['reading a web page, often',                      READ,   webPage, 99, true],
    ['uploading to a web page, twice',                 UPLOAD, webPage, 2, true],
    ['uploading to a web page, three times',           UPLOAD, webPage, 3, false],
    ['creating on a web page',                         CREATE, webPage, 1, false],
    ['reading what breaks the contract, twice',        READ,   otherJson, 2, true],
    ['reading what breaks the contract, three times',  READ,   otherJson, 3, false],
    ['creating with an answer that breaks it',         CREATE, otherJson, 1, false],
  ])('%s', (_, policy, failure, tries, expected) => {
    expect(isWorthAnotherTry(policy, failure, tries)).toBe(expected);
  });
});

describe('how long a service that does not answer is tried, and whether the deadline cuts that', () => {
  // biome-ignore format: a table
  it.each<[string, RetryPolicy, number, number, boolean]>([
    ['reading',            READ,        120_000, 120_000, true],
    ['uploading',          UPLOAD,      120_000, 120_000, false],
    ['sending',            TRANSFER,    120_000,  20_000, false],
    ['asking for a retry', RETRY_ASSET, 120_000, 120_000, true],
    ['creating',           CREATE,      120_000, 120_000, false],
  ])('%s: %#', (_, policy, giveUpMs, maxCountedMs, isCutByDeadline) => {
    expect(policy).toMatchObject({ giveUpMs, maxCountedMs, isCutByDeadline });
  });
});

describe('backoff', () => {
  it.each([
    [1, 250, 500],
    [2, 500, 1000],
    [5, 4000, 8000],
    [6, 7500, 15_000],
    [60, 7500, 15_000],
  ])('after %d tries: %d to %d ms', (tries, least, most) => {
    expect(backoff(tries, () => 0)).toBe(least);
    expect(backoff(tries, () => 1)).toBe(most);
  });

  it('is random', () => {
    expect(new Set(Array.from({ length: 20 }, () => backoff(3))).size).toBeGreaterThan(1);
  });
});

describe('retryAfterMs', () => {
  it.each([
    ['7', 7000],
    [' 30 ', 30_000],
    ['1.5', 1500],
    ['1.25', 1250],
    ['12x', undefined],
    ['x12', undefined],
    ['1.', undefined],
    ['1.x', undefined],
    ['0', 1000],
    ['999999999999', 3_600_000],
    ['1e9', undefined],
    ['-5', undefined],
    ['soon', undefined],
    ['', undefined],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    [undefined, undefined],
  ])('%j is %d ms', (header, expected) => {
    expect(retryAfterMs(header)).toBe(expected);
  });
});
