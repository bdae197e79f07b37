import type { IncomingHttpHeaders } from 'node:http';

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
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** When it ended, answered or not. */
  endedAt: number | undefined;
  readonly server: 'service' | 'storage';
  /** `unknown` for a path or method that does not exist. */
  readonly endpoint: Endpoint | 'unknown';
  readonly method: string;
  /** Percent-decoded, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** Bytes of the body that were read, multipart framing included. */
  bodySize: number;
  /** The body, if it was JSON. */
  json: unknown;
  /** The file, if the body was one. For a storage PUT the name comes from its URL. */
  file: RecordedFile | undefined;
  /** `undefined` if no answer was started. */
  status: number | undefined;
  /** The client disconnected before its request or the answer was complete. */
  aborted: boolean;
}

interface RecordedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;
}
