import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionError, type Http, type HttpAnswer, type HttpRequest } from '../../src/http/http.ts';
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

function answer(status: number, json: unknown = {}, retryAfter?: string): HttpAnswer {
  return { status, text: JSON.stringify(json), retryAfter, location: undefined };
}

/** A caller whose requests are answered by `reply`, and all that it sent and said. */
function callerWith(
  reply: (request: HttpRequest, index: number) => HttpAnswer | Promise<HttpAnswer>,
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
  const caller = new ServiceRequester({ apiKey, mode: 'live', baseUrl: BASE }, http, 'the-gate/1', log);
  const stop = new AbortController();
  const ask = async (endpoint: Endpoint, path = '/x'): Promise<unknown> =>
    await caller.ask({
      endpoint,
      path,
      schema: v.unknown(),
      deadline: { signal: stop.signal, until: Date.now() + 1_800_000 },
    });
  return { ask, sent, lines, stop };
}

/** The error that a question ends with. */
async function errorOf(question: Promise<unknown>): Promise<unknown> {
  const error = question.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  await vi.runAllTimersAsync();
  return await error;
}

it('the key goes to the service’s address, in its header', async () => {
  const { ask, sent } = callerWith(() => answer(200, { fine: true }));
  expect(await ask(ENDPOINTS.readSubmission, '/submissions/1')).toEqual({ fine: true });
  expect(sent).toMatchObject([
    { method: 'GET', url: `${BASE}/submissions/1`, headers: { 'x-api-key': KEY, 'user-agent': 'the-gate/1' } },
  ]);
});

it('only what must not be sent twice has a connection of its own', async () => {
  const { ask, sent } = callerWith(() => answer(200));
  for (const endpoint of Object.values(ENDPOINTS)) await ask(endpoint);
  const names = Object.keys(ENDPOINTS).filter((_, index) => sent[index]?.freshConnection);
  expect(names).toEqual(['create', 'fire']);
});

it.each([401, 402])('after %d no request is begun, to whatever endpoint', async (status) => {
  const { ask, sent } = callerWith(() => answer(status, { message: 'no' }));
  const first = await errorOf(ask(ENDPOINTS.readSubmission));
  expect(first).toBeInstanceOf(ServiceError);
  expect(await errorOf(ask(ENDPOINTS.uploadUrl))).toBe(first);
  expect(sent).toHaveLength(1);
});

it('a key or a signature that the service repeats is not told on', async () => {
  const detail = `bad key ${KEY} for https://storage.example/x?sv=1&sig=abc%2Fdef&se=2`;
  const { ask } = callerWith(() => answer(403, { detail }));
  const error = await errorOf(ask(ENDPOINTS.readSubmission));
  expect(String(error)).toContain('bad key *** for https://storage.example/x?sv=1&sig=***&se=2');
});

describe('what must not be told on', () => {
  const ADDRESS = 'https://storage.example/x?sv=1&sig=abc%2Fdef&se=2';

  it('is taken out of every answer but the one that gives an address to upload to', async () => {
    for (const [name, endpoint] of Object.entries(ENDPOINTS)) {
      const { ask } = callerWith(() => answer(200, { text: ADDRESS }));
      const text = name === 'uploadUrl' ? ADDRESS : ADDRESS.replace('abc%2Fdef', '***');
      expect.soft(await ask(endpoint), name).toEqual({ text });
    }
  });

  it('is taken out of that one, too, where it is a refusal', async () => {
    const { ask } = callerWith(() => answer(403, { detail: ADDRESS }));
    expect(String(await errorOf(ask(ENDPOINTS.uploadUrl)))).toContain('sig=***&se=2');
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
    const { ask } = callerWith(() => ({ ...answer(200), text }));
    expect(await ask(ENDPOINTS.readSubmission)).toBe(expected);
  });

  it('a key that JSON escapes is known by that form, too', async () => {
    const key = String.raw`sk_test_a"b\c`;
    const { ask } = callerWith(() => answer(200, { plain: `no ${key}` }), key);
    expect(await ask(ENDPOINTS.readSubmission)).toEqual({ plain: 'no ***' });
  });
});

describe('a rate limit', () => {
  it('in one bucket stops that bucket for all, and no other, and is told once', async () => {
    const at: [string, number][] = [];
    const startedAt = Date.now();
    const { ask, lines } = callerWith(({ url }) => {
      at.push([url.slice(BASE.length), Math.round((Date.now() - startedAt) / 1000)]);
      return at.filter(([path]) => path === '/first').length === 1 && url.endsWith('/first')
        ? answer(429, { error: 'slow down' }, '60')
        : answer(200);
    });
    const questions = [ask(ENDPOINTS.retryAsset, '/first')];
    await vi.advanceTimersByTimeAsync(1000);
    questions.push(ask(ENDPOINTS.create, '/second'), ask(ENDPOINTS.readSubmission, '/other'));
    await vi.runAllTimersAsync();
    await Promise.all(questions);

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
    expect(lines).toEqual(['The service answered 429 while retrying an asset: slow down; trying again in 60 s']);
  });
});

describe('an outage', () => {
  it('is told once for all that fail alike, and again while it lasts', async () => {
    const startedAt = Date.now();
    const { ask, lines, sent } = callerWith(() => {
      if (Date.now() - startedAt < 60_000) throw new ConnectionError('connection refused', { maybeReceived: false });
      return answer(200);
    });
    const questions = Array.from({ length: 8 }, async () => await ask(ENDPOINTS.readSubmission));
    await vi.runAllTimersAsync();
    await Promise.all(questions);

    expect(sent.length).toBeGreaterThan(24);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.length).toBeLessThanOrEqual(4);
    expect(new Set(lines.map((line) => line.replace(/\d+ s$/, '')))).toEqual(
      new Set(['The service did not answer while reading the submission: connection refused; trying again in ']),
    );
  });
});

describe('a run that is stopped', () => {
  it.each([
    ['while creating: nobody knows whether it arrived', ENDPOINTS.create, ServiceError],
    ['while reading: that is all there is to say', ENDPOINTS.readSubmission, RangeError],
  ])('%s', async (_, endpoint, kind) => {
    const { ask, stop } = callerWith(async ({ signal }) => {
      stop.abort(new RangeError('stopped'));
      throw signal.reason;
    });
    expect(await errorOf(ask(endpoint))).toBeInstanceOf(kind);
  });
});

it('no connection is made again for a creation that may have arrived', async () => {
  const { ask, sent } = callerWith((_, index) => {
    throw new ConnectionError('x', { maybeReceived: index === 2 });
  });
  const error = await errorOf(ask(ENDPOINTS.create));
  expect(error).toMatchObject({ failure: { error: { maybeReceived: true } } });
  expect(sent).toHaveLength(3);
});
