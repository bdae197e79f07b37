import { shorten } from '../http/error-body.ts';
import type { ConnectionError } from '../http/http.ts';

/** What a request was for, to be put after "while". */
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

/** Why one try of a request did not bring the expected response. */
export type Failure =
  /** Any other status than 2xx. */
  | {
      readonly kind: 'status';
      readonly status: number;
      /** The other side's own explanation, without secrets. */
      readonly message: string;
      /** Its error code and the like, for the service's support. */
      readonly details?: string;
      readonly location: string | undefined;
      readonly retryAfter: string | undefined;
    }
  /** No complete response. */
  | { readonly kind: 'connection'; readonly error: ConnectionError }
  /** 2xx, with a response that does not hold what the contract says. */
  | {
      readonly kind: 'unreadable';
      readonly message: string;
      /** True if the service itself answered, against its contract; otherwise something else answered in its place. */
      readonly isJson: boolean;
    };

/**
 * What happened, to be put after "The service" or "The storage".
 *
 * @param during what the request was for, such as " while uploading"
 */
export function formatFailure(failure: Failure, during = ''): string {
  switch (failure.kind) {
    case 'status':
      return `answered ${failure.status}${during}${failure.message && `: ${shorten(failure.message)}`}`;
    case 'connection':
      // Nothing was under way yet.
      if (failure.error.unknownHost !== undefined) return `could not be reached: ${failure.error.what}`;
      return `${failure.error.maybeReceived ? 'did not answer' : 'could not be reached'}${during}: ${failure.error.what}`;
    case 'unreadable':
      return `gave a response${during} that could not be read: ${failure.message}`;
  }
}

export function isRateLimit(failure: Failure): boolean {
  return failure.kind === 'status' && failure.status === 429;
}

/** True if the name of the host does not exist: a mistake in an address, not an outage. */
export function isUnknownHost(failure: Failure): boolean {
  return failure.kind === 'connection' && failure.error.unknownHost !== undefined;
}

/** A status that may be another one soon: the service is busy or out of order. */
export function isTransient(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** These statuses refuse the file that was uploaded, not the request. */
const ABOUT_ONE_FILE: readonly number[] = [403, 413, 415, 422];

/** One try of a request failed. */
export class RequestError extends Error {
  override readonly name: string = 'RequestError';
  readonly failure: Failure;

  constructor(message: string, failure: Failure) {
    super(message, failure.kind === 'connection' ? { cause: failure.error } : {});
    this.failure = failure;
  }
}

/** A request to the service that failed. */
export class ServiceError extends RequestError {
  override readonly name = 'ServiceError';
  readonly operation: Operation;
  /** The address that the request went to. */
  readonly baseUrl: string;

  constructor(operation: Operation, failure: Failure, baseUrl = '') {
    super(`The service ${formatFailure(failure, ` while ${operation}`)}`, failure);
    this.operation = operation;
    this.baseUrl = baseUrl;
  }

  get status(): number | undefined {
    return this.failure.kind === 'status' ? this.failure.status : undefined;
  }

  /** True if the refusal is about one file, so that the other files can still be tried. */
  get isAboutOneFile(): boolean {
    const isUpload = this.operation === 'uploading' || this.operation === 'asking for an upload address';
    return isUpload && this.status !== undefined && ABOUT_ONE_FILE.includes(this.status);
  }

  /** True if the key, the plan or the host name is wrong: every other request would fail as well. */
  get endsRun(): boolean {
    return this.status === 401 || this.status === 402 || isUnknownHost(this.failure);
  }

  /** True if the service answers, but allows no more requests of this kind for now. */
  get isRateLimited(): boolean {
    return isRateLimit(this.failure);
  }

  /** True if the service is not there: out of order, without a connection, or something else answers in its place. */
  get isOutage(): boolean {
    const { failure } = this;
    switch (failure.kind) {
      case 'status':
        return isTransient(failure.status) && !isRateLimit(failure);
      case 'connection':
        return !isUnknownHost(failure);
      case 'unreadable':
        return !failure.isJson;
    }
  }

  /** True if other requests would fail as well, for now or for good: the error is not about the requested resource. */
  get stopsReading(): boolean {
    return this.isOutage || this.isRateLimited || this.endsRun;
  }
}
