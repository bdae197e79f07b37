import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { png } from '../harness/media.ts';
import { it } from './caller.ts';

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
  const url = new URL(json.uploadUrl);
  expect(url.origin).toBe(emulator.storageUrl);
  expect(url.searchParams.get('se')).toBe(json.expiresAt);
  expect(Date.parse(json.expiresAt)).toBeGreaterThan(Date.now() + 3_500_000);
  expect(workspace.blobs()).toEqual([]);

  expect((await fetch(url)).status).toBe(405);
  const headers = { 'x-ms-blob-type': 'BlockBlob' };
  expect((await fetch(url, { method: 'PUT', headers, body: new Uint8Array(png('a')) })).status).toBe(201);
  const sha256 = createHash('sha256').update(png('a')).digest('hex');
  expect(workspace.blobs()).toMatchObject([{ filename, contentType: 'image/png', detected: 'image/png', sha256 }]);
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
  const status = async () => (await caller.get(`/submissions/${json.submissionId}`)).json.status;
  expect(await status()).toBe('submitted');
  await expect.poll(status).toBe('complete');
});

it('the control API needs a key, refuses what it cannot do, and does not count as the service', async ({
  emulator,
  submitted,
}) => {
  const { workspace, submissionId } = await submitted({ default: { issues: [{ ruleCode: 'A' }] } });
  const before = workspace.requests.length;
  for (const [status, method, path, body, key = workspace.key] of [
    [401, 'PUT', 'scenario', {}, 'x'],
    [404, 'GET', 'scenario'],
    [422, 'PUT', 'scenario', { defaults: {} }],
    [404, 'PATCH', 'issues/C', { status: 'DISMISSED' }],
    [422, 'PATCH', 'issues/A', {}],
    [200, 'DELETE', `submissions/${submissionId}`],
    [404, 'DELETE', `submissions/${submissionId}`],
  ] as const) {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${emulator.baseUrl}/emulator/${path}`, init);
    expect([method, path, response.status]).toEqual([method, path, status]);
  }
  expect(workspace.requests).toHaveLength(before);
});
