import type { Cause } from '../lib/cause.ts';
import { advise } from './advice.ts';
import type { Operation } from './endpoints.ts';
import { describe, type Failure } from './failure.ts';

/** These blame the file that was uploaded, not the request. */
const ABOUT_ONE_FILE: readonly number[] = [403, 413, 415, 422];

/** A request to the service that failed for good. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly operation: Operation;
  readonly failure: Failure;

  constructor(operation: Operation, failure: Failure) {
    const message = `The service ${describe(failure, ` while ${operation}`)}`;
    super(message, failure.kind === 'connection' ? { cause: failure.error } : {});
    this.operation = operation;
    this.failure = failure;
  }

  get status(): number | undefined {
    return this.failure.kind === 'status' ? this.failure.status : undefined;
  }

  /** True where one bad file explains the refusal, so that the other files can still be tried. */
  get isAboutOneFile(): boolean {
    const isUpload = this.operation === 'uploading' || this.operation === 'asking for an upload address';
    return isUpload && this.status !== undefined && ABOUT_ONE_FILE.includes(this.status);
  }

  /** True where the key or the plan was refused: nothing else will be answered either. */
  get endsRun(): boolean {
    return this.status === 401 || this.status === 402;
  }

  /** True where the service is not there, so that asking it for something else is in vain. */
  get isOutage(): boolean {
    const { failure } = this;
    return failure.kind === 'unreadable' ? !failure.isJson : explain(this).reason === 'service';
  }
}

/** What a person is told, and what to do about it. Only `service` and `timeout` can be opened by `on-service-error: warn`. */
export function explain(error: ServiceError, path?: string): Cause {
  const { reason, fix } = advise(error.operation, error.failure);
  return { reason, message: `${error.message}.`, fix, ...(path !== undefined && { path }) };
}
