import type { ConnectionError } from '../http/http.ts';
import type { Endpoint } from './endpoints.ts';

export type Operation = Endpoint['operation'] | 'storing the file';

/** Why one try of a request did not get the expected response. */
export type Failure =
  /** The response has a status other than 2xx. */
  | {
      readonly kind: 'status';
      readonly status: number;
      /** The server's own explanation, without secrets. */
      readonly message: string;
      /** True if there is a body and it is not JSON: then a gateway, proxy or firewall responded, not the service. */
      readonly isPage: boolean;
      readonly retryAfter: string | undefined;
    }
  /** No complete response came. */
  | { readonly kind: 'connection'; readonly error: ConnectionError }
  /** The status is 2xx, but the body does not match the service's contract. */
  | {
      readonly kind: 'unreadable';
      readonly status: number;
      readonly message: string;
      /** False if the body is not JSON: then a proxy or another site probably responded instead of the service. */
      readonly isJson: boolean;
    };

const NO_LIMIT = Number.POSITIVE_INFINITY;
const ANY_TIME = { freely: NO_LIMIT, once: NO_LIMIT, never: NO_LIMIT };
const IF_HARMLESS = { freely: NO_LIMIT, once: 1, never: 1 };
const ONCE = { freely: 1, once: 1, never: 1 };
const REFUSAL = { stops: 'nothing', isOutage: false, mayHaveArrived: false, maxTries: ONCE } as const;

/**
 * The consequences of each class of failure. Everything that depends on the meaning of a status is decided here.
 *
 * - `stops`: which other requests would fail as well: all requests of the run, all reads for some time, or no request
 * - `isOutage`: the service cannot be reached or does not work, or another server responds instead of the service
 * - `mayHaveArrived`: the service may have carried out the request
 * - `maxTries`: how often the request may fail like this, for each value of `repeats` in `endpoints.ts`
 */
// biome-ignore format: a table
export const FAILURES = {
  'rate limit':    { stops: 'reading', isOutage: false, mayHaveArrived: false, maxTries: ANY_TIME },
  'no connection': { stops: 'reading', isOutage: true,  mayHaveArrived: false, maxTries: ANY_TIME },
  // A gateway may respond with a server error although the service has carried out the request.
  'server error':  { stops: 'reading', isOutage: true,  mayHaveArrived: true,  maxTries: { ...IF_HARMLESS, once: 2 } },
  'unavailable':   { stops: 'reading', isOutage: true,  mayHaveArrived: true,  maxTries: IF_HARMLESS },
  'lost':          { stops: 'reading', isOutage: true,  mayHaveArrived: true,  maxTries: IF_HARMLESS },
  // The body was sent to its end. Sending it again may take as long, so this is done once.
  'no response':   { stops: 'reading', isOutage: true,  mayHaveArrived: true,  maxTries: { ...IF_HARMLESS, freely: 2 } },
  'not trusted':   { stops: 'reading', isOutage: true,  mayHaveArrived: false, maxTries: ONCE },
  'not JSON':      { stops: 'reading', isOutage: true,  mayHaveArrived: true,  maxTries: { ...ONCE, freely: 3 } },
  'wrong JSON':    { stops: 'nothing', isOutage: false, mayHaveArrived: true,  maxTries: { ...ONCE, freely: 3 } },
  'unknown host':  { ...REFUSAL, stops: 'run', maxTries: { freely: 3, once: 3, never: 3 } },
  'wrong key':     { ...REFUSAL, stops: 'run' },
  'wrong plan':    { ...REFUSAL, stops: 'run' },
  'redirect':      REFUSAL,
  'page':          REFUSAL,
  'bad request':   REFUSAL,
  'forbidden':     REFUSAL,
  'missing':       REFUSAL,
  'conflict':      REFUSAL,
  'too large':     REFUSAL,
  'wrong type':    REFUSAL,
  'invalid':       REFUSAL,
  'refused':       REFUSAL,
} as const;

export type FailureClass = keyof typeof FAILURES;

// biome-ignore format: a table
const CLASS_OF_STATUS = new Map<number, FailureClass>([
  [400, 'bad request'], [401, 'wrong key'], [402, 'wrong plan'], [403, 'forbidden'], [404, 'missing'],
  [408, 'unavailable'], [409, 'conflict'], [410, 'missing'], [413, 'too large'], [415, 'wrong type'],
  [422, 'invalid'], [429, 'rate limit'], [500, 'server error'], [502, 'server error'],
]);

export function classOf(failure: Failure, operation: Operation): FailureClass {
  switch (failure.kind) {
    case 'status': {
      const { status, message, isPage } = failure;
      // S3: another upload of the same name is under way.
      if (message === 'ConditionalRequestConflict') return 'unavailable';
      const itsClass =
        CLASS_OF_STATUS.get(status) ?? (status < 400 ? 'redirect' : status < 500 ? 'refused' : 'unavailable');
      return isPage && status >= 400 && FAILURES[itsClass] === REFUSAL ? classOfPage(itsClass, operation) : itsClass;
    }
    case 'connection': {
      const { isLasting, maybeReceived, isBodySent, unknownHost } = failure.error.facts;
      if (isLasting) return 'not trusted';
      if (unknownHost !== undefined) return 'unknown host';
      if (isBodySent) return 'no response';
      return maybeReceived ? 'lost' : 'no connection';
    }
    case 'unreadable':
      return failure.isJson ? 'wrong JSON' : 'not JSON';
  }
}

/** A refusal that the service did not send itself says nothing about a submission or a file. */
function classOfPage(itsClass: FailureClass, operation: Operation): FailureClass {
  // A gateway that restarts: the submission is probably still there.
  if (itsClass === 'missing' && operation === 'reading the submission') return 'unavailable';
  // The contract allows a 404 before an asset has finished.
  if (itsClass === 'missing' && operation.startsWith('reading')) return 'missing';
  // A gateway may limit the size of a request: a presigned address avoids it.
  return itsClass === 'too large' && operation === 'uploading' ? 'too large' : 'page';
}

export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}
