import { createHash } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlobStorage, type Emulator, startEmulator, type WorkspaceOptions } from '../../emulator/emulator.ts';
import { HEAD_BYTES } from '../../emulator/http.ts';
import { ServiceRequester, text as word } from './caller.ts';
import { PNG } from './media.ts';

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(async () => emulator.close());

const BLOCK = { 'x-ms-blob-type': 'BlockBlob' };

async function grant(filename = 'hero.png', options?: WorkspaceOptions) {
  const workspace = emulator.workspace(options);
  const caller = new ServiceRequester(emulator, workspace);
  const { json } = await caller.post('/uploads/url', { filename, contentType: 'image/png' });
  return { workspace, caller, url: word(json['uploadUrl']), blobPath: word(json['blobPath']) };
}

async function put(url: string, headers: Record<string, string> = BLOCK, body: Uint8Array = PNG): Promise<Response> {
  return fetch(url, { method: 'PUT', headers, body: Buffer.from(body) });
}

async function responseOf(call: ClientRequest): Promise<{ status: number | undefined; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  call.once('response', resolve).once('error', reject);
  const response = await promise;
  return { status: response.statusCode, body: await text(response) };
}

function open(url: string, options: RequestOptions): ClientRequest {
  return request(url, { method: 'PUT', ...options });
}

describe('storage', () => {
  it('takes a PUT to a signed address, and then the blob is there', async () => {
    const { workspace, url } = await grant('Größe & 50% #1.png');
    const response = await put(url);
    expect(response.status).toBe(201);
    const sha256 = createHash('sha256').update(PNG).digest('hex');
    expect(await workspace.blobs()).toMatchObject([
      { filename: 'Größe & 50% #1.png', contentType: 'image/png', size: PNG.length, sha256, head: PNG },
    ]);
    expect(workspace.requests[1]).toMatchObject({
      server: 'storage',
      endpoint: 'storage/put',
      method: 'PUT',
      bodySize: PNG.length,
      status: 201,
      file: { filename: 'Größe & 50% #1.png', size: PNG.length, sha256 },
    });
  });

  it.each([
    ['without a signature', (url: URL) => url.searchParams.delete('sig')],
    ['with another signature', (url: URL) => url.searchParams.set('sig', Buffer.alloc(32).toString('base64'))],
    ['with a later expiry', (url: URL) => url.searchParams.set('se', new Date(Date.now() + 1e9).toISOString())],
    ['for another name', (url: URL) => (url.pathname += 'x')],
  ])('refuses an address %s with 403', async (_, tamper) => {
    const { workspace, url } = await grant();
    const tampered = new URL(url);
    tamper(tampered);
    expect((await put(tampered.href)).status).toBe(403);
    expect(await workspace.blobs()).toEqual([]);
  });

  it('refuses an expired address with 403', async () => {
    const { url } = await grant('hero.png', { scenario: { uploadUrlSeconds: 0 } });
    const response = await put(url);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('expired');
  });

  it.each([[{}], [{ 'x-ms-blob-type': 'PageBlob' }]])('refuses the blob type headers %j with 400', async (headers) => {
    const { workspace, url } = await grant();
    expect((await put(url, headers)).status).toBe(400);
    expect(await workspace.blobs()).toEqual([]);
  });

  it('refuses a chunked body with 400 and a body without length with 411', async () => {
    const { workspace, url } = await grant();
    const chunked = open(url, { headers: { ...BLOCK, 'transfer-encoding': 'chunked' } });
    chunked.end(PNG);
    expect(await responseOf(chunked)).toMatchObject({ status: 400 });

    const { port, pathname, search } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.end(
      `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nx-ms-blob-type: BlockBlob\r\nConnection: close\r\n\r\n`,
    );
    expect(await text(socket)).toMatch(/^HTTP\/1.1 411/);
    expect(await workspace.blobs()).toEqual([]);
  });

  it('keeps nothing of an upload that breaks off', async () => {
    const { workspace, url } = await grant();
    const call = open(url, { headers: { ...BLOCK, 'content-length': 1_000_000 } });
    call.on('error', () => undefined);
    call.write(PNG, () => call.destroy());
    const record = await workspace.waitFor((it) => it.endpoint === 'storage/put' && it.endedAt !== undefined);
    expect(record).toMatchObject({ aborted: true, status: undefined });
    expect(await workspace.blobs()).toEqual([]);
  });

  it('takes nothing but PUT', async () => {
    const { url } = await grant();
    expect((await fetch(url)).status).toBe(405);
  });

  it('refuses and records a PUT that carries an API key', async () => {
    const { workspace, url } = await grant();
    const response = await put(url, { ...BLOCK, 'x-api-key': 'sk_live_leaked' });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('X-API-Key must not be sent'),
    ]);
    expect(await workspace.blobs()).toEqual([]);
    const leaks = workspace.requests.filter((it) => it.server === 'storage' && 'x-api-key' in it.headers);
    expect(leaks).toHaveLength(1);
  });

  it('lets the later of a direct and a presigned upload win', async () => {
    const { workspace, caller, url } = await grant();
    await put(url);
    await caller.upload('hero.png', Buffer.concat([PNG, PNG]));
    expect(await workspace.blobs()).toMatchObject([{ size: 2 * PNG.length }]);
    await put(url);
    expect(await workspace.blobs()).toMatchObject([{ size: PNG.length }]);
  });

  it('keeps 64 KiB of 200 MB, and holds no more while they come', async () => {
    const { workspace, url } = await grant('long.png');
    const piece = Buffer.alloc(1_000_000, 7);
    const hash = createHash('sha256');
    const held: number[] = [];
    const pieces = function* (): Generator<Buffer> {
      for (let sent = 0; sent < 200; sent += 1) {
        hash.update(piece);
        if (sent === 0 || sent === 199) held.push(bytesHeld());
        yield piece;
      }
    };
    const call = open(url, { headers: { ...BLOCK, 'content-length': 200 * piece.length } });
    const reply = responseOf(call);
    await pipeline(Readable.from(pieces(), { highWaterMark: 1 }), call);
    expect((await reply).status).toBe(201);
    const [blob] = await workspace.blobs();
    expect(blob).toMatchObject({ size: 200_000_000, sha256: hash.digest('hex') });
    expect(blob?.head).toHaveLength(HEAD_BYTES);
    const [before = 0, after = 0] = held;
    expect(after - before).toBeLessThan(50_000_000);
  });
});

/** Bytes in buffers that something still refers to. */
function bytesHeld(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().arrayBuffers;
}

describe('another storage behind the same service', () => {
  it('signs the addresses and is asked for the blobs', async () => {
    const closed: string[] = [];
    const storage: BlobStorage = {
      url: 'https://storage.example',
      signUploadUrl: (blobPath) => `https://storage.example/${blobPath}?sig=x`,
      lookUp: () => ({ size: PNG.length, sha256: 'f'.repeat(64), head: PNG, storedAt: Date.now() }),
      close: async () => void closed.push('storage'),
    };
    const own = await startEmulator({ storage });
    const workspace = own.workspace();
    const caller = new ServiceRequester(own, workspace);
    const { json } = await caller.post('/uploads/url', { filename: 'hero.png', contentType: 'image/png' });
    expect(json['uploadUrl']).toBe(`https://storage.example/${workspace.id}/hero.png?sig=x`);
    const { status } = await caller.post('/submissions', { assets: [{ blobPath: json['blobPath'] }] });
    expect(status).toBe(201);
    expect(workspace.submissions[0]?.assets[0]?.blob.sha256).toBe('f'.repeat(64));
    await own.close();
    expect(closed).toEqual(['storage']);
  });
});
