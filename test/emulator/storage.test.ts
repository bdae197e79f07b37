import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import type { WorkspaceOptions } from '../../emulator/emulator.ts';
import { png } from '../harness/media.ts';
import { it as base, text as word } from './caller.ts';

const PNG = png('a');
const BLOCK = { 'x-ms-blob-type': 'BlockBlob' };

const it = base.extend('grant', ({ setUp }) => async (filename = 'hero.png', options?: WorkspaceOptions) => {
  const { workspace, caller } = setUp(options);
  const { json } = await caller.post('/uploads/url', { filename, contentType: 'image/png' });
  return { workspace, url: word(json['uploadUrl']) };
});

async function put(url: string, headers: Record<string, string> = BLOCK): Promise<Response> {
  return fetch(url, { method: 'PUT', headers, body: Buffer.from(PNG) });
}

describe('storage', () => {
  it('takes a PUT to a signed address, and then the blob is there', async ({ grant }) => {
    const { workspace, url } = await grant('Größe & 50% #1.png');
    const response = await put(url);
    expect(response.status).toBe(201);
    const sha256 = createHash('sha256').update(PNG).digest('hex');
    expect(await workspace.blobs()).toMatchObject([
      { filename: 'Größe & 50% #1.png', contentType: 'image/png', size: PNG.length, sha256, detected: 'image/png' },
    ]);
  });

  it.for([
    ['without a signature', (url: URL) => url.searchParams.delete('sig')],
    ['with another signature', (url: URL) => url.searchParams.set('sig', Buffer.alloc(32).toString('base64'))],
    ['with a later expiry', (url: URL) => url.searchParams.set('se', new Date(Date.now() + 1e9).toISOString())],
    ['for another name', (url: URL) => (url.pathname += 'x')],
  ] as const)('refuses an address %s with 403', async ([, tamper], { grant }) => {
    const { workspace, url } = await grant();
    const tampered = new URL(url);
    tamper(tampered);
    expect((await put(tampered.href)).status).toBe(403);
    expect(await workspace.blobs()).toEqual([]);
  });

  it('refuses an expired address with 403', async ({ grant }) => {
    const { url } = await grant('hero.png', { scenario: { uploadUrlSeconds: 0 } });
    const response = await put(url);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('expired');
  });

  it.for<Record<string, string>>([{}, { 'x-ms-blob-type': 'PageBlob' }])(
    'refuses the blob type headers %j with 400',
    async (headers, { grant }) => {
      const { workspace, url } = await grant();
      expect((await put(url, headers)).status).toBe(400);
      expect(await workspace.blobs()).toEqual([]);
    },
  );

  it('refuses a chunked body with 400 and a body without length with 411', async ({ grant }) => {
    const { workspace, url } = await grant();
    const { port, pathname, search } = new URL(url);
    const head = `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nx-ms-blob-type: BlockBlob\r\nConnection: close\r\n`;
    for (const [rest, status] of [
      ['Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n', 400],
      ['\r\n', 411],
    ]) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(`${head}${rest}`);
      expect(await text(socket)).toContain(`HTTP/1.1 ${status}`);
    }
    expect(await workspace.blobs()).toEqual([]);
  });

  it('keeps nothing of an upload that breaks off', async ({ grant }) => {
    const { workspace, url } = await grant();
    const call = request(url, { method: 'PUT', headers: { ...BLOCK, 'content-length': 1_000_000 } });
    call.on('error', () => undefined);
    call.write(PNG, () => call.destroy());
    const record = await workspace.waitFor((it) => it.endpoint === 'storage/put' && it.endedAt !== undefined);
    expect(record).toMatchObject({ aborted: true, status: undefined });
    expect(await workspace.blobs()).toEqual([]);
  });

  it('takes nothing but PUT', async ({ grant }) => {
    const { url } = await grant();
    expect((await fetch(url)).status).toBe(405);
  });

  it('refuses a PUT that carries an API key', async ({ grant }) => {
    const { workspace, url } = await grant();
    const response = await put(url, { ...BLOCK, 'x-api-key': 'sk_live_leaked' });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('X-API-Key must not be sent'),
    ]);
    expect(await workspace.blobs()).toEqual([]);
  });
});
