import type { IncomingHttpHeaders } from 'node:http';
import * as v from 'valibot';

/** A fixed name for each endpoint: the ten of the interface, and the storage PUT. */
export const ENDPOINTS = [
  'uploads/url',
  'uploads/direct',
  'submissions/create',
  'submissions/read',
  'submissions/versions',
  'assets/read',
  'assets/issues',
  'assets/topics',
  'assets/retry',
  'sandbox/fire',
  'storage/put',
] as const;

export type Endpoint = (typeof ENDPOINTS)[number];

/** One request, filled in while it is handled. */
export interface RecordedRequest {
  readonly at: number;
  /** When it ended, with or without a response. */
  endedAt: number | undefined;
  readonly server: 'service' | 'storage';
  /** `unknown` for a path or method that does not exist. */
  readonly endpoint: Endpoint | 'unknown';
  readonly method: string;
  /** Percent-decoded, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  json: unknown;
  /** The file, if the body was one. For a storage PUT the name comes from its URL. */
  file: Omit<UploadedFile, 'detected'> | undefined;
  /** `undefined` if no response was started. */
  status: number | undefined;
  /** The client disconnected before its request or the response was complete. */
  aborted: boolean;
}

/** What the emulator keeps of an upload. It drops the bytes, so that a 2 GiB upload needs no memory. */
export interface Digest {
  readonly size: number;
  readonly sha256: string;
  /** The type that the bytes show; undefined if they show none. */
  readonly detected: string | undefined;
}

export interface UploadedFile extends Digest {
  readonly filename: string;
  readonly contentType: string;
}

/** What an endpoint expects: JSON or nothing, a form with one file, or the bytes of a file. */
export type BodyKind = 'json' | 'form' | 'bytes';

export interface Body {
  readonly json?: unknown;
  readonly file?: UploadedFile;
  /** Why it is not what the endpoint expects; reported after the key was checked. */
  readonly problem?: Refusal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sees each request before the service does. `respond` handles it; what the handler returns is sent. With it, a test plays
 * what no service has been seen to do.
 */
export type Handler = (
  request: RecordedRequest,
  respond: () => Promise<HttpResponse>,
) => HttpResponse | Promise<HttpResponse>;

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

/** Thrown when a request is refused. Holds the whole response. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly response: HttpResponse;

  constructor(response: HttpResponse) {
    super(`${response.status} ${response.body}`);
    this.response = response;
  }
}

/** A refusal with the body that is used for every status whose body the interface does not show. */
export function refusal(status: number, detail: string): Refusal {
  return new Refusal(json(status, { detail }));
}

/** The body that the interface shows for 402. */
export function planRefusal(bucket: string): HttpResponse {
  return json(402, {
    error_code: 'tier_not_authorized_for_integrations_api',
    message: 'The plan of this workspace does not include the integrations API. Ask its owner to upgrade.',
    bucket,
  });
}

/** The body that the interface shows for 429. `Retry-After` is the only rate-limit header. */
export function rateRefusal(bucket: string, retryAfter: string): HttpResponse {
  return json(429, { error: `Rate limit exceeded for ${bucket}.` }, { 'retry-after': retryAfter });
}

/** The body, if it matches the schema; 422 otherwise. */
export function validated<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> {
  // Valibot accepts an array as an object.
  const result = v.safeParse(schema, Array.isArray(body) ? 'a list' : body);
  if (result.success) return result.output;
  const problems = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'body'}: ${issue.message}.`);
  throw invalid(problems.join(' '));
}

export function invalid(problem: string): Refusal {
  return refusal(422, `Request validation failed. ${problem}`);
}
