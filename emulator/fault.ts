import * as v from 'valibot';
import { nameMatches } from './match.ts';
import { ENDPOINTS, type Endpoint } from './record.ts';

const Positive = v.pipe(v.number(), v.integer(), v.minValue(1));
const StatusCode = v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599));

const actions = {
  /** Answer with this status, and with `headers` and `body` if given. */
  status: v.exactOptional(StatusCode),
  /** Reset the connection. */
  reset: v.exactOptional(v.literal(true)),
  /** Never answer. */
  stall: v.exactOptional(v.literal(true)),
  /** A web page with this status, as a proxy sends it. */
  html: v.exactOptional(StatusCode),
  /** Redirect (307) to this URL. */
  redirect: v.exactOptional(v.string()),
  /** The true answer, a few bytes at a time. */
  drip: v.exactOptional(v.strictObject({ bytes: Positive, everyMs: v.pipe(v.number(), v.minValue(0)) })),
  /** Only the first so many bytes of the true answer; then the connection ends. */
  truncate: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  /** The true answer with a wrong Content-Length, by this difference. If it is too large, nothing more follows. */
  contentLength: v.exactOptional(v.pipe(v.number(), v.integer())),
  /** The true answer, padded with blanks to this size: valid JSON, but huge. */
  huge: v.exactOptional(Positive),
  /** The first half of the true answer, as if it were complete. */
  malformedJson: v.exactOptional(v.literal(true)),
};

type Action = keyof typeof actions;
/** These damage the true answer, so there has to be one. */
const DAMAGING = ['drip', 'truncate', 'contentLength', 'huge', 'malformedJson'] as const satisfies Action[];
const ACTIONS = ['status', 'reset', 'stall', 'html', 'redirect', ...DAMAGING] as const satisfies Action[];

const WhenSchema = v.picklist(['before-body', 'before-work', 'after-work']);

/** When a fault happens; `after-work` means that the work was done and only its answer is lost. */
export type When = v.InferOutput<typeof WhenSchema>;

export const FaultSchema = v.pipe(
  v.strictObject({
    on: v.picklist(ENDPOINTS),
    /** Which request of that endpoint, or the first and last one; counted from 1 since the scenario was loaded. */
    nth: v.exactOptional(v.union([Positive, v.tuple([Positive, Positive])])),
    /** Maximum number of times. */
    times: v.exactOptional(Positive),
    /**
     * Glob or substring of a filename in the request, or a whole segment of its path, such as an identifier. Before the
     * body is read, only the path is known.
     */
    match: v.exactOptional(v.string()),
    /** Default `before-work`; a fault that damages the true answer is always `after-work`. */
    when: v.exactOptional(WhenSchema),
    headers: v.exactOptional(v.record(v.string(), v.string())),
    /** Text is sent unchanged, anything else as JSON. */
    body: v.exactOptional(v.unknown()),
    ...actions,
  }),
  v.check((fault) => actionsOf(fault).length === 1, `A fault needs exactly one of ${ACTIONS.join(', ')}.`),
  v.check(
    (fault) => fault.status !== undefined || (fault.headers === undefined && fault.body === undefined),
    'Only a fault with a status has headers and a body.',
  ),
  v.check(
    (fault) => !isDamaging(fault) || fault.when === undefined || fault.when === 'after-work',
    'A fault that damages the true answer can only happen after the work.',
  ),
);

export type Fault = v.InferOutput<typeof FaultSchema>;

function actionsOf(fault: Partial<Record<Action, unknown>>): readonly Action[] {
  return ACTIONS.filter((action) => fault[action] !== undefined);
}

function isDamaging(fault: Partial<Record<Action, unknown>>): boolean {
  return DAMAGING.some((action) => fault[action] !== undefined);
}

export interface Moment {
  readonly endpoint: Endpoint | 'unknown';
  /** The number of this request among those of its endpoint, from 1. */
  readonly nth: number;
  readonly when: When;
  /** Filenames in the request. */
  readonly names: readonly string[];
  readonly path: string;
}

/** Whether a fault matches this moment, apart from its `times`. */
function matches(fault: Fault, moment: Moment): boolean {
  if (fault.on !== moment.endpoint) return false;
  if ((fault.when ?? (isDamaging(fault) ? 'after-work' : 'before-work')) !== moment.when) return false;
  const [from, to] = typeof fault.nth === 'number' ? [fault.nth, fault.nth] : (fault.nth ?? [1, Infinity]);
  if (moment.nth < from || moment.nth > to) return false;
  const { match } = fault;
  if (match === undefined || moment.names.some((name) => nameMatches(match, name))) return true;
  // A whole segment: a random identifier may contain any short text.
  return moment.path.split('/').includes(match);
}

/** The faults of one workspace, and how often each was used. */
export class Faults {
  readonly #faults: readonly Fault[];
  readonly #used = new Map<Fault, number>();

  constructor(faults: readonly Fault[]) {
    this.#faults = faults;
  }

  take(moment: Moment): Fault | undefined {
    const fault = this.#faults.find(
      (fault) => (this.#used.get(fault) ?? 0) < (fault.times ?? Infinity) && matches(fault, moment),
    );
    if (fault !== undefined) this.#used.set(fault, (this.#used.get(fault) ?? 0) + 1);
    return fault;
  }
}
