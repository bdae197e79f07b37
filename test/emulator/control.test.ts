import { createServer } from 'node:http';
import { expect } from 'vitest';
import { startEmulator } from '../../emulator/emulator.ts';
import { listen } from '../../emulator/server.ts';
import { png } from '../harness/media.ts';
import { it as base, list, ServiceRequester, text } from './caller.ts';

const it = base.extend('started', ({ emulator, setUp }) => async () => {
  const { workspace, caller } = setUp({ scenario: { default: { issues: [{ ruleCode: 'A' }, { ruleCode: 'B' }] } } });
  const { submissionId, assetIds } = await caller.submit('a.png');
  const asset = `/submissions/${submissionId}/assets/${assetIds[0]}`;
  const issues = async () => list((await caller.get(`${asset}/issues`)).json['issues']);
  const control = async (method: string, path: string, body?: unknown): Promise<number> => {
    const headers = { 'x-api-key': workspace.key, 'content-type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return (await fetch(`${emulator.baseUrl}/emulator/${path}`, init)).status;
  };
  return { workspace, submissionId, issues, control };
});

it('the control API refuses what it cannot do', async ({ started }) => {
  const { issues, submissionId, control } = await started();
  expect(await control('PUT', 'scenario', { defaults: {} })).toBe(422);
  expect(await control('PATCH', `issues/${text((await issues())[1]?.['id'])}`, { status: 'RESOLVED' })).toBe(200);
  expect((await issues()).map(({ status }) => status)).toEqual(['OPEN', 'RESOLVED']);
  expect(await control('PATCH', 'issues/C', { status: 'DISMISSED' })).toBe(404);
  expect(await control('PATCH', 'issues/A', {})).toBe(422);
  expect(await control('DELETE', `submissions/${submissionId}`)).toBe(200);
  expect(await control('DELETE', `submissions/${submissionId}`)).toBe(404);
});

it('the control API needs a key and a known path, and does not count as the service', async ({ emulator, started }) => {
  const { workspace, control } = await started();
  const before = workspace.requests.length;
  workspace.load({ rateLimits: { submission_read: { limit: 0, perSeconds: 60 } } });
  expect(await control('GET', 'scenario')).toBe(404);
  expect((await fetch(`${emulator.baseUrl}/emulator/scenario`, { method: 'PUT' })).status).toBe(401);
  expect(workspace.requests).toHaveLength(before);
});

it('the emulator listens at the given host and port, and presigned URLs have the host of the client', async () => {
  const reserved = await listen(createServer());
  await reserved.close();
  const storagePort = Number(new URL(reserved.url).port);
  await using emulator = {
    ...(await startEmulator({ host: '0.0.0.0', storagePort })),
    [Symbol.asyncDispose]: async (): Promise<void> => await emulator.close(),
  };
  const baseUrl = emulator.baseUrl.replace('127.0.0.1', 'localhost');
  const caller = new ServiceRequester({ ...emulator, baseUrl }, emulator.workspace());
  const { json } = await caller.post('/uploads/url', { filename: 'a.png', contentType: 'image/png' });
  const url = new URL(text(json['uploadUrl']));
  expect([url.hostname, Number(url.port)]).toEqual(['localhost', storagePort]);
  const body = new Uint8Array(png('a'));
  expect((await fetch(url, { method: 'PUT', body, headers: { 'x-ms-blob-type': 'BlockBlob' } })).status).toBe(201);
});
