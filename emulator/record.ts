import type { IncomingHttpHeaders } from 'node:http';

/** Every endpoint under one fixed name: the interface's ten and the storage PUT. */
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

/** One request as it arrived, filled in while it is served. */
export interface RecordedRequest {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** When the connection was done with it, answered or not. */
  endedAt: number | undefined;
  readonly server: 'service' | 'storage';
  /** `unknown` is a path or method that does not exist. */
  readonly endpoint: Endpoint | 'unknown';
  readonly method: string;
  /** Percent-decoded, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  /** Bytes of the body that were read, multipart framing included. */
  bodySize: number;
  /** The body where it was JSON. */
  json: unknown;
  /** The file where the body was one. A storage PUT has the name its URL gives it. */
  file: RecordedFile | undefined;
  /** `undefined` where no answer was begun. */
  status: number | undefined;
  /** The client went away before its request or our answer was complete. */
  aborted: boolean;
}

interface RecordedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;
}
