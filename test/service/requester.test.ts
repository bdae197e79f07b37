import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionError, type Http, type HttpRequest, type HttpResponse } from '../../src/http/http.ts';
import type { Log } from '../../src/lib/log.ts';
import { ENDPOINTS, type Endpoint } from '../../src/service/endpoints.ts';
import { ServiceRequester } from '../../src/service/requester.ts';
import { ServiceError } from '../../src/service/service-error.ts';

const KEY = `sk_live_${'0f'.repeat(32)}`;
const BASE = 'https://service.example/api/integrations';
const ignore = (): void => undefined;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function respond(status: number, json: unknown = {}, retryAfter?: string): HttpResponse {
  return { status, text: JSON.stringify(json), retryAfter, location: undefined };
}

/** A requester whose requests get the responses of `reply`, and all that it sent and logged. */
function requesterWith(
  reply: (request: HttpRequest, index: number) => HttpResponse | Promise<HttpResponse>,
  apiKey: string = KEY,
) {
  const sent: HttpRequest[] = [];
  const lines: string[] = [];
  const http: Http = {
    send: async (request) => {
      sent.push(request);
      return await reply(request, sent.length - 1);
    },
    close: async () => undefined,
  };
  const log: Log = {
    info: (line) => lines.push(line),
    notice: ignore,
    warning: ignore,
    group: async (_, work) => await work(),
  };
  const requester = new ServiceRequester({
    access: { apiKey, mode: 'live', baseUrl: BASE },
    http,
    userAgent: 'the-gate/1',
    log,
  });
  const stop = new AbortController();
  const send = async (endpoint: Endpoint, path = '/x'): Promise<unknown> =>
    await requester.send({
      endpoint,
      path,
      schema: v.unknown(),
      deadline: { signal: stop.signal, until: Date.now() + 1_800_000 },
    });
  return { send, sent, lines, stop };
}

/** The error that a request ends with. */
async function errorOf(request: Promise<unknown>): Promise<unknown> {
  const error = request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  await vi.runAllTimersAsync();
  return await error;
}

it('the key goes to the service’s address, in its header', async () => {
  const { send, sent } = requesterWith(() => respond(200, { fine: true }));
  expect(await send(ENDPOINTS.readSubmission, '/submissions/1')).toEqual({ fine: true });
  expect(sent).toMatchObject([
    { method: 'GET', url: `${BASE}/submissions/1`, headers: { 'x-api-key': KEY, 'user-agent': 'the-gate/1' } },
  ]);
});

it('only what must not be sent twice uses a new connection', async () => {
  const { send, sent } = requesterWith(() => respond(200));
  for (const endpoint of Object.values(ENDPOINTS)) await send(endpoint);
  const names = Object.keys(ENDPOINTS).filter((_, index) => sent[index]?.freshConnection);
  expect(names).toEqual(['create', 'fire']);
});

it.each([401, 402])('after %d no request is started, to any endpoint', async (status) => {
  const { send, sent } = requesterWith(() => respond(status, { message: 'no' }));
  const first = await errorOf(send(ENDPOINTS.readSubmission));
  expect(first).toBeInstanceOf(ServiceError);
  expect(await errorOf(send(ENDPOINTS.uploadUrl))).toBe(first);
  expect(sent).toHaveLength(1);
});

it('a key or a signature that the service repeats is hidden', async () => {
  const detail = `bad key ${KEY} for https://storage.example/x?sv=1&sig=abc%2Fdef&se=2`;
  const { send } = requesterWith(() => respond(403, { detail }));
  const error = await errorOf(send(ENDPOINTS.readSubmission));
  expect(String(error)).toContain('bad key *** for https://storage.example/x?sv=1&sig=***&se=2');
});

describe('a secret', () => {
  const ADDRESS = 'https://storage.example/x?sv=1&sig=abc%2Fdef&se=2';

  it('is removed from every response except the one with an upload address', async () => {
    for (const [name, endpoint] of Object.entries(ENDPOINTS)) {
      const { send } = requesterWith(() => respond(200, { text: ADDRESS }));
      const text = name === 'uploadUrl' ? ADDRESS : ADDRESS.replace('abc%2Fdef', '***');
      expect.soft(await send(endpoint), name).toEqual({ text });
    }
  });

  it('is also removed from that one if it is a refusal', async () => {
    const { send } = requesterWith(() => respond(403, { detail: ADDRESS }));
    expect(String(await errorOf(send(ENDPOINTS.uploadUrl)))).toContain('sig=***&se=2');
  });

  // biome-ignore format: a table
  it.each([
    ['an escaped &',            String.raw`"https:\/\/x\/y?sv=1\u0026sig=ab%3D\u0026se=2"`,      'https://x/y?sv=1&sig=***&se=2'],
    ['an escaped value',        String.raw`"x?sig=ab\/c\u002Bd\u003D\u003d more"`,                'x?sig=*** more'],
    ['an escaped ? and =',      String.raw`"x\u003Fsig\u003Dabc"`,                                 'x?sig=***'],
    ['an escaped end',          String.raw`"see \"x?sig=abc\", or \u0022x?sig=abc\u0022\nhere"`,  'see "x?sig=***", or "x?sig=***"\nhere'],
    ['JSON within JSON',        String.raw`"{\"url\":\"x?a\\u0026sig=a\\/b\\u002Bc\"}"`,         String.raw`{"url":"x?a\u0026sig=***"}`],
    ['an HTML entity',          '"x?a=1&amp;sig=abc"',                                             'x?a=1&amp;sig=***'],
    ['Amazon’s and Google’s',   '"x?X-Amz-Signature=abc&X-Goog-Signature=abc&Signature=abc"',      'x?X-Amz-Signature=***&X-Goog-Signature=***&Signature=***'],
    ['no signature',            '"a design=1, x?significant=yes&sig"',                             'a design=1, x?significant=yes&sig'],
  ])('%s', async (_, text, expected) => {
    const { send } = requesterWith(() => ({ ...respond(200), text }));
    expect(await send(ENDPOINTS.readSubmission)).toBe(expected);
  });

  it('a key is hidden in its JSON form as well', async () => {
    const key = String.raw`sk_test_a"b\c`;
    const { send } = requesterWith(() => respond(200, { plain: `no ${key}` }), key);
    expect(await send(ENDPOINTS.readSubmission)).toEqual({ plain: 'no ***' });
  });
});

describe('a rate limit', () => {
  it('in one bucket stops that bucket for all workers, no other bucket, and is logged once', async () => {
    const at: [string, number][] = [];
    const startedAt = Date.now();
    const { send, lines } = requesterWith(({ url }) => {
      at.push([url.slice(BASE.length), Math.round((Date.now() - startedAt) / 1000)]);
      return at.filter(([path]) => path === '/first').length === 1 && url.endsWith('/first')
        ? respond(429, { error: 'slow down' }, '60')
        : respond(200);
    });
    const requests = [send(ENDPOINTS.readAsset, '/first')];
    await vi.advanceTimersByTimeAsync(1000);
    requests.push(send(ENDPOINTS.readSubmission, '/second'), send(ENDPOINTS.create, '/other'));
    await vi.runAllTimersAsync();
    await Promise.all(requests);

    expect(at.slice(0, 2)).toEqual([
      ['/first', 0],
      ['/other', 1],
    ]);
    expect(new Map(at.slice(2))).toEqual(
      new Map([
        ['/first', 60],
        ['/second', 60],
      ]),
    );
    expect(lines).toEqual(['The service answered 429 while reading an asset: slow down; trying again in 60 s']);
  });
});

it.each(['OK', '<html></html>', ''])('%j is no response, whatever was asked for', async (text) => {
  const { send } = requesterWith(() => ({ ...respond(200), text }));
  expect(await errorOf(send(ENDPOINTS.readIssues))).toMatchObject({ failure: { kind: 'unreadable', isJson: false } });
});

describe('an outage', () => {
  it('is logged once for all that fail in the same way, and again while it lasts', async () => {
    const startedAt = Date.now();
    const { send, lines, sent } = requesterWith(() => {
      if (Date.now() - startedAt < 60_000) throw new ConnectionError('connection refused', { maybeReceived: false });
      return respond(200);
    });
    const requests = Array.from({ length: 8 }, async () => await send(ENDPOINTS.readSubmission));
    await vi.runAllTimersAsync();
    await Promise.all(requests);

    expect(sent.length).toBeGreaterThan(24);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.length).toBeLessThanOrEqual(4);
    expect(new Set(lines.map((line) => line.replace(/\d+ s$/, '')))).toEqual(
      new Set(['The service could not be reached while reading the submission: connection refused; trying again in ']),
    );
  });
});

describe('a run that is stopped', () => {
  it.each([
    ['while creating: it is unknown whether the request arrived', ENDPOINTS.create, ServiceError],
    ['while reading: the reason of the stop', ENDPOINTS.readSubmission, RangeError],
  ])('%s', async (_, endpoint, kind) => {
    const { send, stop } = requesterWith(async ({ signal }) => {
      stop.abort(new RangeError('stopped'));
      throw signal.reason;
    });
    expect(await errorOf(send(endpoint))).toBeInstanceOf(kind);
  });
});

it('a creation is not sent after the stop, and its response is awaited if it was', async () => {
  const { send, sent, stop } = requesterWith(async ({ signal }) => {
    stop.abort(new RangeError('stopped'));
    await vi.advanceTimersByTimeAsync(4_000);
    signal.throwIfAborted();
    return respond(201, { submissionId: 'S' });
  });
  expect(await send(ENDPOINTS.create)).toEqual({ submissionId: 'S' });
  expect(await errorOf(send(ENDPOINTS.create))).toBeInstanceOf(RangeError);
  expect(sent).toHaveLength(1);
});

it('a creation that may have arrived is not repeated', async () => {
  const { send, sent } = requesterWith((_, index) => {
    throw new ConnectionError('x', { maybeReceived: index === 2 });
  });
  const error = await errorOf(send(ENDPOINTS.create));
  expect(error).toMatchObject({ failure: { error: { maybeReceived: true } } });
  expect(sent).toHaveLength(3);
});

describe('a host name that does not exist', () => {
  const unknown = new ConnectionError('the host name service.exmaple does not exist', {
    maybeReceived: false,
    unknownHost: 'service.example',
  });

  it('is given up within seconds, and no other request is started', async () => {
    const startedAt = Date.now();
    const { send, sent } = requesterWith(() => {
      throw unknown;
    });
    const first = await errorOf(send(ENDPOINTS.readSubmission));
    expect(Date.now() - startedAt).toBeLessThan(3_000);
    expect(first).toMatchObject({ endsRun: true, isOutage: false });
    expect(sent).toHaveLength(3);
    expect(await errorOf(send(ENDPOINTS.uploadUrl))).toBe(first);
    expect(sent).toHaveLength(3);
  });

  it('is an outage once the service has responded', async () => {
    const { send, sent } = requesterWith((_, index) => {
      if (index === 0) return respond(200);
      throw unknown;
    });
    await send(ENDPOINTS.readSubmission);
    expect(await errorOf(send(ENDPOINTS.readSubmission))).toMatchObject({ endsRun: false, isOutage: true });
    expect(sent.length).toBeGreaterThan(8);
  });
});

describe('a response that is too large', () => {
  it('cannot be read, and the error names the limit', async () => {
    const { send } = requesterWith(() => ({ ...respond(200), text: undefined }));
    expect(await errorOf(send(ENDPOINTS.readIssues))).toMatchObject({
      message: 'The service gave a response while reading the issues that could not be read: it is larger than 16 MB',
      isOutage: false,
    });
  });

  it('with an error status counts by its status', async () => {
    const { send } = requesterWith(() => ({ ...respond(503), text: undefined }));
    expect(await errorOf(send(ENDPOINTS.readIssues))).toMatchObject({ status: 503, isOutage: true });
  });
});
