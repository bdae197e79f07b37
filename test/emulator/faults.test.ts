import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/emulator.ts';
import type { Fault } from '../../emulator/fault.ts';
import { type Reply, ServiceRequester, text } from './caller.ts';
import { PNG } from './media.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => emulator.close());

function setUp(...faults: Fault[]) {
  const workspace = emulator.workspace({ scenario: { faults } });
  return { workspace, caller: new ServiceRequester(emulator, workspace) };
}

/** The cause of a fetch that got no proper response. */
async function broken(call: Promise<Reply>): Promise<string> {
  const error: unknown = await call.catch((error: unknown) => error);
  if (!(error instanceof Error)) throw new Error('There was a response.');
  return `${error.message} ${error.cause instanceof Error ? ('code' in error.cause ? String(error.cause.code) : error.cause.message) : ''}`;
}

describe('which request a fault strikes', () => {
  it('counts the requests of its endpoint', async () => {
    const { caller } = setUp(
      { on: 'uploads/direct', nth: 2, status: 500 },
      { on: 'uploads/direct', nth: [4, 5], status: 502 },
      { on: 'uploads/url', status: 503 },
    );
    const seen = [];
    for (let call = 0; call < 6; call += 1) seen.push((await caller.direct('a.png', PNG, 'image/png')).status);
    expect(seen).toEqual([201, 500, 201, 502, 502, 201]);
  });

  it('looks at the filename the request is about and strikes so many times', async () => {
    const { caller } = setUp(
      { on: 'uploads/direct', match: 'b-*', times: 1, status: 500 },
      { on: 'submissions/create', match: 'poison', status: 422 },
      { on: 'assets/read', match: 'b-*', status: 418 },
    );
    const seen = [];
    for (const name of ['a-1.png', 'b-1.png', 'b-2.png'])
      seen.push((await caller.direct(name, PNG, 'image/png')).status);
    expect(seen).toEqual([201, 500, 201]);
    await expect(caller.submit('poison.png')).rejects.toThrow('Not created');
    const { submissionId, assetIds } = await caller.submit('a-1.png', 'b-2.png');
    const reads = assetIds.map(async (id) => (await caller.get(`/submissions/${submissionId}/assets/${id}`)).status);
    expect(await Promise.all(reads)).toEqual([200, 418]);
  });

  it('looks at whole segments of the path, never at a part of an identifier', async () => {
    const { workspace, caller } = setUp();
    const { submissionId } = await caller.submit('zzz.png');
    const read = async (match: string): Promise<number> => {
      workspace.load({ faults: [{ on: 'submissions/read', match, status: 418 }] });
      return (await caller.get(`/submissions/${submissionId}`)).status;
    };
    expect(await read(submissionId)).toBe(418);
    expect(await read(submissionId.slice(0, 3))).toBe(200);
    expect(await read('submissions')).toBe(418);
    expect(await read('zz')).toBe(418);
  });

  it('counts afresh when a scenario is loaded', async () => {
    const { workspace, caller } = setUp({ on: 'uploads/direct', nth: 1, status: 500 });
    expect((await caller.direct('a.png', PNG, 'image/png')).status).toBe(500);
    workspace.load({ faults: [{ on: 'uploads/direct', nth: 1, status: 502 }] });
    expect((await caller.direct('a.png', PNG, 'image/png')).status).toBe(502);
    expect((await caller.direct('a.png', PNG, 'image/png')).status).toBe(201);
  });
});

describe('a status', () => {
  it('comes with the headers and body it is given, else with the usual body', async () => {
    const { caller } = setUp(
      { on: 'uploads/url', nth: 1, status: 503, headers: { 'retry-after': '7' }, body: { oops: true } },
      { on: 'uploads/url', nth: 2, status: 500, body: 'plain text' },
      { on: 'uploads/url', nth: 3, status: 429 },
      { on: 'uploads/url', nth: 4, status: 402 },
      { on: 'uploads/url', nth: 5, status: 409 },
    );
    const replies = [];
    for (let call = 0; call < 5; call += 1) replies.push(await caller.post('/uploads/url', {}));
    expect(replies.map((reply) => reply.status)).toEqual([503, 500, 429, 402, 409]);
    expect(replies[0]?.headers.get('retry-after')).toBe('7');
    expect(replies[0]?.json).toEqual({ oops: true });
    expect(replies[1]?.text).toBe('plain text');
    expect(replies[2]?.json).toEqual({ error: expect.any(String) });
    expect(replies[2]?.headers.get('retry-after')).toBe('1');
    expect(replies[3]?.json).toHaveProperty('error_code', 'tier_not_authorized_for_integrations_api');
    expect(replies[4]?.json).toEqual({ detail: expect.any(String) });
  });

  it('does the work or not, as asked', async () => {
    const { workspace, caller } = setUp(
      { on: 'submissions/create', nth: 1, status: 502 },
      { on: 'submissions/create', nth: 2, status: 502, when: 'after-work' },
    );
    const assets = [{ blobPath: await caller.upload('a.png') }];
    expect((await caller.post('/submissions', { assets })).status).toBe(502);
    expect(workspace.submissions).toHaveLength(0);
    expect((await caller.post('/submissions', { assets })).status).toBe(502);
    expect(workspace.submissions).toHaveLength(1);
  });

  it('can come before the body is read', async () => {
    const { workspace } = setUp({ on: 'uploads/direct', when: 'before-body', status: 413 });
    const call = request(`${emulator.baseUrl}/api/integrations/uploads/direct`, {
      method: 'POST',
      headers: { 'x-api-key': workspace.key, 'content-length': 1_000_000 },
    });
    call.flushHeaders();
    await once(call, 'response');
    expect(workspace.requests).toMatchObject([{ status: 413, bodySize: 0 }]);
    call.on('error', () => undefined).destroy();
  });
});

describe('a lost connection', () => {
  it.each([
    ['before-body', 0, 0],
    ['before-work', 1, 0],
    ['after-work', 1, 1],
  ] as const)('%s: %d body read, %d submission made', async (when, read, made) => {
    const { workspace, caller } = setUp({ on: 'submissions/create', when, reset: true });
    const assets = [{ blobPath: await caller.upload('a.png') }];
    expect(await broken(caller.post('/submissions', { assets }))).toMatch(/ECONNRESET|UND_ERR_SOCKET/);
    const record = await workspace.waitFor((it) => it.endpoint === 'submissions/create' && it.endedAt !== undefined);
    expect(record).toMatchObject({ status: undefined, aborted: false });
    expect(record.bodySize > 0).toBe(read === 1);
    expect(workspace.submissions).toHaveLength(made);
  });

  it.each([
    ['before-body', 0],
    ['before-work', 0],
    ['after-work', 1],
  ] as const)('never responds: %s, %d submission made', async (when, made) => {
    const { workspace, caller } = setUp({ on: 'submissions/create', when, stall: true });
    const assets = [{ blobPath: await caller.upload('a.png') }];
    const stop = new AbortController();
    const call = fetch(`${emulator.baseUrl}/api/integrations/submissions`, {
      method: 'POST',
      headers: { 'x-api-key': workspace.key, 'content-type': 'application/json' },
      body: JSON.stringify({ assets }),
      signal: stop.signal,
    });
    const wanted = when === 'before-body' ? 0 : 1;
    await expect.poll(() => Math.min(1, workspace.requests[1]?.bodySize ?? -1), { interval: 2 }).toBe(wanted);
    await expect.poll(() => workspace.submissions.length, { interval: 2 }).toBe(made);
    stop.abort();
    await expect(call).rejects.toThrow('aborted');
    const record = await workspace.waitFor((it) => it.endpoint === 'submissions/create' && it.endedAt !== undefined);
    expect(record).toMatchObject({ status: undefined, aborted: true });
  });

  it('also happens to storage', async () => {
    const { workspace, caller } = setUp({
      on: 'storage/put',
      match: 'hero',
      times: 1,
      when: 'after-work',
      reset: true,
    });
    const { json } = await caller.post('/uploads/url', { filename: 'hero.png', contentType: 'image/png' });
    const put = async (): Promise<Response> =>
      fetch(text(json['uploadUrl']), { method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' }, body: PNG });
    await expect(put()).rejects.toThrow('fetch failed');
    expect(await workspace.blobs()).toHaveLength(1);
    expect((await put()).status).toBe(201);
  });
});

describe('a damaged response', () => {
  it('drips, but is whole', async () => {
    const { caller } = setUp({ on: 'uploads/direct', drip: { bytes: 9, everyMs: 1 } });
    expect((await caller.direct('a.png', PNG, 'image/png')).json['sizeBytes']).toBe(PNG.length);
  });

  it('is cut off', async () => {
    const { workspace, caller } = setUp({ on: 'uploads/direct', truncate: 10 });
    expect(await broken(caller.direct('a.png', PNG, 'image/png'))).toMatch(/terminated/);
    expect(await workspace.blobs()).toHaveLength(1);
    const record = await workspace.waitFor((it) => it.endedAt !== undefined);
    expect(record).toMatchObject({ status: 201, aborted: false });
  });

  it('is shorter or longer than it says', async () => {
    const { workspace, caller } = setUp(
      { on: 'uploads/direct', nth: 1, contentLength: -5 },
      { on: 'uploads/direct', nth: 2, contentLength: 5 },
    );
    const short = await caller.direct('a.png', PNG, 'image/png');
    expect(short.text).toHaveLength(
      JSON.stringify({ blobPath: `${workspace.id}/a.png`, sizeBytes: PNG.length, contentType: 'image/png' }).length - 5,
    );
    const call = request(`${emulator.baseUrl}/api/integrations/uploads/direct`, {
      method: 'POST',
      headers: { 'x-api-key': workspace.key },
      agent: false,
    });
    call.end();
    const [response] = await once(call, 'response');
    const [piece] = await once(response, 'data');
    expect(Number(response.headers['content-length']) - piece.length).toBe(5);
    expect(response.complete).toBe(false);
    call.on('error', () => undefined).destroy();
  });

  it('is a page, a redirect, half, or huge', async () => {
    const { caller } = setUp(
      { on: 'uploads/direct', nth: 1, html: 200 },
      { on: 'uploads/direct', nth: 2, redirect: 'http://127.0.0.1:9/elsewhere' },
      { on: 'uploads/direct', nth: 3, malformedJson: true },
      { on: 'uploads/direct', nth: 4, huge: 5_000_000 },
    );
    const send = async (): Promise<Reply> => caller.direct('a.png', PNG, 'image/png');
    const page = await send();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toMatch(/^<!doctype html>/);
    const redirect = await send();
    expect([redirect.status, redirect.headers.get('location')]).toEqual([307, 'http://127.0.0.1:9/elsewhere']);
    const half = await send();
    expect(half.status).toBe(201);
    expect(() => JSON.parse(half.text) as unknown).toThrow(SyntaxError);
    const huge = await send();
    expect(huge.text).toHaveLength(5_000_000);
    expect(huge.json['sizeBytes']).toBe(PNG.length);
  });
});
