import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect } from 'vitest';
import { png } from '../harness/media.ts';
import { it, text } from './caller.ts';

const BLOCK = { 'x-ms-blob-type': 'BlockBlob' };

function digestOf(content: string | Uint8Array): object {
  return { size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

describe('a presigned upload', () => {
  it('gets a URL of storage, valid for one hour, and its bytes are stored by a PUT', async ({ setUp, emulator }) => {
    const { workspace, caller } = setUp();
    const filename = 'Größe & 50% #1.png';
    const before = Date.now();
    const { status, json } = await caller.post('/uploads/url', { filename, contentType: 'image/png' });
    expect(status).toBe(200);
    expect(Object.keys(json).toSorted()).toEqual(['blobPath', 'expiresAt', 'uploadUrl']);
    expect(json['blobPath']).toBe(`${workspace.id}/${filename}`);
    const url = new URL(text(json['uploadUrl']));
    expect(url.origin).toBe(emulator.storageUrl);
    expect(url.searchParams.get('se')).toBe(json['expiresAt']);
    expect(workspace.uploadUrls).toEqual([url.href]);
    const ahead = Date.parse(text(json['expiresAt'])) - before;
    expect(ahead).toBeGreaterThanOrEqual(3_600_000);
    expect(ahead).toBeLessThan(3_660_000);
    expect(await workspace.blobs()).toEqual([]);

    expect((await fetch(url)).status).toBe(405);
    const put = await fetch(url, { method: 'PUT', headers: BLOCK, body: new Uint8Array(png('a')) });
    expect(put.status).toBe(201);
    const stored = { filename, contentType: 'image/png', detected: 'image/png', ...digestOf(png('a')) };
    expect(await workspace.blobs()).toMatchObject([stored]);
  });

  it('leaves nothing if it breaks off', async ({ setUp }) => {
    const { workspace, caller } = setUp();
    const { json } = await caller.post('/uploads/url', { filename: 'a.png', contentType: 'image/png' });
    const headers = { ...BLOCK, 'content-length': 1_000_000 };
    const call = request(text(json['uploadUrl']), { method: 'PUT', headers });
    call.on('error', () => undefined);
    call.write(png('a'), () => call.destroy());
    const record = await workspace.waitFor((it) => it.endpoint === 'storage/put' && it.endedAt !== undefined);
    expect(record).toMatchObject({ aborted: true, status: undefined });
    expect(await workspace.blobs()).toEqual([]);
  });
});

describe('a direct upload', () => {
  it('stores bytes unchanged that look like the boundary', async ({ setUp }) => {
    const { workspace, caller } = setUp();
    const content = 'a\r\n--boun\r\n-\r\n\r\n--\r\nbound--bound\r\n--bounb\n';
    const head = '--bound\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png';
    const headers = { 'content-type': 'multipart/form-data; boundary=bound' };
    const body = `${head}\r\n\r\n${content}\r\n--bound--\r\n`;
    expect((await caller.send('POST', '/uploads/direct', body, headers)).status).toBe(201);
    expect(await workspace.blobs()).toMatchObject([{ filename: 'a.png', ...digestOf(content) }]);
  });
});
