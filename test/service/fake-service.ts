import { test, vi } from 'vitest';
import { createSecrets, type Log } from '../../src/github/runner.ts';
import { ConnectionError, type Http, type HttpRequest, type HttpResponse } from '../../src/http/http.ts';
import { Calendar } from '../../src/lib/clock.ts';
import { ServiceClient } from '../../src/service/client.ts';
import type { Mode } from '../../src/service/endpoints.ts';
import type { Failure } from '../../src/service/service-error.ts';
import type { Deadline } from '../../src/service/tries.ts';

export function connection(problem: ConnectionError['problem'], message = 'it broke', fix?: string): Failure {
  return new ConnectionError(message, problem, fix);
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
  const log: Log = { info: write, notice: write, warning, group: async (_, work) => await work() };
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
  return { http: { send }, log, mask, clean, calendar: new Calendar(warning), sent, lines, warnings, masks };
}

export const ACCESS = { apiKey: 'secret', mode: 'live', baseUrl: 'https://service.example' } as const;

/** Responds to a request such as `GET /submissions/1`. `nth` is 1 for the first request with this method and path. */
export type Service = (request: string, nth: number) => HttpResponse;

/** A client of this service, with everything that it sent and logged. */
export function clientOf(service: Service, mode: Mode = 'live') {
  const requests: string[] = [];
  const connected = connectionTo(({ method, url }) => {
    const { pathname, search } = new URL(url);
    const request = `${method} ${pathname}${search}`;
    requests.push(request);
    return service(request, requests.filter((each) => each === request).length);
  });
  const client = new ServiceClient({ access: { ...ACCESS, mode }, userAgent: 'gate', ...connected });
  return { ...connected, client, requests };
}

export const MINUTE = 60_000;

export function deadlineIn(minutes: number): Deadline {
  return { signal: new AbortController().signal, until: performance.now() + minutes * MINUTE };
}

/** Vitest's `it` with a fake clock. The pauses between tries are not random: 250 ms, 500 ms, 1000 ms, … */
export const it = test.extend('clock', { auto: true }, ({}, { onCleanup }) => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  onCleanup(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
});

/** Advances the fake clock until the work is done. `ms` is how long the work took. */
export async function inFakeTime<T>(work: () => Promise<T>, minutes = 120): Promise<{ value: T; ms: number }> {
  const startedAt = performance.now();
  const ended = (async () => ({ value: await work(), ms: performance.now() - startedAt }))();
  // `await ended` reports a rejection. Without this line, Node would call it unhandled before that.
  ended.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(minutes * MINUTE);
  const tooLate = Promise.reject(new Error(`The work has not ended after ${minutes} minutes.`));
  return await Promise.race([ended, tooLate]);
}
