import * as v from 'valibot';
import { nameMatches } from './match.ts';
import { ENDPOINTS, type Endpoint } from './record.ts';

const Positive = v.pipe(v.number(), v.integer(), v.minValue(1));
const StatusCode = v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599));

const actions = {
  /** Answer with this status, and `headers` and `body` where given. */
  status: v.exactOptional(StatusCode),
  /** Reset the connection. */
  reset: v.exactOptional(v.literal(true)),
  /** Never answer. */
  stall: v.exactOptional(v.literal(true)),
  /** A web page with this status, as a proxy sends it. */
  html: v.exactOptional(StatusCode),
  /** 307 to this address. */
  redirect: v.exactOptional(v.string()),
  /** The true answer, a few bytes at a time. */
  drip: v.exactOptional(v.strictObject({ bytes: Positive, everyMs: v.pipe(v.number(), v.minValue(0)) })),
  /** Only the first so many bytes of the true answer; then the connection ends. */
  truncate: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  /** The true answer under a Content-Length that is off by so much. Where more is promised, nothing more comes. */
  contentLength: v.exactOptional(v.pipe(v.number(), v.integer())),
  /** The true answer followed by blanks, so many bytes in all: still JSON, only huge. */
  huge: v.exactOptional(Positive),
  /** The first half of the true answer, as if it were all. */
  malformedJson: v.exactOptional(v.literal(true)),
};

type Action = keyof typeof actions;
/** These spoil the true answer, so there has to be one. */
const SPOILERS = ['drip', 'truncate', 'contentLength', 'huge', 'malformedJson'] as const satisfies Action[];
const ACTIONS = ['status', 'reset', 'stall', 'html', 'redirect', ...SPOILERS] as const satisfies Action[];

const WhenSchema = v.picklist(['before-body', 'before-work', 'after-work']);

/** When a fault strikes; `after-work` means that the work was really done, only its answer is lost. */
export type When = v.InferOutput<typeof WhenSchema>;

export const FaultSchema = v.pipe(
  v.strictObject({
    on: v.picklist(ENDPOINTS),
    /** Which requests of that endpoint, or from which to which; counted from 1 since the scenario was loaded. */
    nth: v.exactOptional(v.union([Positive, v.tuple([Positive, Positive])])),
    /** How often at most. */
    times: v.exactOptional(Positive),
    /**
     * Glob or substring on a filename the request is about, or a whole segment of its path, such as an identifier. Before
     * the body only what the path tells is known.
     */
    match: v.exactOptional(v.string()),
    /** Default `before-work`; a fault that spoils the true answer is always `after-work`. */
    when: v.exactOptional(WhenSchema),
    headers: v.exactOptional(v.record(v.string(), v.string())),
    /** Text is sent as it is, anything else as JSON. */
    body: v.exactOptional(v.unknown()),
    ...actions,
  }),
  v.check((fault) => actionsOf(fault).length === 1, `A fault needs exactly one of ${ACTIONS.join(', ')}.`),
  v.check(
    (fault) => fault.status !== undefined || (fault.headers === undefined && fault.body === undefined),
    'Only a fault with a status has headers and a body.',
  ),
  v.check(
    (fault) => !spoils(fault) || fault.when === undefined || fault.when === 'after-work',
    'A fault that spoils the true answer can only come after the work.',
  ),
);

export type Fault = v.InferOutput<typeof FaultSchema>;

function actionsOf(fault: Partial<Record<Action, unknown>>): readonly Action[] {
  return ACTIONS.filter((action) => fault[action] !== undefined);
}

function spoils(fault: Partial<Record<Action, unknown>>): boolean {
  return SPOILERS.some((action) => fault[action] !== undefined);
}

export interface Moment {
  readonly endpoint: Endpoint | 'unknown';
  /** Which request of its endpoint this is, from 1. */
  readonly nth: number;
  readonly when: When;
  /** Filenames that the request is about. */
  readonly names: readonly string[];
  readonly path: string;
}

/** Whether a fault is meant for this moment, leaving aside how often it has struck. */
function strikes(fault: Fault, moment: Moment): boolean {
  if (fault.on !== moment.endpoint) return false;
  if ((fault.when ?? (spoils(fault) ? 'after-work' : 'before-work')) !== moment.when) return false;
  const [from, to] = typeof fault.nth === 'number' ? [fault.nth, fault.nth] : (fault.nth ?? [1, Infinity]);
  if (moment.nth < from || moment.nth > to) return false;
  const { match } = fault;
  if (match === undefined || moment.names.some((name) => nameMatches(match, name))) return true;
  // Not a part of one: identifiers are random, and now and then one holds any short text.
  return moment.path.split('/').includes(match);
}

/** The faults of one workspace and how often each has struck. */
export class Faults {
  readonly #faults: readonly Fault[];
  readonly #struck = new Map<Fault, number>();

  constructor(faults: readonly Fault[]) {
    this.#faults = faults;
  }

  take(moment: Moment): Fault | undefined {
    const fault = this.#faults.find(
      (fault) => (this.#struck.get(fault) ?? 0) < (fault.times ?? Infinity) && strikes(fault, moment),
    );
    if (fault !== undefined) this.#struck.set(fault, (this.#struck.get(fault) ?? 0) + 1);
    return fault;
  }
}
