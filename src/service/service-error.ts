import { shorten } from '../http/error-body.ts';
import { retryAfterMs } from '../http/http.ts';
import { classOf, FAILURES, type Failure, type FailureClass, type Operation } from './failure.ts';

/** @param during the purpose of the request, such as " while uploading" */
function formatFailure(failure: Failure, during = ''): string {
  switch (failure.kind) {
    case 'status':
      return `responded with ${failure.status}${during}${failure.message && `: ${shorten(failure.message)}`}`;
    case 'connection': {
      const { message, facts } = failure.error;
      // The text omits the operation, because no request can have started without a host.
      if (facts.unknownHost !== undefined) return `could not be reached: ${message}`;
      return `${facts.maybeReceived ? 'did not respond' : 'could not be reached'}${during}: ${message}`;
    }
    case 'unreadable':
      return `gave a response${during} that could not be read: ${failure.message}`;
  }
}

/** A request to the service or its storage failed. `FAILURES` lists the consequences of each `failureClass`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly operation: Operation;
  readonly failure: Failure;
  readonly failureClass: FailureClass;
  readonly isOutage: boolean;
  readonly mayHaveArrived: boolean;
  /** True if the key, the plan or the host name is wrong: every other request would fail as well. */
  readonly endsRun: boolean;
  /** True if other reads would fail as well, because the error is not about the requested resource. */
  readonly stopsReading: boolean;
  /** The storage's host, and the proxy on the way to it. Empty for a request to the service. */
  readonly storage: string;

  constructor(operation: Operation, failure: Failure, storage = '') {
    const failureClass = classOf(failure, operation);
    const who = failureClass === 'page' ? 'A gateway' : 'The service';
    super(
      operation === 'storing the file'
        ? `The storage ${storage} did not take the file: it ${formatFailure(failure)}`
        : `${who} ${formatFailure(failure, ` while ${operation}`)}`,
      failure.kind === 'connection' ? { cause: failure.error } : {},
    );
    this.operation = operation;
    this.failure = failure;
    this.failureClass = failureClass;
    this.storage = storage;
    const { stops, isOutage, mayHaveArrived } = FAILURES[this.failureClass];
    this.isOutage = isOutage;
    this.mayHaveArrived = mayHaveArrived;
    this.endsRun = stops === 'run';
    this.stopsReading = stops !== 'nothing';
  }

  /** Whether the request was refused because of the number of requests. Gateways use 503 for this. */
  get isTooFast(): boolean {
    return this.failure.kind === 'status' && (this.failure.status === 429 || this.failure.status === 503);
  }

  /** How long the service asks to wait. Undefined if the response has no valid `Retry-After` header. */
  get retryAfterMs(): number | undefined {
    return this.failure.kind === 'status' ? retryAfterMs(this.failure.retryAfter) : undefined;
  }
}

/** Returns a function that sends requests. After an outage or a rate limit, it only returns the same error. */
export function untilOutage() {
  let stoppedBy: ServiceError | undefined;
  return async <T>(send: () => Promise<T>): Promise<T | ServiceError> => {
    const response = stoppedBy ?? (await orError(send()));
    if (response instanceof ServiceError && response.stopsReading) stoppedBy = response;
    return response;
  };
}

/** Returns the response or the error. Throws only an error with which every other request would fail as well. */
export async function orError<T>(response: Promise<T>): Promise<T | ServiceError> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof ServiceError && !error.endsRun) return error;
    throw error;
  }
}
