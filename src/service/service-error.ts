import type { Cause } from '../lib/cause.ts';
import { advise } from './advice.ts';
import type { Operation } from './endpoints.ts';
import { type Failure, formatFailure, isUnknownHost } from './failure.ts';

/** These statuses refuse the file that was uploaded, not the request. */
const ABOUT_ONE_FILE: readonly number[] = [403, 413, 415, 422];

/** A request to the service that finally failed. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly operation: Operation;
  readonly failure: Failure;
  /** The address that the request went to. */
  readonly baseUrl: string;

  constructor(operation: Operation, failure: Failure, baseUrl = '') {
    const message = `The service ${formatFailure(failure, ` while ${operation}`)}`;
    super(message, failure.kind === 'connection' ? { cause: failure.error } : {});
    this.operation = operation;
    this.failure = failure;
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

  /** True if the service is not available, so that other requests are pointless for now. */
  get isOutage(): boolean {
    const { failure } = this;
    return failure.kind === 'unreadable' ? !failure.isJson : explain(this).reason === 'service';
  }
}

/** What happened and what to do. `on-service-error: warn` forgives only the reasons `service` and `timeout`. */
export function explain(error: ServiceError, path?: string): Cause {
  const { reason, fix } = advise(error);
  return { reason, message: `${error.message}.`, fix, ...(path !== undefined && { path }) };
}
