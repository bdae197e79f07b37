import type { Patience } from '../http/http.ts';
import type { Bucket } from './buckets.ts';
import { ONCE, READ, READ_EXTRA, RETRY_ASSET, type RetryPolicy, TRANSFER, UPLOAD } from './retry.ts';

/** What a request was about, in words that fit behind "while". */
export type Doing =
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
  readonly doing: Doing;
  readonly method: 'GET' | 'POST';
  readonly bucket: Bucket;
  readonly retry: RetryPolicy;
  readonly patience: Patience;
}

const QUICK: Patience = { answerMs: 60_000, stallMs: 30_000 };
/** The body may take its time; afterwards the service has to store it. */
const SENDING: Patience = { answerMs: 60_000, stallMs: 60_000 };
/** An answer that is not waited for may be a bill without a result: all the time there is. */
const PRECIOUS: Patience = { answerMs: 120_000, stallMs: 60_000 };

/** How each request behaves, in one place. */
// biome-ignore format: one endpoint per line reads as the table it is
export const ENDPOINTS = {
  uploadUrl:      { doing: 'asking for an upload address', method: 'POST', bucket: 'upload',           retry: UPLOAD,      patience: QUICK },
  uploadDirect:   { doing: 'uploading',                    method: 'POST', bucket: 'upload',           retry: TRANSFER,    patience: SENDING },
  create:         { doing: 'creating the submission',      method: 'POST', bucket: 'submission_write', retry: ONCE,        patience: PRECIOUS },
  readSubmission: { doing: 'reading the submission',       method: 'GET',  bucket: 'submission_read',  retry: READ,        patience: QUICK },
  readAsset:      { doing: 'reading an asset',             method: 'GET',  bucket: 'submission_read',  retry: READ,        patience: QUICK },
  readIssues:     { doing: 'reading the issues',           method: 'GET',  bucket: 'submission_read',  retry: READ,        patience: QUICK },
  readTopics:     { doing: 'reading the topics',           method: 'GET',  bucket: 'submission_read',  retry: READ_EXTRA,  patience: QUICK },
  readVersions:   { doing: 'reading the versions',         method: 'GET',  bucket: 'submission_read',  retry: READ_EXTRA,  patience: QUICK },
  retryAsset:     { doing: 'retrying an asset',            method: 'POST', bucket: 'submission_write', retry: RETRY_ASSET, patience: QUICK },
  fire:           { doing: 'firing the sandbox event',     method: 'POST', bucket: 'sandbox',          retry: ONCE,        patience: QUICK },
} as const satisfies Record<string, Endpoint>;
