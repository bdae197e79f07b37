import type { Timeouts } from '../http/http.ts';
import type { Bucket } from './buckets.ts';
import { CREATE, READ, RETRY_ASSET, type RetryPolicy, TRANSFER, UPLOAD } from './retries.ts';
import type { Operation } from './service-error.ts';

export type Mode = 'live' | 'sandbox';

/** How to reach the service. */
export interface ServiceAccess {
  readonly apiKey: string;
  readonly mode: Mode;
  /** Ends in `/api/integrations`, without a trailing slash. */
  readonly baseUrl: string;
}

export type SandboxEvent = 'asset.processing.completed' | 'asset.processing.failed';

export interface Endpoint {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST';
  readonly bucket: Bucket;
  readonly retry: RetryPolicy;
  readonly timeouts: Timeouts;
}

/** How long establishing a connection may take, directly or through a proxy. */
export const CONNECT_MS = 20_000;

/** Of an upload, the response is awaited from the last byte sent: then the service has to store the file. */
const USUAL: Timeouts = { connectMs: CONNECT_MS, responseMs: 60_000 };
/** A creation that is given up may mean a bill without a result, so this one gets all the time there is. */
const CREATING: Timeouts = { connectMs: CONNECT_MS, responseMs: 120_000 };

/** An event is fired after the creation, so the run's deadline counts. */
const FIRE: RetryPolicy = { ...CREATE, isCutByDeadline: true };

/** The bucket, the retries and the time limits of each request. */
// biome-ignore format: one endpoint per line reads as the table it is
export const ENDPOINTS = {
  uploadUrl:      { operation: 'asking for an upload address', method: 'POST', bucket: 'upload',           retry: UPLOAD,      timeouts: USUAL },
  uploadDirect:   { operation: 'uploading',                    method: 'POST', bucket: 'upload',           retry: TRANSFER,    timeouts: USUAL },
  create:         { operation: 'creating the submission',      method: 'POST', bucket: 'submission_write', retry: CREATE,      timeouts: CREATING },
  readSubmission: { operation: 'reading the submission',       method: 'GET',  bucket: 'submission_read',  retry: READ,        timeouts: USUAL },
  readAsset:      { operation: 'reading an asset',             method: 'GET',  bucket: 'submission_read',  retry: READ,        timeouts: USUAL },
  readIssues:     { operation: 'reading the issues',           method: 'GET',  bucket: 'submission_read',  retry: READ,        timeouts: USUAL },
  readTopics:     { operation: 'reading the topics',           method: 'GET',  bucket: 'submission_read',  retry: READ,        timeouts: USUAL },
  readVersions:   { operation: 'reading the versions',         method: 'GET',  bucket: 'submission_read',  retry: READ,        timeouts: USUAL },
  retryAsset:     { operation: 'retrying an asset',            method: 'POST', bucket: 'submission_write', retry: RETRY_ASSET, timeouts: USUAL },
  fire:           { operation: 'firing the sandbox event',     method: 'POST', bucket: 'sandbox',          retry: FIRE,        timeouts: USUAL },
} as const satisfies Record<string, Endpoint>;
