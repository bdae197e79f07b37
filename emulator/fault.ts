import type { ServerResponse } from 'node:http';
import { posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { bytesOf, ENDPOINTS, type Endpoint, type HttpResponse, json, planRefusal, rateRefusal } from './http.ts';

const Positive = v.pipe(v.number(), v.integer(), v.minValue(1));
const StatusCode = v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599));

const actions = {
  /** Respond with this status, and with `headers` and `body` if given. */
  status: v.exactOptional(StatusCode),
  /** Reset the connection. */
  reset: v.exactOptional(v.literal(true)),
  /** Never respond. */
  stall: v.exactOptional(v.literal(true)),
  /** A web page with this status, as a proxy sends it. */
  html: v.exactOptional(StatusCode),
  /** Redirect (307) to this URL. */
  redirect: v.exactOptional(v.string()),
  /** The true response, a few bytes at a time. */
  drip: v.exactOptional(v.strictObject({ bytes: Positive, everyMs: v.pipe(v.number(), v.minValue(0)) })),
  /** Only the first so many bytes of the true response; then the connection ends. */
  truncate: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  /** The true response with a wrong Content-Length, by this difference. If it is too large, nothing more follows. */
  contentLength: v.exactOptional(v.pipe(v.number(), v.integer())),
  /** The true response, padded with blanks to this size: valid JSON, but huge. */
  huge: v.exactOptional(Positive),
  /** The first half of the true response, as if it were complete. */
  malformedJson: v.exactOptional(v.literal(true)),
};

type Action = keyof typeof actions;
/** Actions that change the true response, so the request is handled first. */
const DAMAGING = ['drip', 'truncate', 'contentLength', 'huge', 'malformedJson'] as const satisfies Action[];
const ACTIONS = ['status', 'reset', 'stall', 'html', 'redirect', ...DAMAGING] as const satisfies Action[];

const WhenSchema = v.picklist(['before-body', 'before-work', 'after-work']);

/** When a fault happens. With `after-work` the request was handled, and only its response is lost. */
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
    /** Default `before-work`; a fault that damages the true response is always `after-work`. */
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
    'A fault that damages the true response can only happen after the work.',
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
  readonly names: readonly string[];
  readonly path: string;
}

/** Whether a name contains the pattern, or matches it as a glob such as `hero-*`. */
export function nameMatches(pattern: string, name: string): boolean {
  return name.includes(pattern) || posix.matchesGlob(name, pattern);
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

/** The response that replaces the true one; `undefined` if the fault damages that one or sends none. */
export function responseInstead(fault: Fault, bucket: string): HttpResponse | undefined {
  const { status, headers = {}, body, redirect, html } = fault;
  if (redirect !== undefined) return { status: 307, headers: { location: redirect }, body: '' };
  if (html !== undefined) {
    const page = `<!doctype html><html><head><title>${html}</title></head><body><h1>Gateway</h1></body></html>\n`;
    return { status: html, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page };
  }
  if (status === undefined) return undefined;
  if (typeof body === 'string') return { status, headers: { 'content-type': 'text/plain', ...headers }, body };
  if (body !== undefined) return json(status, body, headers);
  const usual = usualResponse(status, bucket);
  return { ...usual, headers: { ...usual.headers, ...headers } };
}

function usualResponse(status: number, bucket: string): HttpResponse {
  if (status === 402) return planRefusal(bucket);
  if (status === 429) return rateRefusal(bucket, '1');
  return json(status, { detail: `A fault of the scenario: ${status}.` });
}

export function send(outgoing: ServerResponse, response: HttpResponse): void {
  const bytes = bytesOf(response);
  outgoing.writeHead(response.status, { ...response.headers, 'content-length': bytes.length });
  outgoing.end(bytes);
}

export async function sendDamaged(outgoing: ServerResponse, response: HttpResponse, fault: Fault): Promise<void> {
  const { body } = response;
  if (fault.malformedJson) return send(outgoing, { ...response, body: body.slice(0, Math.floor(body.length / 2)) });
  if (fault.huge !== undefined) return send(outgoing, { ...response, body: body.padEnd(fault.huge) });
  const bytes = bytesOf(response);
  const length = Math.max(0, bytes.length + (fault.contentLength ?? 0));
  outgoing.writeHead(response.status, { ...response.headers, 'content-length': length });
  if (fault.truncate !== undefined) {
    // Ended only after the bytes are written: a reset would discard them.
    outgoing.write(bytes.subarray(0, fault.truncate), () => outgoing.socket?.end());
    return;
  }
  const { bytes: step, everyMs } = fault.drip ?? { bytes: bytes.length, everyMs: 0 };
  for (let at = 0; at < bytes.length && !outgoing.destroyed; at += step) {
    outgoing.write(bytes.subarray(at, at + step));
    await sleep(everyMs);
  }
  // If the length is too large, the connection stays open, as if more were to follow.
  if (length <= bytes.length) outgoing.end();
}
