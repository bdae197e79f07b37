import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { mp4, pdf, png } from '../harness/media.ts';
import { it, text } from './caller.ts';

const PDF = pdf('brief');
const BAD_NAMES = ['a/b.png', 'a\\b.png', 'a\n.png', ' ', '..', `${'a'.repeat(252)}.png`];

describe('a presigned upload', () => {
  it('returns an address on storage, the blob path and an expiry one hour ahead', async ({ setUp, emulator }) => {
    const { workspace, caller } = setUp();
    const before = Date.now();
    const { status, json } = await caller.post('/uploads/url', { filename: 'hero.mp4', contentType: 'video/mp4' });
    expect(status).toBe(200);
    expect(Object.keys(json).toSorted()).toEqual(['blobPath', 'expiresAt', 'uploadUrl']);
    expect(json['blobPath']).toBe(`${workspace.id}/hero.mp4`);
    const url = new URL(text(json['uploadUrl']));
    expect(url.origin).toBe(emulator.storageUrl);
    expect(url.searchParams.get('se')).toBe(json['expiresAt']);
    expect(workspace.uploadUrls).toEqual([url.href]);
    const ahead = Date.parse(text(json['expiresAt'])) - before;
    expect(ahead).toBeGreaterThanOrEqual(3_600_000);
    expect(ahead).toBeLessThan(3_660_000);
    expect(await workspace.blobs()).toEqual([]);
  });

  it.for(BAD_NAMES)('refuses the filename %j with 403', async (filename, { setUp }) => {
    const { status, json } = await setUp().caller.post('/uploads/url', { filename, contentType: 'image/png' });
    expect(status).toBe(403);
    expect(json['detail']).toMatch(/filename/);
  });

  it.for([
    [{ filename: '', contentType: 'image/png' }],
    [{ filename: 'a.png' }],
    [{ filename: 'a.png', contentType: 'image/png', sizeBytes: 7 }],
    [[]],
  ] as const)('refuses the body %j with 422', async (body, { setUp }) => {
    expect((await setUp().caller.post('/uploads/url', body)).status).toBe(422);
  });

  it('refuses a body that is not JSON, or not called so, with 422', async ({ setUp }) => {
    const { caller } = setUp();
    const body = JSON.stringify({ filename: 'a.png', contentType: 'image/png' });
    const json = { 'content-type': 'application/json' };
    expect((await caller.send('POST', '/uploads/url', body, { 'content-type': 'text/plain' })).status).toBe(422);
    expect((await caller.send('POST', '/uploads/url', body.slice(1), json)).status).toBe(422);
  });

  it('refuses a type outside the allowlist with 415', async ({ setUp }) => {
    const body = { filename: 'a.xyz', contentType: 'application/x-thing' };
    expect((await setUp().caller.post('/uploads/url', body)).status).toBe(415);
  });
});

const FORM = { 'content-type': 'multipart/form-data; boundary=bound' };

function form(content: string, disposition = 'form-data; name="file"; filename="a.png"'): string {
  return `--bound\r\nContent-Disposition: ${disposition}\r\nContent-Type: image/png\r\n\r\n${content}\r\n--bound--\r\n`;
}

describe('a direct upload', () => {
  it('stores the bytes and returns what it stored', async ({ setUp }) => {
    const { workspace, caller } = setUp();
    const { status, json } = await caller.direct('brief.pdf', PDF, 'application/pdf');
    expect(status).toBe(201);
    expect(json).toEqual({
      blobPath: `${workspace.id}/brief.pdf`,
      sizeBytes: PDF.length,
      contentType: 'application/pdf',
    });
    const sha256 = createHash('sha256').update(PDF).digest('hex');
    expect(await workspace.blobs()).toMatchObject([{ filename: 'brief.pdf', size: PDF.length, sha256 }]);
  });

  it('refuses the same filenames with 403', async ({ setUp }) => {
    expect((await setUp().caller.direct('.png', png('a'), 'image/png')).status).toBe(403);
  });

  it('takes 10,000,000 bytes and refuses one more with 413, naming the other way', async ({ setUp }) => {
    const { workspace, caller } = setUp();
    expect((await caller.direct('most.mp4', mp4('a', 10_000_000), 'video/mp4')).status).toBe(201);
    const over = await caller.direct('over.mp4', mp4('a', 10_000_001), 'video/mp4');
    expect(over.status).toBe(413);
    expect(over.json['detail']).toMatch(/presigned-URL flow/);
    expect((await workspace.blobs()).map((blob) => blob.filename)).toEqual(['most.mp4']);
  });

  it('refuses a type outside the allowlist, and a missing one, with 415', async ({ setUp }) => {
    const { caller } = setUp();
    expect((await caller.direct('a.exe', png('a'), 'application/x-msdownload')).status).toBe(415);
    const untyped = form('x').replace('Content-Type: image/png\r\n', '');
    expect((await caller.send('POST', '/uploads/direct', untyped, FORM)).status).toBe(415);
  });

  // Everything that looks like the boundary but is not has to come through whole.
  it('stores any bytes unchanged', async ({ setUp }) => {
    const { workspace, caller } = setUp();
    const content = 'a\r\n--boun\r\n-\r\n\r\n--\r\nbound--bound\r\n--bounb\n';
    expect((await caller.send('POST', '/uploads/direct', form(content), FORM)).status).toBe(201);
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(await workspace.blobs()).toMatchObject([{ filename: 'a.png', size: content.length, sha256 }]);
  });

  it.for([
    ['nothing', ''],
    ['a form that is not multipart', 'file=x', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['no boundary in the header', form('x'), { 'content-type': 'multipart/form-data' }],
    ['no closing boundary', form('x').slice(0, -10)],
    ['something after the end', `${form('x')}more`],
    ['two files', form('x').replace('--bound--\r\n', '') + form('y')],
    ['a field beside the file', `--bound\r\nContent-Disposition: form-data; name="note"\r\n\r\nx\r\n${form('y')}`],
    ['another name', form('x', 'form-data; name="media"; filename="a.png"')],
    ['no filename', form('x', 'form-data; name="file"')],
  ] as const)('refuses %s with 422', async ([, body, headers = FORM], { setUp }) => {
    const { workspace, caller } = setUp();
    expect((await caller.send('POST', '/uploads/direct', body, headers)).status).toBe(422);
    expect(await workspace.blobs()).toEqual([]);
  });
});
