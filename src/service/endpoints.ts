export type Mode = 'live' | 'sandbox';

export interface ServiceAccess {
  readonly apiKey: string;
  readonly mode: Mode;
  /** The address ends in `/api/integrations`, without a trailing slash. */
  readonly baseUrl: string;
}

/** When a request is tried again, and how long a try may take: see `tries.ts`. */
export interface TryPolicy {
  /** If a repeat may cost money or notify people, a request is repeated only in few cases: see `FAILURES`. */
  readonly repeats: 'freely' | 'cautiously' | 'never';
  /** Whether the run's deadline ends the tries. If not (uploads, creation), it ends only the wait for a rate limit. */
  readonly isCutByDeadline: boolean;
  /** The time limit of one try: see `HttpRequest`. */
  readonly timeoutMs: number;
}

const TIMEOUT_MS = 60_000;
/** If the client gives up a creation too early, the submission may be billed without a result. */
const CREATE_TIMEOUT_MS = 240_000;

/** An upload can be repeated without harm, because the name of the upload is derived from the content. */
export const UPLOAD = { bucket: 'upload', repeats: 'freely', isCutByDeadline: false, timeoutMs: TIMEOUT_MS } as const;
const READ = { bucket: 'submission_read', repeats: 'freely', isCutByDeadline: true, timeoutMs: TIMEOUT_MS } as const;
const RETRY = {
  bucket: 'submission_write',
  repeats: 'cautiously',
  isCutByDeadline: true,
  timeoutMs: TIMEOUT_MS,
} as const;
const FIRE = { ...RETRY, bucket: 'sandbox' } as const;
/** After a server error, `submit` repeats a creation itself, at most once in a run. */
const CREATE = { ...RETRY, repeats: 'never', isCutByDeadline: false, timeoutMs: CREATE_TIMEOUT_MS } as const;

/**
 * The operation completes the sentence "The service responded with 404 while …". Each `{}` in a path stands for an id.
 * Each bucket has its own rate limit.
 */
// biome-ignore format: a table
export const ENDPOINTS = {
  uploadUrl:      { operation: 'asking for an upload address', method: 'POST', path: '/uploads/url', ...UPLOAD },
  uploadDirect:   { operation: 'uploading', method: 'POST', path: '/uploads/direct', ...UPLOAD },
  create:         { operation: 'creating the submission', method: 'POST', path: '/submissions', ...CREATE },
  readSubmission: { operation: 'reading the submission', method: 'GET', path: '/submissions/{}', ...READ },
  readAsset:      { operation: 'reading an asset', method: 'GET', path: '/submissions/{}/assets/{}', ...READ },
  readIssues:     { operation: 'reading the issues', method: 'GET', path: '/submissions/{}/assets/{}/issues', ...READ },
  readTopics:     { operation: 'reading the topics', method: 'GET', path: '/submissions/{}/assets/{}/topics', ...READ },
  readVersions:   { operation: 'reading the versions', method: 'GET', path: '/submissions/{}/versions', ...READ },
  retryAsset:     { operation: 'retrying an asset', method: 'POST', path: '/submissions/{}/assets/{}/retry', ...RETRY },
  fire:           { operation: 'firing the sandbox event', method: 'POST', path: '/sandbox/events/fire', ...FIRE },
} as const satisfies Record<string, TryPolicy & Readonly<Record<'operation' | 'method' | 'path' | 'bucket', string>>>;

export type Endpoint = (typeof ENDPOINTS)[keyof typeof ENDPOINTS];
