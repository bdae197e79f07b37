import { shorten } from '../http/error-body.ts';
import type { ConnectionError } from '../http/http.ts';
import type { Endpoint } from './endpoints.ts';

/** What a request was for, to be put after "while". */
export type Operation = Endpoint['operation'] | 'storing the file';

/** Why one try of a request did not bring the expected response. */
export type Failure =
  /** Any other status than 2xx. */
  | {
      readonly kind: 'status';
      readonly status: number;
      /** The other side's own explanation, without secrets. */
      readonly message: string;
      readonly location: string | undefined;
      readonly retryAfter: string | undefined;
    }
  /** No complete response. */
  | { readonly kind: 'connection'; readonly error: ConnectionError }
  /** 2xx, with a response that does not hold what the contract says. */
  | {
      readonly kind: 'unreadable';
      readonly status: number;
      readonly message: string;
      /** True if the service itself answered, against its contract; otherwise something else answered in its place. */
      readonly isJson: boolean;
    };

/** @param during what the request was for, such as " while uploading" */
function formatFailure(failure: Failure, during = ''): string {
  switch (failure.kind) {
    case 'status':
      return `answered ${failure.status}${during}${failure.message && `: ${shorten(failure.message)}`}`;
    case 'connection': {
      const { message, facts } = failure.error;
      // Nothing was under way yet.
      if (facts.unknownHost !== undefined) return `could not be reached: ${message}`;
      return `${facts.maybeReceived ? 'did not answer' : 'could not be reached'}${during}: ${message}`;
    }
    case 'unreadable':
      return `gave a response${during} that could not be read: ${failure.message}`;
  }
}

/** A status that may be another one soon: the service is busy or out of order. */
export function isTransient(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** A request to the service or its storage that failed. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly operation: Operation;
  readonly failure: Failure;

  constructor(operation: Operation, failure: Failure) {
    super(
      operation === 'storing the file'
        ? `The storage did not take the file: it ${formatFailure(failure)}`
        : `The service ${formatFailure(failure, ` while ${operation}`)}`,
      failure.kind === 'connection' ? { cause: failure.error } : {},
    );
    this.operation = operation;
    this.failure = failure;
  }

  get status(): number | undefined {
    return this.failure.kind === 'status' ? this.failure.status : undefined;
  }

  /** The host name that does not exist: a mistake in an address, not an outage. */
  get unknownHost(): string | undefined {
    return this.failure.kind === 'connection' ? this.failure.error.facts.unknownHost : undefined;
  }

  /** True if the key, the plan or the host name is wrong: every other request would fail as well. */
  get endsRun(): boolean {
    return this.status === 401 || this.status === 402 || this.unknownHost !== undefined;
  }

  /** True if the service is not there: out of order, without a connection, or something else answers in its place. */
  get isOutage(): boolean {
    const { failure } = this;
    switch (failure.kind) {
      case 'status':
        return isTransient(failure.status) && failure.status !== 429;
      case 'connection':
        return this.unknownHost === undefined;
      case 'unreadable':
        return !failure.isJson;
    }
  }

  /** True if other requests would fail as well, for now or for good: the error is not about the requested resource. */
  get stopsReading(): boolean {
    return this.isOutage || this.status === 429 || this.endsRun;
  }
}

/** The response, or why there is none. A refusal of every request is thrown. */
export async function orError<T>(response: Promise<T>): Promise<T | ServiceError> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof ServiceError && !error.endsRun) return error;
    throw error;
  }
}
