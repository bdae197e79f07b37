import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { png } from '../harness/media.ts';
import { it, list, text } from './caller.ts';

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

const ISSUES = { default: { issues: [{}] } };

it('a sandbox analyses nothing: its issues are not counted, and a fired event changes nothing', async ({ setUp }) => {
  const { caller } = setUp({ mode: 'sandbox', scenario: ISSUES });
  const { submissionId } = await caller.submit('a.png');
  const eventType = 'asset.processing.failed';
  const fired = await caller.post('/sandbox/events/fire', { eventType, submissionId, errorMessage: 'Broken.' });
  expect([fired.status, fired.json]).toEqual([200, { dispatched: 0 }]);
  const { json } = await caller.get(`/submissions/${submissionId}`);
  expect(json).toMatchObject({ status: 'complete', assets: [{ issueCount: null }] });
});

it('a sandbox delays the end by simulationDelaySeconds', async ({ setUp }) => {
  const { caller } = setUp({ mode: 'sandbox' });
  const assets = [{ blobPath: await caller.upload('a.png') }];
  const { json } = await caller.post('/submissions?simulationDelaySeconds=1', { assets });
  const status = async () => (await caller.get(`/submissions/${text(json['submissionId'])}`)).json['status'];
  expect(await status()).toBe('submitted');
  await expect.poll(status).toBe('complete');
});

it('the control API needs a key, refuses what it cannot do, and does not count as the service', async ({
  emulator,
  submitted,
}) => {
  const issues = [{ ruleCode: 'A' }, { ruleCode: 'B' }];
  const { workspace, submissionId, read, assets } = await submitted({ default: { issues } });
  const found = async () => list((await read(`${assets[0]}/issues`))['issues']);
  const control = async (method: string, path: string, body?: unknown, key = workspace.key): Promise<number> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return (await fetch(`${emulator.baseUrl}/emulator/${path}`, init)).status;
  };
  const [, second] = await found();
  const before = workspace.requests.length;
  expect(await control('PUT', 'scenario', {}, 'x')).toBe(401);
  expect(await control('GET', 'scenario')).toBe(404);
  expect(await control('PUT', 'scenario', { defaults: {} })).toBe(422);
  expect(await control('PATCH', `issues/${text(second?.['id'])}`, { status: 'RESOLVED' })).toBe(200);
  expect(await control('PATCH', 'issues/C', { status: 'DISMISSED' })).toBe(404);
  expect(await control('PATCH', 'issues/A', {})).toBe(422);
  expect(workspace.requests).toHaveLength(before);
  expect((await found()).map(({ status }) => status)).toEqual(['OPEN', 'RESOLVED']);
  expect(await control('DELETE', `submissions/${submissionId}`)).toBe(200);
  expect(await control('DELETE', `submissions/${submissionId}`)).toBe(404);
});
