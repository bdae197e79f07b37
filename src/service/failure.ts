import type { ConnectionError } from '../http/http.ts';

/** Why one try of a request did not get the expected response. */
export type Failure =
  /** The response has a status other than 2xx. */
  | {
      readonly kind: 'status';
      readonly status: number;
      /** The server's own explanation, without secrets. */
      readonly message: string;
      readonly location: string | undefined;
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
 * The consequences of each class of failure. Outside this file, the code checks only one status: the 201 of a creation.
 *
 * - `stops`: which other requests would fail as well: all requests of the run, all reads for some time, or no request
 * - `isOutage`: the service cannot be reached or does not work, or another server responds instead of the service
 * - `mayHaveArrived`: the service may have carried out the request
 * - `maxTries`: how often the request is sent at most, for each value of `repeats` in `endpoints.ts`
 */
// biome-ignore format: a table
export const FAILURES = {
  'rate limit':    { stops: 'reading', isOutage: false, mayHaveArrived: false, maxTries: ANY_TIME },
  'no connection': { stops: 'reading', isOutage: true,  mayHaveArrived: false, maxTries: ANY_TIME },
  // A gateway may respond with a server error although the service has carried out the request.
  'server error':  { stops: 'reading', isOutage: true,  mayHaveArrived: true,  maxTries: { ...IF_HARMLESS, once: 2 } },
  'unavailable':   { stops: 'reading', isOutage: true,  mayHaveArrived: true,  maxTries: IF_HARMLESS },
  'lost':          { stops: 'reading', isOutage: true,  mayHaveArrived: true,  maxTries: IF_HARMLESS },
  'not trusted':   { stops: 'reading', isOutage: true,  mayHaveArrived: false, maxTries: ONCE },
  'not JSON':      { stops: 'reading', isOutage: true,  mayHaveArrived: true,  maxTries: { ...ONCE, freely: 3 } },
  'wrong JSON':    { stops: 'nothing', isOutage: false, mayHaveArrived: true,  maxTries: { ...ONCE, freely: 3 } },
  'unknown host':  { ...REFUSAL, stops: 'run', maxTries: { freely: 3, once: 3, never: 3 } },
  'wrong key':     { ...REFUSAL, stops: 'run' },
  'wrong plan':    { ...REFUSAL, stops: 'run' },
  'redirect':      REFUSAL,
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

export function classOf(failure: Failure): FailureClass {
  switch (failure.kind) {
    case 'status': {
      const { status } = failure;
      return CLASS_OF_STATUS.get(status) ?? (status < 400 ? 'redirect' : status < 500 ? 'refused' : 'unavailable');
    }
    case 'connection': {
      const { isLasting, maybeReceived, unknownHost } = failure.error.facts;
      if (isLasting) return 'not trusted';
      if (unknownHost !== undefined) return 'unknown host';
      return maybeReceived ? 'lost' : 'no connection';
    }
    case 'unreadable':
      return failure.isJson ? 'wrong JSON' : 'not JSON';
  }
}

export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}
