export type Mode = 'live' | 'sandbox';

export interface ServiceAccess {
  readonly apiKey: string;
  readonly mode: Mode;
  /** The address ends in `/api/integrations`, without a trailing slash. */
  readonly baseUrl: string;
}

export interface Endpoint {
  /** Completes the sentence "The service responded with 404 while …". */
  readonly operation: string;
  /** Each `{}` stands for an id. */
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Each bucket has its own rate limit. */
  readonly bucket: string;
  /** Whether a repeat does no harm. If it may cost money or notify people, what may have arrived is not repeated. */
  readonly isRepeatable: boolean;
  /** Whether the step's deadline ends the tries. If not (uploads, creation), it ends only the wait for a rate limit. */
  readonly isCutByDeadline: boolean;
  /** The time limit of one try: see `HttpRequest`. */
  readonly timeoutMs: number;
}

const BASE = { method: 'POST', isRepeatable: true, isCutByDeadline: true, timeoutMs: 60_000 } as const;
const READ = { ...BASE, method: 'GET', bucket: 'submission_read' } as const;
/** An upload can be repeated without harm, because the name of the upload is derived from the content. */
const UPLOAD = { ...BASE, bucket: 'upload', isCutByDeadline: false } as const;
const WRITE = { ...BASE, bucket: 'submission_write' } as const;
/**
 * If the client gives up a creation too early, the submission may be billed without a result. After a 500 or 502, `submit`
 * repeats a creation itself, at most once in a run.
 */
const CREATE = { ...WRITE, isRepeatable: false, isCutByDeadline: false, timeoutMs: 240_000 } as const;
const FIRE = { ...BASE, bucket: 'sandbox', isRepeatable: false } as const;

// biome-ignore format: a table
export const ENDPOINTS = {
  uploadUrl:      { operation: 'asking for an upload address', path: '/uploads/url', ...UPLOAD },
  uploadDirect:   { operation: 'uploading', path: '/uploads/direct', ...UPLOAD },
  create:         { operation: 'creating the submission', path: '/submissions', ...CREATE },
  readSubmission: { operation: 'reading the submission', path: '/submissions/{}', ...READ },
  readAsset:      { operation: 'reading an asset', path: '/submissions/{}/assets/{}', ...READ },
  readIssues:     { operation: 'reading the issues', path: '/submissions/{}/assets/{}/issues', ...READ },
  readTopics:     { operation: 'reading the topics', path: '/submissions/{}/assets/{}/topics', ...READ },
  readVersions:   { operation: 'reading the versions', path: '/submissions/{}/versions', ...READ },
  retryAsset:     { operation: 'retrying an asset', path: '/submissions/{}/assets/{}/retry', ...WRITE },
  fire:           { operation: 'firing the sandbox event', path: '/sandbox/events/fire', ...FIRE },
} as const satisfies Readonly<Record<string, Endpoint>>;

/** The storage is not part of the service, which gives the address for each upload. */
export const STORAGE: Endpoint = { operation: 'storing the file', path: '', ...UPLOAD, method: 'PUT' };
