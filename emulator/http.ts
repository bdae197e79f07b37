import type { IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
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
  /** How the body is sent; default: as it is. */
  readonly encoding?: 'gzip';
}

/** The bytes of the body as they are sent. */
export function bytesOf({ body, encoding }: HttpResponse): Buffer {
  return encoding === 'gzip' ? gzipSync(body) : Buffer.from(body);
}

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

/** Thrown when a request is refused. Holds the whole response. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly response: HttpResponse;
  /** The same refusal as FastAPI words it, if it is a validation error. */
  readonly fastapi: HttpResponse | undefined;

  constructor(response: HttpResponse, fastapi?: HttpResponse) {
    super(`${response.status} ${response.body}`);
    this.response = response;
    this.fastapi = fastapi;
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

/** One error of FastAPI's list. */
interface ValidationError {
  readonly type: string;
  /** Where it is, from `body`, `path` or `query` on. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** How FastAPI calls the errors of our validator. */
const FASTAPI_WORDS: Readonly<Record<string, readonly [type: string, msg: string]>> = {
  missing: ['missing', 'Field required'],
  extra: ['extra_forbidden', 'Extra inputs are not permitted'],
  string: ['string_type', 'Input should be a valid string'],
  array: ['list_type', 'Input should be a valid list'],
  strict_object: ['model_attributes_type', 'Input should be a valid dictionary or object to extract fields from'],
  record: ['dict_type', 'Input should be a valid dictionary'],
  min_length: ['too_short', 'Value should have at least 1 item after validation, not 0'],
  uuid: ['uuid_parsing', 'Input should be a valid UUID'],
};

/** The 422 to a request with these errors. */
export function invalid(...errors: readonly ValidationError[]): Refusal {
  const sentences = errors.map(({ loc, msg }) => `${loc.slice(1).join('.') || loc[0]}: ${msg}.`);
  const sentence = `Request validation failed. ${sentences.join(' ')}`;
  return new Refusal(json(422, { detail: sentence }), json(422, { detail: errors }));
}

/** The body, if it matches the schema; 422 otherwise. */
export function validated<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> {
  // Valibot accepts an array as an object.
  const result = v.safeParse(schema, Array.isArray(body) ? 'a list' : body);
  if (result.success) return result.output;
  const errors = result.issues.map((issue) => {
    const loc = ['body', ...(issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))];
    const kind = issue.received === 'undefined' ? 'missing' : issue.expected === 'never' ? 'extra' : issue.type;
    const [type, msg] = FASTAPI_WORDS[kind] ?? ['value_error', `Value error, ${issue.message}`];
    return { type, loc, msg };
  });
  throw invalid(...errors);
}
