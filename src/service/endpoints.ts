import type { Repeats } from './failure.ts';

export type Mode = 'live' | 'sandbox';

/** How to reach the service. */
export interface ServiceAccess {
  readonly apiKey: string;
  readonly mode: Mode;
  /** Ends in `/api/integrations`, without a trailing slash. */
  readonly baseUrl: string;
}

export type SandboxEvent = 'asset.processing.completed' | 'asset.processing.failed';

/** The service counts the requests of each bucket separately. */
export type Bucket = 'upload' | 'submission_write' | 'submission_read' | 'sandbox';

/** How a request is tried: see `tries.ts`. */
export interface TryPolicy {
  /** How often the service may receive it once more: a second one may cost money or notify others. */
  readonly repeats: Repeats;
  /** False for what comes before the deadline of the run (uploading, creating): it cuts only the wait for a rate limit. */
  readonly isCutByDeadline: boolean;
  /** The limit of one try: see `HttpRequest`. */
  readonly timeoutMs: number;
}

interface EndpointFacts extends TryPolicy {
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  readonly bucket: Bucket;
}

const TIMEOUT_MS = 60_000;
/** If a creation is given up too early, it may be billed without a result, so it gets twice the time. */
const CREATE_TIMEOUT_MS = 120_000;

/** Uploading twice under one name changes nothing, because each name stands for one content. */
export const UPLOAD: TryPolicy = { repeats: 'freely', isCutByDeadline: false, timeoutMs: TIMEOUT_MS };
const READ: TryPolicy = { repeats: 'freely', isCutByDeadline: true, timeoutMs: TIMEOUT_MS };
const ACT: TryPolicy = { repeats: 'once', isCutByDeadline: true, timeoutMs: TIMEOUT_MS };
/** `submit` repeats it itself: once in a run, whatever it holds. */
const CREATE: TryPolicy = { repeats: 'never', isCutByDeadline: false, timeoutMs: CREATE_TIMEOUT_MS };

/** The bucket of each request, and when it is tried again. */
// biome-ignore format: one endpoint per line reads as the table it is
export const ENDPOINTS = {
  uploadUrl:      { operation: 'asking for an upload address', method: 'POST', bucket: 'upload',           ...UPLOAD },
  uploadDirect:   { operation: 'uploading',                    method: 'POST', bucket: 'upload',           ...UPLOAD },
  create:         { operation: 'creating the submission',      method: 'POST', bucket: 'submission_write', ...CREATE },
  readSubmission: { operation: 'reading the submission',       method: 'GET',  bucket: 'submission_read',  ...READ },
  readAsset:      { operation: 'reading an asset',             method: 'GET',  bucket: 'submission_read',  ...READ },
  readIssues:     { operation: 'reading the issues',           method: 'GET',  bucket: 'submission_read',  ...READ },
  readTopics:     { operation: 'reading the topics',           method: 'GET',  bucket: 'submission_read',  ...READ },
  readVersions:   { operation: 'reading the versions',         method: 'GET',  bucket: 'submission_read',  ...READ },
  retryAsset:     { operation: 'retrying an asset',            method: 'POST', bucket: 'submission_write', ...ACT },
  fire:           { operation: 'firing the sandbox event',     method: 'POST', bucket: 'sandbox',          ...ACT },
} as const satisfies Record<string, EndpointFacts>;

export type Endpoint = (typeof ENDPOINTS)[keyof typeof ENDPOINTS];
