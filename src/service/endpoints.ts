import type { Timeouts } from '../http/http.ts';
import type { Bucket } from './buckets.ts';
import { ONCE, READ, READ_EXTRA, RETRY_ASSET, type RetryPolicy, TRANSFER, UPLOAD } from './retry-policy.ts';

/** What a request was about, in words that fit behind "while". */
export type Operation =
  | 'asking for an upload address'
  | 'uploading'
  | 'creating the submission'
  | 'reading the submission'
  | 'reading an asset'
  | 'reading the issues'
  | 'reading the topics'
  | 'reading the versions'
  | 'retrying an asset'
  | 'firing the sandbox event';

export interface Endpoint {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST';
  readonly bucket: Bucket;
  readonly retry: RetryPolicy;
  readonly timeouts: Timeouts;
}

const QUICK: Timeouts = { answerMs: 60_000, stallMs: 30_000 };
/** The body may take its time; afterwards the service has to store it. */
const SENDING: Timeouts = { answerMs: 60_000, stallMs: 60_000 };
/** An answer that is not waited for may be a bill without a result: all the time there is. */
const PRECIOUS: Timeouts = { answerMs: 120_000, stallMs: 60_000 };

/** How each request behaves, in one place. */
// biome-ignore format: one endpoint per line reads as the table it is
export const ENDPOINTS = {
  uploadUrl:      { operation: 'asking for an upload address', method: 'POST', bucket: 'upload',           retry: UPLOAD,      timeouts: QUICK },
  uploadDirect:   { operation: 'uploading',                    method: 'POST', bucket: 'upload',           retry: TRANSFER,    timeouts: SENDING },
  create:         { operation: 'creating the submission',      method: 'POST', bucket: 'submission_write', retry: ONCE,        timeouts: PRECIOUS },
  readSubmission: { operation: 'reading the submission',       method: 'GET',  bucket: 'submission_read',  retry: READ,        timeouts: QUICK },
  readAsset:      { operation: 'reading an asset',             method: 'GET',  bucket: 'submission_read',  retry: READ,        timeouts: QUICK },
  readIssues:     { operation: 'reading the issues',           method: 'GET',  bucket: 'submission_read',  retry: READ,        timeouts: QUICK },
  readTopics:     { operation: 'reading the topics',           method: 'GET',  bucket: 'submission_read',  retry: READ_EXTRA,  timeouts: QUICK },
  readVersions:   { operation: 'reading the versions',         method: 'GET',  bucket: 'submission_read',  retry: READ_EXTRA,  timeouts: QUICK },
  retryAsset:     { operation: 'retrying an asset',            method: 'POST', bucket: 'submission_write', retry: RETRY_ASSET, timeouts: QUICK },
  fire:           { operation: 'firing the sandbox event',     method: 'POST', bucket: 'sandbox',          retry: ONCE,        timeouts: QUICK },
} as const satisfies Record<string, Endpoint>;
