import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ConnectionError, type Http, type HttpRequest, type Payload } from '../../src/http/http.ts';
import { type Cause, GateError } from '../../src/lib/cause.ts';
import { putFile } from '../../src/service/storage.ts';
import { clientOf, inFakeTime, response } from './things.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const SIGNED = 'https://storage.example/x?sig=secret';
const BODY = '<Error><Code>TooBusy</Code><Message>x?sig=secret</Message></Error>';

const payload = (): Payload => ({ headers: { 'content-length': '5' }, body: 'bytes' });

/** Sends a file to storage that always answers like this. */
async function put(ending: number | ConnectionError, uploadUrl = SIGNED, baseUrl = 'https://service.example') {
  const sent: HttpRequest[] = [];
  const { log, lines } = clientOf(() => response(200));
  const http: Http = {
    send: async (request) => {
      sent.push(request);
      if (ending instanceof ConnectionError) throw ending;
      return { ...response(ending), text: BODY };
    },
    close: async () => undefined,
  };
  const deadline = { signal: new AbortController().signal, until: Date.now() + 600_000 };
  const { value: outcome } = await inFakeTime(
    async () =>
      await putFile({ uploadUrl, path: 'a.png', payload }, { http, log, baseUrl }, deadline).catch((error: unknown) =>
        error instanceof GateError ? error.causes[0] : error,
      ),
  );
  return { outcome, sent, lines };
}

it('a file is sent as a blob, without the key', async () => {
  const { outcome, sent } = await put(201);
  expect(outcome).toBe(true);
  expect(sent).toMatchObject([{ method: 'PUT', url: SIGNED, body: 'bytes' }]);
  expect(sent[0]?.headers).toEqual({ 'content-length': '5', 'x-ms-blob-type': 'BlockBlob' });
});

// biome-ignore format: a table
it.each<[string, number | ConnectionError, Partial<Cause>]>([
  ['a refusal',     400, { reason: 'refused', message: 'The storage did not take the file: it answered 400: TooBusy.' }],
  ['an outage',     500, { reason: 'service' }],
  ['no connection', new ConnectionError('refused', { maybeReceived: false }), { reason: 'service' }],
])('%s names the file, and no secret', async (_, ending, expected) => {
  const { outcome, lines } = await put(ending);
  expect(outcome).toMatchObject({ path: 'a.png', ...expected });
  expect(JSON.stringify([outcome, lines])).not.toContain('secret');
});

// biome-ignore format: a table
it.each([
  ['https://storage.example/x', 'https://service.example', true],
  ['http://storage.example/x',  'https://service.example', false],
  ['http://127.0.0.1:1/x',      'https://service.example', false],
  ['http://127.0.0.1:1/x',      'http://127.0.0.1:2',      true],
  ['ftp://127.0.0.1/x',         'http://127.0.0.1:2',      false],
  ['file:///etc/passwd',        'http://127.0.0.1:2',      false],
])('%s may be used by %s: %s', async (target, baseUrl, expected) => {
  const { outcome, sent } = await put(201, target, baseUrl);
  expect(sent).toHaveLength(expected ? 1 : 0);
  if (!expected) expect(outcome).toMatchObject({ reason: 'refused', message: expect.stringContaining('not https') });
});
