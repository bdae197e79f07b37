import { stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { ConnectionError, type Http, type HttpRequest } from '../../src/http/http.ts';
import { type Cause, GateError } from '../../src/lib/cause.ts';
import { type MediaFile, stampOf } from '../../src/media/file.ts';
import { makePieceBuffers } from '../../src/service/file-body.ts';
import { putFile } from '../../src/service/storage.ts';
import { makeWorkspace } from '../harness/workspace.ts';
import { clientOf } from './things.ts';

let workspace: Awaited<ReturnType<typeof makeWorkspace>>;
let file: MediaFile;
beforeAll(async () => {
  workspace = await makeWorkspace({ 'a.png': 'bytes' });
  const absolutePath = path.join(workspace.path, 'a.png');
  const type = { mime: 'image/png', extension: 'png', category: 'image' } as const;
  file = { path: 'a.png', absolutePath, sha256: '', type, stamp: stampOf(await stat(absolutePath)) };
});
afterAll(async () => await workspace.remove());
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const SIGNED = 'https://storage.example/x?sig=secret';
const BODY = '<Error><Code>TooBusy</Code><Message>x?sig=secret</Message></Error>';

/** Sends the file to storage that always answers like this. */
async function put(ending: number | ConnectionError, uploadUrl = SIGNED) {
  const sent: HttpRequest[] = [];
  const { log, lines } = clientOf(() => {
    throw new Error('The service is not asked.');
  });
  const http: Http = {
    send: async (request) => {
      sent.push(request);
      if (ending instanceof ConnectionError) throw ending;
      return { status: ending, text: BODY, retryAfter: undefined, location: undefined };
    },
    close: async () => undefined,
  };
  const deadline = { signal: new AbortController().signal, until: Date.now() + 600_000 };
  const edges = { http, log, baseUrl: 'https://service.example' };
  const outcome = putFile({ uploadUrl, file, buffers: makePieceBuffers(1) }, edges, deadline).catch((error: unknown) =>
    error instanceof GateError ? error.causes[0] : error,
  );
  // The file is read between two tries, which takes no time on this clock.
  const clock = setInterval(() => void vi.advanceTimersByTimeAsync(10_000), 1);
  try {
    return { outcome: await outcome, sent, lines };
  } finally {
    clearInterval(clock);
  }
}

it('the file is sent as a blob, without the key', async () => {
  const { outcome, sent } = await put(201);
  expect(outcome).toBe('stored');
  expect(sent).toMatchObject([{ method: 'PUT', url: SIGNED }]);
  expect(sent[0]?.headers).toEqual({
    'content-length': '5',
    'content-type': 'image/png',
    'x-ms-blob-type': 'BlockBlob',
  });
});

it('403 is left to the caller, who asks for another address', async () => {
  const { outcome, sent } = await put(403);
  expect([outcome, sent.length]).toEqual(['forbidden', 1]);
});

const refused = new ConnectionError('refused', { maybeReceived: false, isLasting: true });
const untrusted = new ConnectionError('TLS', { maybeReceived: false, isLasting: true, fix: 'Trust it.' });

// biome-ignore format: a table
it.each<[string, number | ConnectionError, Partial<Cause>]>([
  ['a refusal',          400,       { reason: 'refused', message: 'The storage did not take the file: it answered 400: TooBusy.' }],
  ['a busy storage',     408,       { reason: 'service', fix: expect.stringContaining('available again') }],
  ['a rate limit',       429,       { reason: 'service', fix: expect.stringContaining('available again') }],
  ['an outage',          500,       { reason: 'service', fix: expect.stringContaining('available again') }],
  ['no connection',      refused,   { reason: 'service', fix: expect.stringContaining('proxy, firewall') }],
  ['a known cause of it', untrusted, { reason: 'service', fix: 'Trust it.' }],
])('%s', async (_, ending, expected) => {
  const { outcome, lines } = await put(ending);
  expect(outcome).toMatchObject({ path: 'a.png', ...expected });
  expect(outcome).toHaveProperty('reason');
  expect(JSON.stringify([outcome, lines])).not.toContain('secret');
});

it('nothing is sent to an address that others could read', async () => {
  const { outcome, sent } = await put(201, 'http://storage.example/x?sig=secret');
  expect(sent).toEqual([]);
  expect(outcome).toMatchObject({ reason: 'refused', message: expect.stringContaining('(http://storage.example)') });
});
