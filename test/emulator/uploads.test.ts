import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { png } from '../harness/media.ts';
import { it, text } from './caller.ts';

function digestOf(content: string | Uint8Array): object {
  return { size: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

it('a presigned URL leads to storage, lasts an hour, and takes the bytes by a PUT', async ({ setUp, emulator }) => {
  const { workspace, caller } = setUp();
  const filename = 'Größe & 50% #1.png';
  const { status, json } = await caller.post('/uploads/url', { filename, contentType: 'image/png' });
  expect(status).toBe(200);
  expect(json).toEqual({
    blobPath: `${workspace.id}/${filename}`,
    expiresAt: expect.any(String),
    uploadUrl: expect.any(String),
  });
  const url = new URL(text(json['uploadUrl']));
  expect(url.origin).toBe(emulator.storageUrl);
  expect(url.searchParams.get('se')).toBe(json['expiresAt']);
  expect(Date.parse(text(json['expiresAt']))).toBeGreaterThan(Date.now() + 3_500_000);
  expect(await workspace.blobs()).toEqual([]);

  expect((await fetch(url)).status).toBe(405);
  const headers = { 'x-ms-blob-type': 'BlockBlob' };
  expect((await fetch(url, { method: 'PUT', headers, body: new Uint8Array(png('a')) })).status).toBe(201);
  const stored = { filename, contentType: 'image/png', detected: 'image/png', ...digestOf(png('a')) };
  expect(await workspace.blobs()).toMatchObject([stored]);
});

it('a direct upload stores bytes unchanged that look like the boundary', async ({ setUp }) => {
  const { workspace, caller } = setUp();
  const content = 'a\r\n--boun\r\n-\r\n\r\n--\r\nbound--bound\r\n--bounb\n';
  const head = '--bound\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png';
  const headers = { 'content-type': 'multipart/form-data; boundary=bound' };
  const body = `${head}\r\n\r\n${content}\r\n--bound--\r\n`;
  expect((await caller.send('POST', '/uploads/direct', body, headers)).status).toBe(201);
  expect(await workspace.blobs()).toMatchObject([{ filename: 'a.png', ...digestOf(content) }]);
});
