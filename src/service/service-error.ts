import { ConnectionError, isSuccess, WEB_PAGE } from '../http/http.ts';
import { truncate } from '../lib/format.ts';
import { ENDPOINTS, type Endpoint } from './endpoints.ts';

/** How much of a message of the service is shown. */
const MAX_SHOWN_LENGTH = 300;

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

const REFUSAL = { stops: 'nothing', mayHaveArrived: false } as const;
const OUTAGE = { stops: 'reading', mayHaveArrived: true } as const;

/**
 * The consequences of each class of failure, whatever was asked for.
 *
 * - `stops`: which other requests would fail as well: all requests of the run, others for some time, or no request
 * - `mayHaveArrived`: the service may have carried out the request
 */
// biome-ignore format: a table
const FAILURES = {
  'rate limit':    { ...REFUSAL, stops: 'reading' },
  // A gateway may respond with a server error although the service has carried out the request.
  'server error':  OUTAGE,
  'unavailable':   OUTAGE,
  'lost':          OUTAGE,
  'no connection': { ...OUTAGE, mayHaveArrived: false },
  'wrong JSON':    { ...REFUSAL, mayHaveArrived: true },
  'unknown host':  { ...REFUSAL, stops: 'run' },
  'no access':     { ...REFUSAL, stops: 'run' },
  'wrong key':     { ...REFUSAL, stops: 'run' },
  'wrong plan':    { ...REFUSAL, stops: 'run' },
  'redirect':      REFUSAL,
  'page':          REFUSAL,
  'forbidden':     REFUSAL,
  'missing':       REFUSAL,
  'too large':     REFUSAL,
  'wrong type':    REFUSAL,
  'invalid':       REFUSAL,
  'refused':       REFUSAL,
} as const;

export type FailureClass = keyof typeof FAILURES;

// biome-ignore format: a table
const CLASS_OF_STATUS = new Map<number, FailureClass>([
  [401, 'wrong key'], [402, 'wrong plan'], [403, 'forbidden'], [404, 'missing'], [408, 'unavailable'],
  [413, 'too large'], [415, 'wrong type'], [422, 'invalid'], [429, 'rate limit'],
  [500, 'server error'], [502, 'server error'],
]);

function classOf(failure: Failure, endpoint: Endpoint): FailureClass {
  if (failure instanceof ConnectionError) return failure.kind;
  const { status, isPage } = failure;
  // The service may have carried out the request of a 2xx, so only in response to a read a page is an outage.
  if (isSuccess(failure)) return isPage && endpoint.method === 'GET' ? 'unavailable' : 'wrong JSON';
  if (status < 400) return 'redirect';
  const failureClass = CLASS_OF_STATUS.get(status) ?? (status < 500 ? 'refused' : 'unavailable');
  if (!isPage || FAILURES[failureClass].stops !== 'nothing') return failureClass;
  // A gateway that restarts may respond with 404, and the page of a firewall says nothing about a submission.
  if (endpoint.method === 'GET') return 'unavailable';
  // A gateway may limit the size of a request: a presigned address avoids it.
  return failureClass === 'too large' && endpoint === ENDPOINTS.uploadDirect ? 'too large' : 'page';
}

/** A request to the service or its storage failed. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly endpoint: Endpoint;
  readonly failure: Failure;
  readonly failureClass: FailureClass;
  /** True if the service cannot be reached or does not work, or another server responds instead of the service. */
  readonly isOutage: boolean;
  readonly mayHaveArrived: boolean;
  /** True if the key, the plan, the host name, a certificate or a proxy makes every other request fail as well. */
  readonly endsRun: boolean;
  /** True if other reads would fail as well for some time. */
  readonly stopsReading: boolean;
  /** False for a 404 and for JSON out of contract, which leave a fact missing. Any other failure leaves it unread. */
  readonly preventsReading: boolean;
  /** The storage's host. Empty for a request to the service. */
  readonly storage: string;

  constructor(endpoint: Endpoint, failure: Failure, storage = '') {
    const failureClass = classOf(failure, endpoint);
    const { stops, mayHaveArrived } = FAILURES[failureClass];
    const isOutage = stops === 'reading' && failureClass !== 'rate limit';
    const service = failureClass === 'page' ? 'A gateway' : 'The compliance service';
    const who = storage === '' ? service : `The storage ${storage}`;
    super(`${who} ${describeFailure(failure, endpoint.operation, mayHaveArrived)}`);
    this.endpoint = endpoint;
    this.failure = failure;
    this.failureClass = failureClass;
    this.storage = storage;
    this.isOutage = isOutage;
    this.mayHaveArrived = mayHaveArrived;
    this.endsRun = stops === 'run';
    this.stopsReading = stops !== 'nothing';
    this.preventsReading = failureClass !== 'missing' && failureClass !== 'wrong JSON';
  }

  /** Whether another try may succeed. A request that may do harm is not repeated if it may have arrived. */
  get canBeRepeated(): boolean {
    const isHarmless = this.endpoint.isRepeatable || !this.mayHaveArrived;
    return isHarmless && FAILURES[this.failureClass].stops === 'reading';
  }

  /** How long the service asks to wait, at least a second. Undefined without a valid `Retry-After` header. */
  get retryAfterMs(): number | undefined {
    const seconds = 'retryAfter' in this.failure ? Number.parseFloat(this.failure.retryAfter ?? '') : Number.NaN;
    return Number.isNaN(seconds) ? undefined : Math.max(1, seconds) * 1000;
  }
}

function describeFailure(failure: Failure, operation: string, mayHaveArrived: boolean): string {
  const message = truncate(failure.message, MAX_SHOWN_LENGTH);
  if (failure instanceof ConnectionError)
    return `${mayHaveArrived ? 'did not respond' : 'could not be reached'} while ${operation}: ${message}`;
  const { status } = failure;
  if (message === WEB_PAGE) return `responded with a web page (${status}) while ${operation}`;
  if (isSuccess(failure)) return `gave a response while ${operation} that could not be read: ${message}`;
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
