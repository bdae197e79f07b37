import { shorten } from '../http/error-body.ts';
import { retryAfterMs } from '../http/http.ts';
import type { Endpoint } from './endpoints.ts';
import { classOf, FAILURES, type Failure, type FailureClass } from './failure.ts';

export type Operation = Endpoint['operation'] | 'storing the file';

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

  get failureClass(): FailureClass {
    return classOf(this.failure);
  }

  /** How long the service asks to wait. Undefined if the response has no valid `Retry-After` header. */
  get retryAfterMs(): number | undefined {
    return this.failure.kind === 'status' ? retryAfterMs(this.failure.retryAfter) : undefined;
  }

  /** True if the key, the plan or the host name is wrong: every other request would fail as well. */
  get endsRun(): boolean {
    return FAILURES[this.failureClass].stops === 'run';
  }

  /** True if other reads would fail as well, because the error is not about the requested resource. */
  get stopsReading(): boolean {
    return FAILURES[this.failureClass].stops !== 'nothing';
  }

  get isOutage(): boolean {
    return FAILURES[this.failureClass].isOutage;
  }

  get mayHaveArrived(): boolean {
    return FAILURES[this.failureClass].mayHaveArrived;
  }
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
