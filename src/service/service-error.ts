import { ConnectionError, isSuccess } from '../http/http.ts';
import { retryAfterMs } from '../lib/async.ts';
import { truncate, WEB_PAGE } from '../lib/format.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';

/** How much of a message of the service is shown. */
const MAX_SHOWN_LENGTH = 300;

export type Operation = Endpoint['operation'] | 'storing the file';

/** A response with a status other than 2xx, or with a body that does not match the service's contract. */
interface BadResponse {
  readonly status: number;
  /** The server's own explanation, without secrets, or why the body could not be read. */
  readonly message: string;
  /** True if the body is one that the service never sends: a gateway, proxy or other site responded instead. */
  readonly isPage: boolean;
  readonly retryAfter: string | undefined;
}

/** Why one try of a request did not get the expected response. */
export type Failure = BadResponse | ConnectionError;

const NO_LIMIT = Number.POSITIVE_INFINITY;
const ALWAYS_REPEAT = { freely: NO_LIMIT, cautiously: NO_LIMIT, never: NO_LIMIT };
const REPEAT_IF_HARMLESS = { freely: NO_LIMIT, cautiously: 1, never: 1 };
const NO_REPEAT = { freely: 1, cautiously: 1, never: 1 };
const REFUSAL = { stops: 'nothing', isOutage: false, mayHaveArrived: false, maxTries: NO_REPEAT, refuses: [] } as const;
const OUTAGE = {
  ...REFUSAL,
  stops: 'reading',
  isOutage: true,
  mayHaveArrived: true,
  maxTries: REPEAT_IF_HARMLESS,
} as const;

/**
 * The consequences of each class of failure, whatever was asked for. Only uploads and creations have rules of their own.
 *
 * - `stops`: which other requests would fail as well: all requests of the run, all reads for some time, or no request
 * - `isOutage`: the service cannot be reached or does not work, or another server responds instead of the service
 * - `mayHaveArrived`: the service may have carried out the request
 * - `maxTries`: how often the request may fail like this, for each value of `repeats` in `endpoints.ts`
 * - `refuses`: what the service may refuse with it: the file of an upload, one of the files of a submission, the number of
 *   its files, its extras (metadata and links to earlier versions), or a retry
 *
 * Reads are stopped by `reader.ts`, those of one list by `ServiceClient.readList`, the retries of one submission by
 * `retryFailed`, uploads by `uploadAll`, all requests by `ServiceRequester`, those of one bucket by `RateLimiter`.
 */
// biome-ignore format: a table
export const FAILURES = {
  'rate limit':    { ...REFUSAL, stops: 'reading', maxTries: ALWAYS_REPEAT },
  // A gateway may respond with a server error although the service has carried out the request.
  'server error':  { ...OUTAGE, maxTries: { ...REPEAT_IF_HARMLESS, cautiously: 2 } },
  'unavailable':   OUTAGE,
  'lost':          OUTAGE,
  // The body was sent to its end. Sending it again may take as long, so this is done once.
  'no response':   { ...OUTAGE, maxTries: { ...REPEAT_IF_HARMLESS, freely: 2 } },
  'no connection': { ...OUTAGE, mayHaveArrived: false, maxTries: ALWAYS_REPEAT },
  'no access':     { ...OUTAGE, mayHaveArrived: false, maxTries: NO_REPEAT },
  'not JSON':      { ...OUTAGE, maxTries: { ...NO_REPEAT, freely: 3 } },
  'wrong JSON':    { ...REFUSAL, mayHaveArrived: true, maxTries: { ...NO_REPEAT, freely: 3 } },
  'unknown host':  { ...REFUSAL, stops: 'run', maxTries: { freely: 3, cautiously: 3, never: 3 } },
  'wrong key':     { ...REFUSAL, stops: 'run' },
  'wrong plan':    { ...REFUSAL, stops: 'run' },
  'redirect':      REFUSAL,
  'page':          { ...REFUSAL, refuses: ['number'] },
  'bad request':   REFUSAL,
  'forbidden':     { ...REFUSAL, refuses: ['upload', 'file', 'retry'] },
  'missing':       { ...REFUSAL, refuses: ['extras', 'retry'] },
  'conflict':      { ...REFUSAL, refuses: ['retry'] },
  'too large':     { ...REFUSAL, refuses: ['upload', 'file', 'number'] },
  'wrong type':    { ...REFUSAL, refuses: ['upload', 'file'] },
  'invalid':       { ...REFUSAL, refuses: ['upload', 'number', 'extras', 'retry'] },
  'refused':       REFUSAL,
} as const;

export type FailureClass = keyof typeof FAILURES;
type Refused = (typeof FAILURES)[FailureClass]['refuses'][number];

// biome-ignore format: a table
const CLASS_OF_STATUS = new Map<number, FailureClass>([
  [400, 'bad request'], [401, 'wrong key'], [402, 'wrong plan'], [403, 'forbidden'], [404, 'missing'],
  [408, 'unavailable'], [409, 'conflict'], [413, 'too large'], [415, 'wrong type'],
  [422, 'invalid'], [429, 'rate limit'], [500, 'server error'], [502, 'server error'],
]);

function classOf(failure: Failure, operation: Operation): FailureClass {
  if (failure instanceof ConnectionError) return failure.problem;
  const { status, message, isPage } = failure;
  if (isSuccess(failure)) return isPage ? 'not JSON' : 'wrong JSON';
  // S3: another upload of the same name is under way.
  if (message === 'ConditionalRequestConflict') return 'unavailable';
  const itsClass =
    CLASS_OF_STATUS.get(status) ?? (status < 400 ? 'redirect' : status < 500 ? 'refused' : 'unavailable');
  return isPage && status >= 400 && FAILURES[itsClass].stops === 'nothing'
    ? classOfPage(itsClass, operation)
    : itsClass;
}

/** A refusal that the service did not send itself says nothing about a submission or a file. */
function classOfPage(itsClass: FailureClass, operation: Operation): FailureClass {
  if (itsClass === 'missing' && isRead(operation))
    // A gateway that restarts may respond with 404: the submission is probably still there. Of everything else, the
    // contract allows a 404 before an asset has finished.
    return operation === ENDPOINTS.readSubmission.operation ? 'unavailable' : 'missing';
  // A gateway may limit the size of a request: a presigned address avoids it.
  return itsClass === 'too large' && operation === 'uploading' ? 'too large' : 'page';
}

function isRead(operation: Operation): boolean {
  return Object.values(ENDPOINTS).some((each) => each.operation === operation && each.method === 'GET');
}

/** A request to the service or its storage failed. */
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
  readonly refuses: readonly Refused[];
  /** The storage's host. Empty for a request to the service. */
  readonly storage: string;

  constructor(operation: Operation, failure: Failure, storage = '') {
    const failureClass = classOf(failure, operation);
    const { stops, isOutage, mayHaveArrived, refuses } = FAILURES[failureClass];
    const service = failureClass === 'page' ? 'A gateway' : 'The compliance service';
    const who = storage === '' ? service : `The storage ${storage}`;
    super(`${who} ${describeFailure(failure, operation, isOutage)}`);
    this.operation = operation;
    this.failure = failure;
    this.failureClass = failureClass;
    this.storage = storage;
    this.isOutage = isOutage;
    this.mayHaveArrived = mayHaveArrived;
    this.endsRun = stops === 'run';
    this.stopsReading = stops !== 'nothing';
    this.refuses = refuses;
  }

  /** How long the service asks to wait. Undefined if the response has no valid `Retry-After` header. */
  get retryAfterMs(): number | undefined {
    return this.failure instanceof ConnectionError ? undefined : retryAfterMs(this.failure.retryAfter);
  }
}

/** An outage begins with words that every reader understands, and the status comes last. */
function describeFailure(failure: Failure, operation: Operation, isOutage: boolean): string {
  const message = truncate(failure.message, MAX_SHOWN_LENGTH);
  if (failure instanceof ConnectionError) return `did not respond while ${operation}: ${message}`;
  const { status } = failure;
  if (message === WEB_PAGE) return `responded with a web page (${status}) while ${operation}`;
  if (isSuccess(failure)) return `gave a response while ${operation} that could not be read: ${message}`;
  if (isOutage) return `did not respond while ${operation}: status ${status}${message && `, ${message}`}`;
  return `responded with ${status} while ${operation}${message && `: ${message}`}`;
}

/** Returns the response or the error. Throws an error with which every other request would fail as well. */
export async function orError<T>(response: Promise<T>): Promise<T | ServiceError> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof ServiceError && !error.endsRun) return error;
    throw error;
  }
}
