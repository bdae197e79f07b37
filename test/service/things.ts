import { vi } from 'vitest';
import { ConnectionError, type ConnectionFacts, type Http, type HttpResponse } from '../../src/http/http.ts';
import type { Log } from '../../src/lib/log.ts';
import type { SendableContent } from '../../src/media/content.ts';
import { ServiceClient } from '../../src/service/client.ts';
import { type Issue, readIssues } from '../../src/service/issue.ts';
import type { ListedAsset } from '../../src/service/responses.ts';
import type { Failure } from '../../src/service/service-error.ts';

/** Complete values for tests; a test gives only what matters to it. */

export function content(path: string): SendableContent {
  const stamp = { size: 3, mtimeMs: 1, ino: 1 };
  const type = { mime: 'image/png', extension: 'png', category: 'image' } as const;
  const file = { path, absolutePath: `/work/${path}`, sha256: path, stamp, type };
  return { sha256: path, size: 3, category: 'image', paths: [path], file, name: `${path}-0123456789abcdef.png` };
}

export function listedAsset(assetId: string, facts: Partial<ListedAsset> = {}): ListedAsset {
  return {
    assetId,
    versionGroupId: null,
    versionNumber: 1,
    issueCount: null,
    errorMessage: null,
    errorType: null,
    isRetryable: false,
    retryCount: 0,
    ...facts,
  };
}

export function issues(...ids: readonly string[]): readonly Issue[] {
  return readIssues(ids.map((id) => ({ id, severity: 'CRITICAL', status: 'OPEN' }))).items;
}

export function connection(facts: ConnectionFacts, message = 'it broke'): Failure {
  return { kind: 'connection', error: new ConnectionError(message, facts) };
}

export function refusal(status: number, message = '', retryAfter?: string) {
  return { kind: 'status', status, message, location: undefined, retryAfter } as const;
}

export function response(
  status: number,
  json: unknown = {},
  retryAfter?: string,
): HttpResponse & { readonly text: string } {
  return { status, text: JSON.stringify(json), retryAfter, location: undefined };
}

/** How the service responds to `GET /submissions/1`; `nth` counts the requests of the same method and path from 1. */
export type Service = (request: string, nth: number) => HttpResponse;

/** A client of this service, and everything that it asked and logged. */
export function clientOf(service: Service) {
  const requests: string[] = [];
  const bodies: unknown[] = [];
  const lines: string[] = [];
  const http: Http = {
    send: async ({ method, url, body }) => {
      const { pathname, search } = new URL(url);
      const request = `${method} ${pathname}${search}`;
      requests.push(request);
      if (typeof body === 'string') bodies.push(JSON.parse(body));
      return service(request, requests.filter((each) => each === request).length);
    },
    close: async () => undefined,
  };
  const log: Log = {
    info: (line) => lines.push(line),
    notice: (line) => lines.push(line),
    warning: (line) => lines.push(line),
    group: async (_, work) => await work(),
  };
  const access = { apiKey: 'secret', mode: 'live', baseUrl: 'https://service.example' } as const;
  return { client: new ServiceClient({ access, http, userAgent: 'gate', log }), log, requests, bodies, lines };
}

export const MINUTE = 60_000;

/** Lets fake time pass until the work is done, and says how long that took. */
export async function inFakeTime<T>(work: () => Promise<T>, minutes = 120): Promise<{ value: T; ms: number }> {
  const startedAt = Date.now();
  const ended = (async () => ({ value: await work(), ms: Date.now() - startedAt }))();
  // A rejection is noticed below, once time has passed.
  ended.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(minutes * MINUTE);
  return await ended;
}
