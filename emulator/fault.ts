import * as v from 'valibot';
import { ENDPOINTS, type Endpoint, type HttpResponse, json, planRefusal, rateRefusal } from './http.ts';

const Positive = v.pipe(v.number(), v.integer(), v.minValue(1));
const StatusCode = v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599));

const actions = {
  /** Respond with this status, and with `headers` and `body` if given. */
  status: v.exactOptional(StatusCode),
  /** Reset the connection. */
  reset: v.exactOptional(v.literal(true)),
  /** Never respond. */
  stall: v.exactOptional(v.literal(true)),
};
const ACTIONS = ['status', 'reset', 'stall'] as const satisfies (keyof typeof actions)[];

const WhenSchema = v.picklist(['before-body', 'before-work', 'after-work']);

/** When a fault happens. With `after-work` the request was handled, and only its response is lost. */
export type When = v.InferOutput<typeof WhenSchema>;

export const FaultSchema = v.pipe(
  v.strictObject({
    on: v.picklist(ENDPOINTS),
    /** Which request of that endpoint, counted from 1 since the scenario was loaded. Default: all. */
    nth: v.exactOptional(Positive),
    /** Maximum number of times. */
    times: v.exactOptional(Positive),
    /** Default: `before-work`. */
    when: v.exactOptional(WhenSchema),
    headers: v.exactOptional(v.record(v.string(), v.string())),
    /** Text is sent unchanged, anything else as JSON. */
    body: v.exactOptional(v.unknown()),
    ...actions,
  }),
  v.check(
    (fault) => ACTIONS.filter((action) => fault[action] !== undefined).length === 1,
    `A fault needs exactly one of ${ACTIONS.join(', ')}.`,
  ),
);

export type Fault = v.InferOutput<typeof FaultSchema>;

interface Moment {
  readonly endpoint: Endpoint | 'unknown';
  /** The number of this request among those of its endpoint, from 1. */
  readonly nth: number;
  readonly when: When;
}

/** Whether a fault matches this moment, apart from its `times`. */
function matches(fault: Fault, { endpoint, nth, when }: Moment): boolean {
  return fault.on === endpoint && (fault.nth ?? nth) === nth && (fault.when ?? 'before-work') === when;
}

/** The faults of one workspace, how often each was used, and the requests of each endpoint so far. */
export class Faults {
  readonly #faults: readonly Fault[];
  readonly #used = new Map<Fault, number>();
  readonly #requests = new Map<Endpoint | 'unknown', number>();

  constructor(faults: readonly Fault[]) {
    this.#faults = faults;
  }

  /** Counts a request. Returns its number among those of its endpoint, from 1. */
  count(endpoint: Endpoint | 'unknown'): number {
    const nth = (this.#requests.get(endpoint) ?? 0) + 1;
    this.#requests.set(endpoint, nth);
    return nth;
  }

  use(moment: Moment): Fault | undefined {
    const fault = this.#faults.find(
      (fault) => (this.#used.get(fault) ?? 0) < (fault.times ?? Infinity) && matches(fault, moment),
    );
    if (fault !== undefined) this.#used.set(fault, (this.#used.get(fault) ?? 0) + 1);
    return fault;
  }
}

/** The response that replaces the true one; `undefined` if the fault sends none. */
export function responseInstead({ status, headers = {}, body }: Fault, bucket: string): HttpResponse | undefined {
  if (status === undefined) return undefined;
  if (typeof body === 'string') return { status, headers: { 'content-type': 'text/plain', ...headers }, body };
  const { headers: usual, ...response } = body === undefined ? usualResponse(status, bucket) : json(status, body);
  return { ...response, headers: { ...usual, ...headers } };
}

function usualResponse(status: number, bucket: string): HttpResponse {
  if (status === 402) return planRefusal(bucket);
  if (status === 429) return rateRefusal(bucket, '1');
  return json(status, { detail: `A fault of the scenario: ${status}.` });
}
