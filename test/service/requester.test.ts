import * as v from 'valibot';
import { expect, vi } from 'vitest';
import { sleep } from '../../src/lib/async.ts';
import { ENDPOINTS, type Endpoint } from '../../src/service/endpoints.ts';
import { ServiceRequester } from '../../src/service/requester.ts';
import { ServiceError } from '../../src/service/service-error.ts';
import { it } from '../builders/fake-time.ts';
import { connectionTo, deadlineIn, response } from '../builders/service.ts';

const KEY = `sk_live_${'0f'.repeat(32)}`;
const BASE = 'https://service.example/api/integrations';

/** A requester on a fake connection, with everything that it sent and logged. */
function requesterWith(reply: Parameters<typeof connectionTo>[0]) {
  const connected = connectionTo(reply);
  const access = { apiKey: KEY, mode: 'live', baseUrl: BASE } as const;
  const requester = new ServiceRequester({ access, ...connected });
  const stop = new AbortController();
  const send = async (endpoint: Endpoint): Promise<unknown> => {
    const deadline = { ...deadlineIn(30), signal: stop.signal };
    return await requester.send(endpoint, v.unknown(), { deadline });
  };
  return { ...connected, send, stop };
}

const STOPPED = new RangeError('stopped');

async function errorOf(request: Promise<unknown>): Promise<unknown> {
  const error = request.catch((thrown: unknown) => thrown);
  await vi.runAllTimersAsync();
  return await error;
}

it('only what must not be sent twice uses a new connection; the key goes to the service’s address', async () => {
  const { send, sent } = requesterWith(() => response(200));
  for (const endpoint of Object.values(ENDPOINTS)) await send(endpoint);
  const onNewConnection = Object.keys(ENDPOINTS).filter((_, index) => sent[index]?.freshConnection);
  expect(onNewConnection).toEqual(['create', 'fire']);
  expect(sent[0]).toMatchObject({
    url: `${BASE}/uploads/url`,
    headers: {
      'x-api-key': KEY,
      'user-agent': expect.stringMatching(/^media-compliance-gate\/\d+\.\d+\.\d+$/),
      accept: 'application/json',
    },
  });
});

it.for([401, 402])('after %d no request is started, to any endpoint', async (status) => {
  const { send, sent } = requesterWith(() => response(status, { message: 'No.', bucket: 'upload' }));
  const first = await errorOf(send(ENDPOINTS.readSubmission));
  expect(first).toBeInstanceOf(ServiceError);
  expect(String(first)).toContain('No (kind of request: upload)');
  expect(await errorOf(send(ENDPOINTS.uploadUrl))).toBe(first);
  expect(sent).toHaveLength(1);
});

it('a secret is removed from every text of a response, but not from what the gate sends back', async () => {
  const kept = {
    submissionId: KEY,
    assets: [{ assetId: KEY, filename: KEY }],
    uploadUrl: KEY,
    blobPath: KEY,
    [KEY]: 1,
  };
  const { send, mask } = requesterWith(() => response(200, { ...kept, errorMessage: `No ${KEY}.`, list: [KEY, 2] }));
  mask(KEY);
  expect(await send(ENDPOINTS.readSubmission)).toEqual({ ...kept, errorMessage: 'No ***.', list: ['***', 2] });
});

it.for(['JSON', 'a page'])('a secret is removed from every refusal: %s', async (form) => {
  const text = `bad key ${KEY}`;
  const json = { [KEY]: [{ [KEY.toUpperCase()]: 1 }] };
  const { send, mask } = requesterWith(() => ({ ...response(403, json), ...(form === 'a page' && { text }) }));
  mask(KEY);
  const shown = form === 'JSON' ? '{"***":[{"***":1}]}' : 'bad key ***';
  expect(String(await errorOf(send(ENDPOINTS.uploadUrl)))).toContain(shown);
});

it('a rate limit stops all requests of its bucket, no others, and is logged', async () => {
  const buckets = new Set<string>();
  for (const limited of Object.values(ENDPOINTS)) {
    const startedAt = performance.now();
    const { send, lines } = requesterWith((_, index) => (index < 2 ? response(429, {}, '60') : response(200)));
    const refused = [send(limited), send(limited)];
    await vi.advanceTimersByTimeAsync(1000);
    const waited: string[] = [];
    const others = Object.entries(ENDPOINTS).map(async ([name, endpoint]) => {
      await send(endpoint);
      if (performance.now() > startedAt + 1000) waited.push(name);
    });
    await vi.runAllTimersAsync();
    await Promise.all([...refused, ...others]);
    buckets.add(waited.join(' '));
    expect(lines[0]).toMatch(/429 .*; trying again in 60 s$/);
  }
  expect([...buckets]).toEqual([
    'uploadUrl uploadDirect',
    'create retryAsset',
    'readSubmission readAsset readIssues readTopics readVersions',
    'fire',
  ]);
});

it('a request that waits for a rate limit obeys its deadline and a cancel, whatever the others do', async () => {
  const startedAt = performance.now();
  const { send, stop } = requesterWith(async (_, index) => {
    if (index === 0) return response(429, {}, '1');
    // The first request after the limit gets no response for a minute.
    if (index === 1) await sleep(60_000, new AbortController().signal);
    return response(200);
  });
  const sending = [send(ENDPOINTS.readAsset)];
  await vi.advanceTimersByTimeAsync(10);
  sending.push(send(ENDPOINTS.readAsset));
  await vi.advanceTimersByTimeAsync(2_000);
  await Promise.race(sending);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  await vi.runAllTimersAsync();
  await Promise.all(sending);

  const limited = requesterWith(() => response(429, {}, '60'));
  const waiting = [limited.send(ENDPOINTS.readAsset), limited.send(ENDPOINTS.readAsset)].map(
    async (each) => await each.catch((error: unknown) => error),
  );
  await vi.advanceTimersByTimeAsync(10);
  limited.stop.abort(STOPPED);
  expect(await Promise.all(waiting)).toEqual([STOPPED, STOPPED]);
  expect(stop.signal.aborted).toBe(false);
});

// biome-ignore format: a table
it.for<[string, string | undefined, object]>([
  ['a word', 'OK', { failureClass: 'unavailable' }],
  ['nothing', '', { failureClass: 'unavailable' }],
  ['more than 16 MB', undefined, { failureClass: 'wrong JSON' }],
])('%s is no response, whatever was asked for', async ([, text, expected]) => {
  const { send } = requesterWith(() => ({ ...response(200), text }));
  expect(await errorOf(send(ENDPOINTS.readIssues))).toMatchObject(expected);
});

it.for([
  ['the service', '{}', 'missing'],
  ['the service, without a body', '', 'missing'],
  ['a gateway', '<html></html>', 'unavailable'],
  ['a gateway, with more than 16 MB', undefined, 'unavailable'],
])('a 404 of %s', async ([, text, failureClass]) => {
  const { send } = requesterWith(() => ({ ...response(404), text }));
  expect(await errorOf(send(ENDPOINTS.readSubmission))).toMatchObject({ failureClass });
});

// biome-ignore format: a table
it.for<[string, Endpoint, seconds: number, expected: object]>([
  ['waits 5 s for the response to a request that costs money', ENDPOINTS.create, 4, { submissionId: 'S' }],
  ['then reports that such a request may have arrived', ENDPOINTS.create, 6, { failure: { kind: 'lost' } }],
  ['does not wait for any other', ENDPOINTS.readSubmission, 4, STOPPED],
])('a run that is stopped sends nothing more, and %s', async ([, endpoint, seconds, expected]) => {
  const { send, sent, stop } = requesterWith(async ({ signal }) => {
    stop.abort(STOPPED);
    await vi.advanceTimersByTimeAsync(seconds * 1_000);
    signal.throwIfAborted();
    return response(201, { submissionId: 'S' });
  });
  expect(await send(endpoint).catch((error: unknown) => error)).toMatchObject(expected);
  expect(await errorOf(send(endpoint))).toBe(STOPPED);
  expect(sent).toHaveLength(1);
});
