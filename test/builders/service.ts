import type { Log } from '../../src/github/runner.ts';
import { ConnectionError, type Http, type HttpRequest, type HttpResponse } from '../../src/http/http.ts';
import { createSecrets } from '../../src/lib/secrets.ts';
import { createClient } from '../../src/service/client.ts';
import type { Mode } from '../../src/service/endpoints.ts';
import type { ListedAsset } from '../../src/service/responses.ts';
import type { Failure } from '../../src/service/service-error.ts';
import type { Deadline } from '../../src/service/tries.ts';
import { listedAsset } from './analyses.ts';
import { sentName } from './media.ts';

/** Builders of what the service says over time, and of a client that hears it. */

export function connection(kind: ConnectionError['kind'], message = 'it broke', fix?: string): Failure {
  return new ConnectionError(message, kind, fix);
}

export function refusal(status: number, message = '', retryAfter?: string) {
  return { status, message, isPage: false, retryAfter };
}

export function response(status: number, json: unknown = {}, retryAfter?: string) {
  return { status, text: JSON.stringify(json), retryAfter, date: undefined };
}

/** No test sends as many. A mistake that sends requests in an endless loop fails by this instead of hanging. */
const MAX_REQUESTS = 20_000;

/** A connection on which `reply` responds to every request. `index` is 0 for the first request. */
export function connectionTo(reply: (request: HttpRequest, index: number) => HttpResponse | Promise<HttpResponse>) {
  const sent: HttpRequest[] = [];
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const warnings: string[] = [];
  const warning = (line: string): void => void warnings.push(line);
  const log: Log = { info: write, warning, group: async (_, work) => await work() };
  const send: Http['send'] = async (request) => {
    if (sent.length === MAX_REQUESTS) throw new Error('The client sends requests without end.');
    return await reply(request, sent.push(request) - 1);
  };
  const masks: string[] = [];
  const { add, clean } = createSecrets();
  const mask = (...secrets: readonly string[]): void => {
    masks.push(...secrets);
    add(secrets);
  };
  return { http: { send }, log, mask, clean, sent, lines, warnings, masks };
}

export const ACCESS = { apiKey: 'secret', mode: 'live', baseUrl: 'https://service.example' } as const;

/** A whole response, an HTTP status, a status in the body, other fields of the body or a list, or why there is none. */
export type Reply = HttpResponse | number | string | object | Error | null;

/** A value, or one that changes: the function gets the seconds since the service was made. */
type At<T> = T | ((seconds: number) => T);

/** A value that changes with time: `steps(x, [5, y])` is x, and after five seconds it is y. */
export function steps<T, U = T>(first: T, ...later: readonly (readonly [number, T | U])[]): (seconds: number) => T | U {
  return (now) => later.findLast(([second]) => now >= second)?.[1] ?? first;
}

/** A rate limit that ends after every deadline of these tests. */
export const LIMITED = response(429, {}, '7200');

export function responseOf(reply: Reply, body: object = {}): HttpResponse {
  if (reply instanceof Error) throw reply;
  if (typeof reply === 'number') return response(reply, {}, '10');
  if (typeof reply === 'string') return response(200, { ...body, status: reply });
  if (reply === null || Array.isArray(reply)) return response(200, reply);
  return 'retryAfter' in reply ? reply : response(200, { ...body, ...reply });
}

/** What the service says about a submission. */
export interface Said {
  /** Default: complete. */
  readonly status?: At<Reply>;
  /** Its list of assets, by the name of their file: `a` is the asset `asset-a` of the image a. */
  readonly listed?: At<Readonly<Record<string, Partial<ListedAsset>>> | null>;
  /** What else is asked for: `a`, which is complete by default, `a/issues`, `a/topics`, `a/retry`, `versions`. */
  readonly [path: string]: At<Reply> | undefined;
}

interface ServiceOptions {
  readonly mode?: Mode | undefined;
  /** Replies before the submission does, to a path such as `S/a/issues`. */
  readonly instead?: (path: string) => Reply | undefined;
}

/** A client of a service that says this about each submission, by its id. All others are missing. */
export function serviceOf(submissions: Readonly<Record<string, Said>>, { mode, instead }: ServiceOptions = {}) {
  const startedAt = performance.now();
  const asked: { readonly path: string; readonly seconds: number }[] = [];
  const connected = clientOf((request) => {
    const seconds = (performance.now() - startedAt) / 1000;
    const now = <T extends Reply | undefined>(value: At<T>): T =>
      typeof value === 'function' ? value(seconds) : value;
    const path = request.replace(/^\w+ \/submissions\//, '').replace('/assets/asset-', '/');
    asked.push({ path, seconds });
    const [id = '', name, ...endpoint] = path.split('/');
    const { status = 'complete', listed = {}, ...others } = submissions[id] ?? { status: 404 };
    const first = instead?.(path);
    if (name === undefined) {
      const list = now(listed);
      const assets = list && Object.entries(list).map(([seed, facts]) => listedAsset(`asset-${seed}`, facts));
      return responseOf(first ?? now(status), { submissionId: id, status: 'complete', assets });
    }
    const reply = first ?? now(others[[name, ...endpoint].join('/')]);
    if (name === 'versions' || endpoint.length > 0) return responseOf(reply ?? 404);
    return responseOf(reply ?? {}, { assetId: `asset-${name}`, filename: sentName(name), status: 'complete' });
  }, mode);
  return { ...connected, asked };
}

/** A client of a service that responds to a request such as `GET /submissions/1` by its number, from 1 on. */
export function clientOf(service: (request: string, nth: number) => HttpResponse, mode: Mode = 'live') {
  const requests: string[] = [];
  const connected = connectionTo(({ method, url }) => {
    const { pathname, search } = new URL(url);
    const request = `${method} ${pathname}${search}`;
    requests.push(request);
    return service(request, requests.filter((each) => each === request).length);
  });
  const client = createClient({ access: { ...ACCESS, mode }, ...connected });
  return { ...connected, client, requests };
}

export const MINUTE = 60_000;

export function deadlineIn(minutes: number): Deadline {
  return { signal: new AbortController().signal, until: performance.now() + minutes * MINUTE };
}
